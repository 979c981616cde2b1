"""What the numbers were measured on, without naming the machine."""

import os
import platform
import re
from datetime import date
from pathlib import Path

import numpy as np
import scipy
import sklearn
from threadpoolctl import threadpool_info

from benchmarks.peers import taking_part


def machine() -> str:
    """A Markdown list: date, hardware, versions, threads."""
    return "\n".join(
        f"- {line}"
        for line in (
            f"{date.today().isoformat()}, {platform.system()} on {platform.machine()}",
            f"{_processor()}, {os.cpu_count()} cores, {_memory()} of memory",
            f"Python {platform.python_version()}, numpy {np.__version__}, scipy {scipy.__version__}, "
            f"scikit-learn {sklearn.__version__}",
            f"other peers: {taking_part()}",
            f"default threads, the same for all sides: {_threads()}",
        )
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.is_file() else None
    return found[1] if found else platform.processor() or "unknown processor"


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 1e9:.0f} GB"
    except (AttributeError, ValueError):  # Windows has no sysconf
        return "unknown size"


def _threads() -> str:
    pools = {(pool["internal_api"], pool["version"] or "", pool["num_threads"]) for pool in threadpool_info()}
    return ", ".join(f"{threads} of {name} {version}".strip() for name, version, threads in sorted(pools))
