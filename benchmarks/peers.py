"""The environment of the benchmarks: the course's own, and what of peers.txt can be installed on the day.

`python -m benchmarks.peers` makes it, anew whenever the course's environment has changed.
"""

import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path

NAMES = tuple(
    line
    for line in Path(__file__).with_name("peers.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
)
FOLDER = Path(__file__).parents[1] / ".work/peers"


def taking_part() -> str:
    """Names and versions of the peers that are installed."""
    return ", ".join(f"{name} {found}" for name in NAMES if (found := _version(name))) or "none"


def make(folder: Path = FOLDER) -> None:
    """An environment that sees the packages of this one, and in it each of the peers that goes with these versions."""
    here = {each.metadata["Name"]: each.version for each in distributions()}
    pinned = "".join(f"{name}=={of}\n" for name, of in sorted(here.items()) if name != "probml")
    constraints = folder / "constraints.txt"
    if constraints.is_file() and constraints.read_text(encoding="utf-8") == pinned:
        return
    print("Setting up the peers of the benchmarks (once, about two minutes) ...", file=sys.stderr)
    venv.create(folder, clear=True)
    python = folder / "bin/python"
    site = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], text=True)
    beside = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    (Path(site.strip()) / "course.pth").write_text(beside, encoding="utf-8")
    pins = folder / "pins.txt"
    pins.write_text(pinned, encoding="utf-8")
    for name in NAMES:
        install = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--constraint", pins, name]
        if subprocess.run(install, check=False).returncode:
            print(f"{name} cannot be installed: it does not take part", file=sys.stderr)
    pins.rename(constraints)  # there when all has been tried


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


if __name__ == "__main__":
    make()
