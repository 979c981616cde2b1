"""Peak memory, from the kernel's own count of resident pages."""

import contextlib
import ctypes
import gc
import multiprocessing
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from benchmarks.race import timed

State = TypeVar("State")
Result = TypeVar("Result")

STATUS = Path("/proc/self/status")


class Peak(NamedTuple):
    """Of one run. memory : bytes by which resident memory grows at most, None where the system has no /proc."""

    memory: int | None
    seconds: float


def peak_memory(
    prepare: Callable[[], State],
    run: Callable[[State], object],
    close: Callable[[], None] = lambda: None,
    seconds: float | None = None,
) -> Peak:
    """Memory and time of `run(prepare())`, its result included.

    Measured in a forked child, which shares the data with its parent and starts from the same memory for every side.
    Processes that the run starts count with all that each held at most; they are still there when it returns, and
    `close` ends them: else the child waits for them. TimeoutError : it took longer than `seconds`, and was stopped.
    """
    return in_child(lambda: _measure(prepare, run, close), seconds)


def in_child(work: Callable[[], Result], seconds: float | None = None) -> Result:
    """What `work` returns, from a forked child: threads that it starts, and a later fork would miss, end with it.

    TimeoutError : it took longer than so many seconds, and was stopped.
    """
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(work()))
    with warnings.catch_warnings():
        # Python 3.12 warns of threads that a child does not inherit. These are of OpenBLAS, which starts them anew.
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            child.kill()
            raise TimeoutError(f"stopped after {seconds:.0f} s")
        return receiver.recv()
    except EOFError:
        child.join()
        raise RuntimeError(f"the child ended with exit code {child.exitcode}") from None
    finally:
        child.join()


def _measure(prepare: Callable[[], State], run: Callable[[State], object], close: Callable[[], None]) -> Peak:
    state = prepare()
    known = STATUS.is_file()
    gc.collect()
    with contextlib.suppress(AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)  # what is free goes back to the system, else its use again would not be seen
    with contextlib.suppress(OSError):  # where this is forbidden, the peak of `prepare` counts too
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the high-water mark
    before = _status("VmRSS") if known else 0
    try:
        seconds, result = timed(lambda: run(state))
        grown = max(0, _status("VmHWM") - before) if known else None
        if grown is not None:  # peaks of different moments: their sum is an upper bound
            children = (Path(f"/proc/{each.pid}/status") for each in multiprocessing.active_children())
            grown += sum(_status("VmHWM", status) for status in children)
    finally:
        close()
    del result  # held until now, as it is for whoever asked for it
    return Peak(grown, seconds)


def _status(field: str, status: Path = STATUS) -> int:
    (kilobytes,) = re.findall(rf"^{field}:\s+(\d+) kB", status.read_text(encoding="ascii"), re.MULTILINE)
    return 1024 * int(kilobytes)
