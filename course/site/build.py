"""Build the site: stage, let Sphinx write the pages, add what belongs to them."""

import io
import os
import re
import shutil
import sys
import time
import zipfile
from importlib.util import find_spec
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError, SphinxError

from course.site import front, redirects, source, staging
from course.site.errors import SiteError
from course.site.settings import settings

JOBS = 2
_MATHJAX = ("tex-chtml.js", "input/tex/extensions/*.js", "output/chtml/fonts/**/*.woff")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_CELL = 10_000  # myst-nb counts lines by cell: 30002 is the second line of the third


def build(root: Path, output: Path, *, student: bool = False, only: tuple[str, ...] = ()) -> None:
    """Write the site into `output`, in place of what was there."""
    started = time.monotonic()
    edition = "student" if student else "full"
    work = root / ".work" / "site" / f"{edition}-{os.getpid()}"
    try:
        names = staging.stage(root, work / "pages", only=only, student=student)
        run_sphinx(root, work, student=student)
        _copy_mathjax(work / "html/_static/mathjax")
        staging.downloads(root, names, work / "html", student=student)
        front.copy_figures(root, work / "html")
        source.write(root, work / "html")
        if not only:  # what is left out cannot be led to
            redirects.write(work / "html")
        _remove_leftovers(work / "html")
        (work / "html/.nojekyll").touch()
        shutil.rmtree(output, ignore_errors=True)
        output.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(work / "html", output)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    files = [path for path in output.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    print(f"{len(files)} files, {size:.1f} MB, after {time.monotonic() - started:.0f} s: {output / 'index.html'}")


def run_sphinx(root: Path, work: Path, *, student: bool) -> None:
    """Write HTML from staged pages. A warning is an error, and names its place."""
    warnings = io.StringIO()
    try:
        _write_html(root, work, warnings, student=student)
    except ExtensionError as error:
        if isinstance(error.orig_exc, ModuleNotFoundError):
            raise error.orig_exc from None
        raise SiteError(f"Sphinx: {error}") from error
    except SphinxError as error:
        raise SiteError(f"Sphinx: {error}") from error
    if problems := [line for line in _ANSI.sub("", warnings.getvalue()).splitlines() if line.strip()]:
        raise SiteError("the pages have problems:\n" + "\n".join(place(line, work / "pages") for line in problems))


def _write_html(root: Path, work: Path, warnings: io.StringIO, *, student: bool) -> None:
    app = Sphinx(
        srcdir=work / "pages",
        confdir=None,
        outdir=work / "html",
        doctreedir=work / "doctrees",
        buildername="html",
        confoverrides=settings(root, student=student),
        status=None,
        warning=warnings,
        freshenv=True,
        parallel=JOBS,
    )
    app.build()


def place(line: str, pages: Path) -> str:
    """A warning of Sphinx with the note and the cell in place of the staged file."""
    line = line.replace(f"{pages}/", "")
    if found := re.match(
        r"notes/(?P<name>[^:]+)\.ipynb:(?:(?P<line>\d+):)?\s*(?:WARNING|ERROR)?:?\s*(?P<text>.*)", line
    ):
        number = int(found["line"] or 0)
        cell = f", cell {number // _CELL} of the page" if number >= _CELL else ""
        return f"note {found['name']}{cell}: {found['text']}"
    return line


def _copy_mathjax(target: Path) -> None:
    """What pages load of MathJax, out of the package that holds all of it."""
    package = "sphinx-mathjax-offline"
    if not (spec := find_spec(package)):
        raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    origin = Path(spec.origin).parent / "static/mathjax"
    for pattern in _MATHJAX:
        for file in origin.glob(pattern):
            if file.name != "all-packages.js":
                copy = target / file.relative_to(origin)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, copy)


def _remove_leftovers(site: Path) -> None:
    """What no page loads: notes of Sphinx to itself, templates, source maps, words of other languages."""
    for pattern in (
        ".buildinfo*",
        "objects.inv",
        "_static/*.html",
        "_static/**/*.map",
        "_static/locales/**/*.*",
        "_static/scripts/fontawesome.js*",
        "_sphinx_design_static/*",
    ):
        for file in list(site.glob(pattern)):
            file.unlink()
    for folder in sorted((path for path in site.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def write_zip(folder: Path, target: Path) -> None:
    """The site as one file: the same bytes for the same site."""
    target.unlink(missing_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            info = zipfile.ZipInfo(f"{folder.name}/{path.relative_to(folder).as_posix()}", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            archive.writestr(info, path.read_bytes())
    print(f"{target}, {target.stat().st_size / 1e6:.1f} MB", file=sys.stdout)
