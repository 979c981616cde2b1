"""Peak memory, from the kernel's own count of resident pages."""

import contextlib
import ctypes
import gc
import multiprocessing
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

State = TypeVar("State")
Result = TypeVar("Result")

STATUS = Path("/proc/self/status")


def peak_memory(
    prepare: Callable[[], State], run: Callable[[State], object], close: Callable[[], None] = lambda: None
) -> int | None:
    """Bytes by which resident memory grows at most while `run(prepare())` runs, its result included.

    Measured in a forked child, which shares the data with its parent and starts from the same memory for every side.
    Processes that the run starts count with all that each held at most; they are still there when it returns, and
    `close` ends them: else the child waits for them. None where the system has no /proc.
    """
    return in_child(lambda: _measure(prepare, run, close)) if STATUS.is_file() else None


def in_child(work: Callable[[], Result]) -> Result:
    """What `work` returns, from a forked child: threads that it starts, and a later fork would miss, end with it."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=lambda: sender.send(work()))
    with warnings.catch_warnings():
        # Python 3.12 warns of threads that a child does not inherit. These are of OpenBLAS, which starts them anew.
        warnings.simplefilter("ignore", DeprecationWarning)
        child.start()
    sender.close()
    try:
        return receiver.recv()
    except EOFError:
        child.join()
        raise RuntimeError(f"the child ended with exit code {child.exitcode}") from None
    finally:
        child.join()


def _measure(prepare: Callable[[], State], run: Callable[[State], object], close: Callable[[], None]) -> int:
    state = prepare()
    gc.collect()
    with contextlib.suppress(AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)  # what is free goes back to the system, else its use again would not be seen
    with contextlib.suppress(OSError):  # where this is forbidden, the peak of `prepare` counts too
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forgets the high-water mark
    before = _status("VmRSS")
    try:
        result = run(state)
        grown = max(0, _status("VmHWM") - before)
        # peaks of different moments: their sum is an upper bound
        grown += sum(_status("VmHWM", Path(f"/proc/{each.pid}/status")) for each in multiprocessing.active_children())
    finally:
        close()
    del result  # held until now, as it is for whoever asked for it
    return grown


def _status(field: str, status: Path = STATUS) -> int:
    (kilobytes,) = re.findall(rf"^{field}:\s+(\d+) kB", status.read_text(encoding="ascii"), re.MULTILINE)
    return 1024 * int(kilobytes)
