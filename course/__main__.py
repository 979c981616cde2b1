"""The command line: `python -m course COMMAND`, in the folder of the project."""

import argparse
import errno
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from probml.errors import ProbmlError


def main(arguments: list[str] | None = None) -> int:
    """Run one command; an error meant for the user becomes one message and exit status 1."""
    parser = argparse.ArgumentParser(prog="course", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, action: object, text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(action=action)
        return sub

    data = command("data", _data, "fetch and verify data sets: those named, or all but the ones fetched on demand")
    data.add_argument("names", nargs="*", metavar="NAME")
    data.add_argument("--all", action="store_true", help="also those fetched on demand (300 MB together)")
    data.add_argument("--receipt", type=Path, help="write what was found to this JSON file (for one data set)")
    data.add_argument("--describe", action="store_true", help="print rows, classes and columns for the registry")
    data.add_argument("--cards", action="store_true", help="print the cards of data/README.md")
    run = command("run", _run, "execute a notebook with the parameters of params.yaml, into results/")
    run.add_argument("name", metavar="NOTEBOOK", help="name of a file in notebooks/, without .ipynb")
    limit = "seconds after which a cell is ended, and the run has failed (default: %(default)s, half an hour)"
    run.add_argument("--cell-timeout", type=_count, metavar="SECONDS", default=1800, help=limit)
    command("ledger", _ledger, "write the ledger of published numbers from what the notebooks recorded")
    command("equations", _equations, "check every equation of the lectures, and write the ledger of equations")
    command("headlines", _headlines, "write the one number by which `dvc metrics show` presents each note")
    command("stages", _stages, "write dvc.yaml: a stage for each notebook, with what it imports and the data it names")
    command("reproduce", _reproduce, "execute the whole pipeline anew and compare with the committed results")
    command("check", _check, "compare results/ with the committed results, without executing anything")
    command("validate", _validate, "validate the executed notebooks with nbval")
    cite = command("cite", _cite, "write the citations of notes, [@key], as links to the works of the bibliography")
    cite.add_argument("files", nargs="*", type=Path, metavar="FILE", help="notebooks (default: all of notebooks/)")
    form = command("form", _form, "say what of a note is not in the form that notes have, and what its card should say")
    form.add_argument("name", metavar="NOTEBOOK", help="name of a file in notebooks/, without .ipynb")
    text = "run a note with other seeds and count how often each of its checks holds; results/ is not touched"
    reseed = command("reseed", _reseed, text)
    reseed.add_argument("name", metavar="NOTEBOOK", help="name of a file in notebooks/, without .ipynb")
    reseed.add_argument("--seeds", type=_count, metavar="K", default=5, help="how many seeds (default: %(default)s)")
    reseed.add_argument("--first", type=_count, metavar="S", default=1, help="the first of them (default: %(default)s)")
    reseed.add_argument("--strict", action="store_true", help="status 1 if a check that is not marked fails")
    reseed.add_argument("--cell-timeout", type=_count, metavar="SECONDS", default=1800, help=limit)
    text = "run all notes with twenty other seeds, keep in results/claims with which of them each sentence holds"
    claims = command("claims", _claims, text)
    claims.add_argument("names", nargs="*", metavar="NOTEBOOK", help="names of files in notebooks/ (default: all)")
    claims.add_argument("--seeds", type=_count, metavar="K", default=20, help="how many seeds (default: %(default)s)")
    claims.add_argument("--jobs", type=_count, metavar="J", default=None, help="runs at a time (default: one a core)")
    text = "run K notes with one of the seeds, others from day to day, and compare with what is kept"
    claims.add_argument("--sample", type=_count, metavar="K", help=text)
    claims.add_argument("--cell-timeout", type=_count, metavar="SECONDS", default=1800, help=limit)
    site = command("site", _site, "build the site from the committed results, into build/site; nothing is executed")
    site.add_argument("--student", action="store_true", help="without solutions, into build/site-student")
    site.add_argument("--zip", action="store_true", help="also as one file, build/site.zip")
    strip = command("strip", _strip, "bring notebook sources into normal form: no outputs, no execution counts")
    strip.add_argument("files", nargs="+", type=Path, metavar="FILE")

    options = parser.parse_args(arguments)
    try:
        with _signals_as_errors():
            options.action(options)
    except ProbmlError as error:
        return _failed(str(error))
    except ModuleNotFoundError as error:
        package = (error.name or "course").partition(".")[0]
        if package in ("course", "probml"):
            raise  # no package is missing, but a module of ours: the traceback says where
        return _failed(
            f"{options.command} needs the package {package}, which is not installed here: set up .venv by "
            "`sh .ci/setup` and use its Python, or pip install -e '.[course,curves,dev,site]'"
        )
    except OSError as error:
        hints = {errno.ENOSPC: ". Is the disk full?", errno.EACCES: ". Is it yours to write to?"}
        return _failed(f"{error}{hints.get(error.errno, '')}")
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


def _failed(message: str) -> int:
    sys.stdout.flush()
    print(f"error: {message}", file=sys.stderr)
    return 1


@contextmanager
def _signals_as_errors() -> Iterator[None]:
    """Signals that ask for the end do so as Ctrl-C does, by an error: what was begun is ended and cleaned up.

    One that is ignored, as `nohup` has it, stays so.
    """

    def stop(number: int, _: object) -> None:
        sys.exit(128 + number)

    main_thread = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGTERM, signal.SIGHUP) if main_thread else ()
    handlers = {number: signal.signal(number, stop) for number in signals if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a whole number, 1 or more, received {text!r}")
    return int(text)


def _root() -> Path:
    root = Path.cwd()
    if not (root / "dvc.yaml").is_file():
        raise ProbmlError(f"{root} is not the project's folder (it has no dvc.yaml): change to it and try again")
    return root


def _name(options: argparse.Namespace) -> str:
    """The name of a note that a command was given."""
    if "/" in options.name:
        raise ProbmlError(
            f"{options.command} takes the name of a file in notebooks/ without .ipynb, received {options.name!r}"
        )
    return options.name


def _data(options: argparse.Namespace) -> None:
    from course.data import cards
    from course.data.fetch import describe, fetch

    if options.receipt and len(options.names) != 1:
        raise ProbmlError(f"--receipt is for one data set, received {len(options.names)}")
    if options.cards:
        print(cards.page(), end="")
    elif options.describe:
        describe(options.names, options.all)
    else:
        fetch(options.names, options.all, options.receipt)


def _leave_out_grammar() -> None:
    """Before notebooks are run: a second or two less, in each process that does.

    jsonschema, by which papermill checks notebooks, imports this package if it is there, to check addresses, of which a
    notebook has none; and it parses a grammar when it is imported. None stands for a package that is not there.
    """
    sys.modules.setdefault("rfc3987_syntax", None)


def _run(options: argparse.Namespace) -> None:
    _leave_out_grammar()
    from course.notebook.run import run

    run(_name(options), _root(), options.cell_timeout)


def _ledger(_: argparse.Namespace) -> None:
    from course.notebook.staging import turn
    from course.results import ledger

    root = _root()
    with turn(root, "ledger"):  # from reading to writing: the last one to write has read what is there now
        ledger.write(root / "results")


def _equations(_: argparse.Namespace) -> None:
    from course.equations import page
    from course.notebook.staging import turn

    root = _root()
    with turn(root, "equations"):
        page.write(root / "results")


def _headlines(_: argparse.Namespace) -> None:
    from course.notebook.staging import turn
    from course.results import headlines

    root = _root()
    with turn(root, "headlines"):
        headlines.write(root / "results")


def _stages(_: argparse.Namespace) -> None:
    from course.files import write_text
    from course.stages import dvc_yaml

    root = _root()
    write_text(root / "dvc.yaml", dvc_yaml(root))


def _reproduce(_: argparse.Namespace) -> None:
    from course.results.reproduce import reproduce

    reproduce(_root())


def _check(_: argparse.Namespace) -> None:
    from course.errors import ResultsError
    from course.results.reproduce import check, table

    verdicts = check(_root())
    print(table(verdicts))
    if not all(verdict.good for verdict in verdicts.values()):
        raise ResultsError("results/ is not what is committed (table above)")


def _validate(_: argparse.Namespace) -> None:
    from course.results.validate import validate

    validate(_root())


def _cite(options: argparse.Namespace) -> None:
    from course.form.cite import cite_in

    for file in cite_in(options.files or sorted((_root() / "notebooks").glob("*.ipynb"))):
        print(f"{file.stem}: citations written", file=sys.stderr)


def _form(options: argparse.Namespace) -> None:
    from course.form.report import report

    report(_name(options), _root())


def _reseed(options: argparse.Namespace) -> None:
    _leave_out_grammar()
    from course.form.reseed import reseed

    given = {key: getattr(options, key) for key in ("seeds", "first", "strict", "cell_timeout")}
    reseed(_name(options), _root(), **given)


def _claims(options: argparse.Namespace) -> None:
    _leave_out_grammar()
    from joblib import cpu_count

    from course.form.claims import campaign, sample, summary

    root = _root()
    names = options.names or sorted(path.stem for path in (root / "notebooks").glob("*.ipynb"))
    if options.sample:
        today = int(time.time() // 86400)
        sample(root, names, day=today, notes=options.sample, cell_timeout=options.cell_timeout)
        return
    jobs = options.jobs or cpu_count()
    campaign(root, names, seeds=options.seeds, jobs=jobs, cell_timeout=options.cell_timeout)
    print(summary(root, names))


def _site(options: argparse.Namespace) -> None:
    from course.notebook.staging import turn
    from course.site.build import build, write_zip

    root = _root()
    folder = root / "build" / ("site-student" if options.student else "site")
    with turn(root, folder.name):
        build(root, folder, student=options.student)
        if options.zip:
            write_zip(folder, folder.with_suffix(".zip"))


def _strip(options: argparse.Namespace) -> None:
    from course.files import write_text
    from course.notebook import normal
    from course.notebook.read import read_notebook

    for file in options.files:
        write_text(file, normal.source(read_notebook(file)))


if __name__ == "__main__":
    sys.exit(main())
