"""The environment in which notebooks are executed and validated: the same everywhere, whatever the user has set."""

import os
import platform
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# What a notebook inherits: where programs, folders and caches are, how the network is reached, and how much of the
# machine may be used. Nothing else reaches it: there is no end to the variables by which a package, or Python itself,
# can be told to compute, warn or assert otherwise.
INHERITED = re.compile(
    r"PATH|HOME|USER|LOGNAME|TMPDIR|LD_LIBRARY_PATH|DYLD_(FALLBACK_)?LIBRARY_PATH"
    r"|PROBML_CACHE|XDG_CACHE_HOME|XDG_CONFIG_HOME|MPLCONFIGDIR|NUMBA_CACHE_DIR|JOBLIB_TEMP_FOLDER|LOKY_MAX_CPU_COUNT"
    r"|PIP_\w+|NETRC|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE"
    r"|(?i:(all|https?|no)_proxy)"
)
# Sums are rounded in the order in which a processor's widest registers take them up. These settings are those of a
# processor with AVX2, which nearly all have, so that others give the same bits.
SAME_BITS = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def isolation() -> Iterator[dict[str, str]]:
    """All environment variables of a process in which a notebook gives the same everywhere, and a folder they refer to.

    One BLAS thread, and sums rounded alike on all processors; sets in a fixed order; one time zone; texts in UTF-8; the
    packages and the kernel of this environment, whatever others the user has; no settings of matplotlib, and an
    IPython profile that holds nothing but the order to keep quiet.
    """
    with tempfile.TemporaryDirectory(prefix="probml-") as scratch:
        profile = Path(scratch, "profile_default")
        profile.mkdir()
        (profile / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 'CRITICAL'\n", encoding="utf-8")
        Path(scratch, "matplotlibrc").touch()
        yield {
            **{name: value for name, value in os.environ.items() if INHERITED.fullmatch(name)},
            **dict.fromkeys(THREADS, "1"),
            **(SAME_BITS if platform.machine().lower() in ("x86_64", "amd64") else {}),
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PYTHONNOUSERSITE": "1",
            "TZ": "UTC",
            "JUPYTER_PREFER_ENV_PATH": "1",
            **dict.fromkeys(("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"), scratch),
            "IPYTHONDIR": scratch,
            "MATPLOTLIBRC": scratch,
        }
