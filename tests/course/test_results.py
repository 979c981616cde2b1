"""Results that differ are found and named; a run that is interrupted goes on and takes no stale result for its own.

Without this, `check`, `reproduce` or `validate` could report results as reproduced that nobody has computed.
"""

import base64
import fcntl
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from course.__main__ import main
from course.errors import ResultsError
from course.notebook import normal
from course.notebook.record import OUTPUT
from course.results import graph, ledger, lockfile, pipeline, reproduce
from course.results.compare import Verdict, compare
from course.results.journal import COMPLETE, Journal
from course.results.journal import FILE as JOURNAL
from course.results.validate import longest_first, validate

# --- compare ---


def png(level=100, size=(20, 20), changed=0):
    """A grey image, of which so many pixels are one level (of 255) lighter."""
    image = Image.new("L", size, level)
    for number in range(changed):
        image.putpixel((number % size[0], number // size[0]), level + 1)
    content = io.BytesIO()
    image.save(content, "png")
    return content.getvalue()


def notebook_with(image, text="accuracy 0.5"):
    data = {"image/png": base64.b64encode(image).decode(), "text/plain": text}
    cell = new_code_cell("f()", id="code", outputs=[new_output("display_data", data)])
    text, _ = normal.executed(new_notebook(cells=[new_markdown_cell("Text", id="text"), cell]))
    return text.encode()


def test_the_same_bytes_are_identical():
    assert compare("a.bin", b"\xff", b"\xff") == Verdict("identical")


@pytest.mark.parametrize(
    ("committed", "fresh"),
    [
        ("x 0.123456", "x 0.123457"),
        ("x -1.23456e-05, y 7", "x -1.23457e-05, y 7"),
        ("x 1e-12", "x -3e-15"),  # both are nothing
        ("[0.5,1.0]", "[0.500001,0.999999]"),
        ("x 1", "x 1.0"),
        ("x .5", "x 0.5"),
    ],
)
def test_numbers_within_the_tolerance_are_equal(committed, fresh):
    assert compare("a.json", committed.encode(), fresh.encode()) == Verdict("equal", "within tolerance")


@pytest.mark.parametrize(
    ("committed", "fresh", "note"),
    [
        ("a\nx 0.123456", "a\nx 0.123466", "line 2: 'x 0.123456' became 'x 0.123466'"),
        ("x 0.5", "x -0.5", "line 1: 'x 0.5' became 'x -0.5'"),
        ("n 1000000", "n 1000001", "line 1: 'n 1000000' became 'n 1000001'"),
        ("agrees 0.5", "differs 0.5", "line 1: 'agrees 0.5' became 'differs 0.5'"),
        ("0.5 0.5", "0.5", "line 1: '0.5 0.5' became '0.5'"),
        ("a\nb", "a", "line 2: 'b' became (nothing)"),
        ("a", "a\n\nb", "line 2: (nothing) became ''"),
        ("a" * 99, "b", f"line 1: '{'a' * 57}...' became 'b'"),
    ],
)
def test_other_texts_are_different_and_the_line_is_named(committed, fresh, note):
    assert compare("a.csv", committed.encode(), fresh.encode()) == Verdict("different", note)


def test_images_are_compared_by_their_pixels():
    assert compare("a.png", png(), png(changed=200)) == Verdict("equal", "within tolerance")
    assert compare("a.png", png(), png(changed=220)) == Verdict("different", "mean difference of the pixels 0.0022")
    assert compare("a.png", png(), png(200)) == Verdict("different", "mean difference of the pixels 0.3922")
    assert compare("a.png", png(), png(size=(30, 20))) == Verdict("different", "size 20x20 became 30x20")


def test_a_broken_image_is_different():
    whole = png()
    for length in range(len(whole) - 20):  # the last twenty bytes hold no pixels
        verdict = compare("a.png", whole, whole[:length])
        assert verdict.status == "different"
        assert verdict.note.startswith("not a readable PNG")


def test_notebooks_are_compared_by_their_texts_and_images():
    committed = notebook_with(png())
    assert compare("a.ipynb", committed, notebook_with(png(changed=1))).status == "equal"
    assert compare("a.ipynb", committed, notebook_with(png(), "accuracy 0.500001")).status == "equal"
    other_image = compare("a.ipynb", committed, notebook_with(png(200)))
    assert other_image == Verdict("different", "image: mean difference of the pixels 0.3922")
    other_text = compare("a.ipynb", committed, notebook_with(png(), "accuracy 0.6"))
    assert other_text.status == "different"
    assert "'\"text/plain\": [' became" not in other_text.note
    assert "accuracy 0.5" in other_text.note


@pytest.mark.parametrize(("name", "fresh"), [("a.ipynb", b"<<<<<<< HEAD"), ("a.csv", b"\xff")])
def test_a_broken_file_is_different(name, fresh):
    verdict = compare(name, notebook_with(png()), fresh)
    assert verdict.status == "different"
    assert verdict.note.startswith("not readable")


def test_missing_and_new_files():
    assert compare("a.csv", b"a", None) == Verdict("missing", "committed, but not written by the run")
    assert compare("a.csv", None, b"a") == Verdict("new", "written by the run, but not committed")


@pytest.mark.parametrize(
    ("status", "good"), [("identical", True), ("equal", True), ("different", False), ("missing", False), ("new", False)]
)
def test_what_counts_as_reproduced(status, good):
    assert Verdict(status).good == good


def test_the_table_names_and_counts():
    verdicts = {"results/a.csv": Verdict("identical"), "results/long.csv": Verdict("different", "line 1: a became b")}
    assert reproduce.table(verdicts).splitlines() == [
        "",
        "results/a.csv     identical",
        "results/long.csv  different  line 1: a became b",
        "",
        "1 identical, 1 different (tolerance of numbers: 1e-05 relative)",
    ]


# --- ledger ---


def claim(name, **changes):
    fields = {"id": name, "source": "A. Author, 2001", "quantity": f"quantity {name}", "published": 0.85, "ours": 0.86}
    return {**fields, "attested": "seen", "tolerance": 0.01, "because": "", "verdict": "agrees", **changes}


def write_claims(results, notebook, *claims):
    (results / notebook).mkdir()
    (results / notebook / "claims.json").write_text(json.dumps(claims))


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Results of two notebooks, in the folder of a project in which the process works."""
    (tmp_path / "dvc.yaml").touch()
    folder = tmp_path / "results"
    folder.mkdir()
    write_claims(
        folder,
        "02-second",
        claim("c", source="B. Author, 2002", published="spam", ours="ham", tolerance=None, verdict="differs"),
        claim("d", attested="recalled", verdict="differs", ours=0.9),
        claim("f", attested="computed"),
    )
    write_claims(
        folder,
        "01-first",
        claim("a"),
        claim("b", quantity="P(spam | x)", ours=0.9, verdict="differs", because="other data"),
        claim("e", attested="quoted"),
    )
    monkeypatch.chdir(tmp_path)
    return folder


def test_the_ledger_collects_in_the_order_of_the_notebooks(results):
    claims = ledger.collect(results)
    assert [(each["notebook"], each["id"]) for each in claims] == [
        ("01-first", "a"),
        ("01-first", "b"),
        ("01-first", "e"),
        ("02-second", "c"),
        ("02-second", "d"),
        ("02-second", "f"),
    ]


def test_a_claim_belongs_to_one_notebook(results, capsys):
    write_claims(results, "03-third", claim("g"), claim("a"), claim("d"))
    assert main(["ledger"]) == 1
    assert "recorded by more than one notebook: a, d" in capsys.readouterr().err
    assert not (results / "ledger.json").exists()


def test_the_summary_counts(results):
    _, _, *rows, _, checks = ledger.summary(ledger.collect(results)).splitlines()
    assert [(row.split(":")[0], *row.split(" | ")[1:]) for row in rows] == [
        ("| seen", "1", "1", "1 |"),
        ("| quoted", "1", "0", "0 |"),
        ("| recalled", "0", "0", "1 |"),
    ]
    assert "1 numbers are compared with another library's" in checks
    assert checks.endswith("all agree.")


def test_the_page_shows_differences_and_explains_them(results):
    claims = ledger.collect(results)
    page = ledger.page(claims)
    assert ledger.summary(claims) in page
    link = "[01-first](01-first/notebook.ipynb)"
    assert f"| quantity a | 0.85 | seen | 0.86 | 0.01 | agrees | {link} |\n" in page
    assert f"| P(spam \\| x) | 0.85 | seen | 0.9 | 0.01 | **differs** | {link} |\n" in page
    assert "\n- *P(spam | x)*: other data\n" in page
    first, second = page.index("## A. Author, 2001"), page.index("## B. Author, 2002")
    assert first < page.index("quantity d") < second < page.index("| spam | seen | ham | exact | **differs** |")
    assert page.count("\n- *") == 1
    (recalled,) = (each for each in claims if each["attested"] == "recalled")
    recalled["remark"] = "by date too"
    assert f"\n- *{recalled['quantity']}*: by date too\n" in ledger.page(claims)
    assert ledger.summary(claims) in page


def test_what_another_library_computed_stands_apart(results):
    published, checks = ledger.page(ledger.collect(results)).split("# Checks against other libraries")
    assert "quantity f" not in published
    assert "| quantity f | 0.85 | 0.86 | 0.01 | agrees | [02-second](02-second/notebook.ipynb) |" in checks
    assert all(f"quantity {name}" in published and f"quantity {name}" not in checks for name in "aced")
    assert ledger.checked([claim("f", attested="computed", verdict="differs")]).endswith(": 0 agree.")


def test_millions_are_written_with_commas():
    millions = claim("operations", notebook="01-first", published=3e6, ours=3493800.0, tolerance=1.5e6)
    assert "| quantity operations | 3,000,000 | seen | 3,493,800 | 1,500,000 | agrees |" in ledger.page([millions])


def test_the_ledger_is_the_same_bytes_every_time(results):
    written = []
    for _ in range(2):
        assert main(["ledger"]) == 0
        written.append([(results / name).read_bytes() for name in ("ledger.json", "LEDGER.md")])
    assert written[0] == written[1]
    content = json.loads(written[0][0])
    assert content["claims"] == ledger.collect(results)
    assert content["summary"] == {
        "seen": {"agrees": 1, "differs": 2},
        "quoted": {"agrees": 1},
        "recalled": {"differs": 1},
        "computed": {"agrees": 1},
    }
    assert written[0][1].decode() == ledger.page(content["claims"])
    assert {path.name for path in results.iterdir()} == {"01-first", "02-second", "ledger.json", "LEDGER.md"}


# --- reproduce ---

STAGE = """
import pathlib, sys
name = sys.argv[1]
with open("../log", "a") as log:
    print(name, file=log)
if name == "second" and not pathlib.Path("../mended").exists():
    sys.exit("the second stage is broken")
pathlib.Path("results", f"{name}.txt").write_text(f"{name} 0.5\\n")
"""


def write_stages(root, **stages):
    """A dvc.yaml in which each stage runs stage.py under its name, depends on the files given, and has this `meta`."""
    declared = {
        name: {
            "cmd": shlex.join([sys.executable, "stage.py", name]),
            "deps": [*dependencies],
            "outs": [{f"results/{name}.txt": {"cache": False, "persist": True}}],
            "meta": meta,
        }
        for name, (dependencies, meta) in stages.items()
    }
    (root / "dvc.yaml").write_text(json.dumps({"stages": declared}))


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A repository of two stages, the second after the first, with the right results committed."""
    for variable in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(variable, os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A. Author")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "author@example.org")
    for kind in ("GLOBAL_CONFIG", "SYSTEM_CONFIG", "SITE_CACHE"):
        monkeypatch.setenv(f"DVC_{kind}_DIR", str(tmp_path / "dvc"))
    root = tmp_path / "project"
    (root / ".dvc").mkdir(parents=True)
    (root / ".dvc" / "config").write_text("[core]\n    analytics = false\n")
    (root / "stage.py").write_text(STAGE)
    (root / "results").mkdir()
    for name in ("first", "second"):
        (root / "results" / f"{name}.txt").write_text(f"{name} 0.5\n")
    write_stages(root, first=(["stage.py"], {}), second=(["results/first.txt"], {}))
    monkeypatch.chdir(root)
    git("init", "--quiet")
    git("add", "results")
    git("commit", "--quiet", "--message", "Results")
    return root


def git(*arguments):
    subprocess.run(["git", *arguments], check=True)


def dvc(*arguments):
    return subprocess.run([sys.executable, "-m", "dvc", *arguments], check=True, capture_output=True, text=True).stdout


def rerun(root):
    """Whether all stages succeeded."""
    try:
        reproduce.rerun(root)
    except ResultsError:
        return False
    return True


def runs(root):
    return (root.parent / "log").read_text().split()


def test_an_interrupted_reproduction_goes_on_where_it_stopped(repository, capfd):
    assert main(["reproduce"]) == 1
    assert "the pipeline failed" in capfd.readouterr().err
    assert runs(repository) == ["first", "second"]
    assert (repository / JOURNAL).exists()

    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    said = capfd.readouterr()
    assert "going on with a run that was interrupted" in said.err
    assert "2 identical (" in said.out
    assert runs(repository) == ["first", "second", "second"]
    assert not (repository / JOURNAL).exists()
    assert Journal(repository, COMPLETE).holds(graph.read_stages(repository)["first"])

    assert dvc("status", "--json") == "{}\n"
    dvc("repro")
    assert runs(repository) == ["first", "second", "second"]  # nothing was left to do


def test_a_stage_whose_code_changed_since_the_interruption_runs_again(repository):
    assert main(["reproduce"]) == 1
    (repository / "stage.py").write_text(STAGE.replace("is broken", "was broken"))
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    assert runs(repository) == ["first", "second", "first", "second"]


def test_what_was_done_since_by_others_is_not_what_the_interrupted_run_did(repository):
    """The first stage is as the interrupted run left it; the second was run by DVC."""
    assert main(["reproduce"]) == 1
    (repository.parent / "mended").touch()
    dvc("repro")
    assert runs(repository) == ["first", "second", "second"]
    assert main(["reproduce"]) == 0
    assert runs(repository)[3:] == ["second"]


def test_a_result_that_is_not_as_the_interrupted_run_left_it_is_made_again(repository):
    assert main(["reproduce"]) == 1
    (repository.parent / "mended").touch()
    (repository / "results" / "first.txt").write_text("first 0.6\n")
    assert main(["reproduce"]) == 0
    assert runs(repository)[2:] == ["first", "second"]


def test_a_lock_that_is_not_as_the_interrupted_run_left_it_is_no_sign_of_what_it_did(repository):
    assert main(["reproduce"]) == 1
    (repository.parent / "mended").touch()
    (repository / "stage.py").write_text(STAGE.replace("is broken", "was broken"))
    dvc("repro")
    assert main(["reproduce"]) == 0
    assert runs(repository) == ["first", "second"] * 3


def test_the_lock_is_there_at_any_time_and_says_nothing_of_stages_that_are_no_more(repository):
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    text = (repository / "dvc.lock").read_text()
    (repository / "stage.py").write_text(STAGE + "assert pathlib.Path('dvc.lock').exists()\n")
    write_stages(repository, first=(["stage.py"], {}))
    assert main(["reproduce"]) == 0
    assert "\n  second:\n" in text
    assert "\n  second:\n" not in (repository / "dvc.lock").read_text()


def test_the_lock_is_the_one_that_dvc_writes(repository):
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    lock = (repository / "dvc.lock").read_text()
    dvc("repro", "--force")
    assert (repository / "dvc.lock").read_text() == lock
    (repository / "dvc.lock").unlink()
    dvc("repro", "--force")
    assert (repository / "dvc.lock").read_text() == lock


def test_the_lock_does_not_tell_in_which_order_stages_ended(repository, monkeypatch):
    """They are in the order of dvc.yaml, whatever ended first and whatever the order was before."""
    monkeypatch.setitem(pipeline.SLOTS, "core", 1)
    write_stages(repository, b=([], {"seconds": 1}), c=([], {}), a=([], {"seconds": 2}))
    assert rerun(repository)
    assert runs(repository) == ["a", "b", "c"]
    lock = (repository / "dvc.lock").read_text()
    assert [line for line in lock.splitlines() if re.match(r"  \w", line)] == ["  b:", "  c:", "  a:"]
    (repository / "dvc.lock").unlink()
    dvc("commit", "--force", "a")
    assert rerun(repository)
    assert (repository / "dvc.lock").read_text() == lock


def test_a_reproduction_of_the_same_results_leaves_the_folder_as_it_was(repository):
    (repository.parent / "mended").touch()
    (repository / ".gitignore").write_text(".work\n")
    assert main(["reproduce"]) == 0
    git("add", ".")
    git("commit", "--quiet", "--message", "All")
    assert main(["reproduce"]) == 0
    assert subprocess.run(["git", "status", "--short"], check=True, capture_output=True).stdout == b""


def test_files_in_a_folder_that_a_stage_writes_and_its_parameters_are_what_another_depends_on(repository):
    """A stage of a matrix waits for a file in the folder; what DVC ignores is no part of it; a parameter is."""
    (repository / "stage.py").write_text("""
import pathlib, sys
name = sys.argv[1]
with open("../log", "a") as log:
    print(name, file=log)
if name == "note":
    pathlib.Path("results/note").mkdir(exist_ok=True)
    pathlib.Path("results/note/table.csv").write_text("1")
elif not pathlib.Path("../mended").exists():
    sys.exit("broken")
else:
    pathlib.Path(f"results/{name}.txt").write_text(pathlib.Path("results/note/table.csv").read_text())
""")
    kept = {"cache": False, "persist": True}
    of_matrix = {
        "matrix": {"name": ["x", "y"]},
        "cmd": f"{shlex.quote(sys.executable)} stage.py ${{item.name}}",
        "deps": ["results/note/table.csv"],
        "outs": [{"results/${item.name}.txt": kept}],
        "meta": {"seconds": 9},
    }
    of_note = {
        "cmd": f"{shlex.quote(sys.executable)} stage.py note",
        "deps": ["code"],
        "params": ["note"],
        "outs": [{"results/note": kept}],
    }
    (repository / "dvc.yaml").write_text(json.dumps({"stages": {"part": of_matrix, "note": of_note}}))
    (repository / "params.yaml").write_text("note: {alpha: 1}\nother: 1\n")
    (repository / "code" / "__pycache__").mkdir(parents=True)
    (repository / "code" / "module.py").touch()
    (repository / ".dvcignore").write_text("# compiled\n__pycache__\n")
    assert not rerun(repository)
    assert sorted(runs(repository)) == ["note", "x", "y"]
    assert runs(repository)[0] == "note"

    (repository / "code" / "__pycache__" / "module.pyc").touch()
    (repository / "params.yaml").write_text("note: {alpha: 1}\nother: 2\n")
    assert not rerun(repository)
    assert sorted(runs(repository)[3:]) == ["x", "y"]

    (repository / "params.yaml").write_text("note: {alpha: 2}\nother: 2\n")
    assert not rerun(repository)
    assert sorted(runs(repository)[5:]) == ["note", "x", "y"]

    (repository / "code" / "module.py").write_text("1")
    (repository.parent / "mended").touch()
    assert rerun(repository)
    assert sorted(runs(repository)[8:]) == ["note", "x", "y"]
    assert dvc("status", "--json") == "{}\n"
    assert re.findall(r"^  (\S+):$", (repository / "dvc.lock").read_text(), re.MULTILINE) == [
        "part@x",
        "part@y",
        "note",
    ]


def test_what_is_changed_while_a_stage_runs_is_not_recorded_as_what_it_has_read(repository, capfd):
    (repository / "stage.py").write_text(
        STAGE + "if name == 'first': pathlib.Path('stage.py').open('a').write('#\\n')\n"
    )
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 1
    assert "files that they read or wrote were changed: first. Run the same command again" in capfd.readouterr().err
    assert [*json.loads(dvc("status", "--json"))] == ["first"]
    (repository / "stage.py").write_text(STAGE)
    assert main(["reproduce"]) == 0
    assert runs(repository) == ["first", "second", "first"]


def test_the_stage_on_which_the_longest_work_waits_begins_first(repository, monkeypatch):
    monkeypatch.setitem(pipeline.SLOTS, "core", 1)
    write_stages(
        repository,
        short=([], {"seconds": 1}),
        unknown=([], {}),
        long=([], {"seconds": 30}),
        source=([], {"seconds": 2}),
        longest=(["results/source.txt"], {"seconds": 40}),
        last=(["results/longest.txt", "results/short.txt"], {}),
    )
    assert rerun(repository)
    assert runs(repository) == ["source", "longest", "long", "short", "unknown", "last"]


MEET = """
import pathlib, sys, time
name = sys.argv[1]
pathlib.Path(f"../{name}").touch()
until = time.monotonic() + 60
while len(list(pathlib.Path("..").glob("side-*"))) < 3 and time.monotonic() < until:
    time.sleep(0.02)
pathlib.Path("results", f"{name}.txt").write_text(str(time.monotonic() < until))
"""


def test_stages_run_side_by_side_and_downloads_take_no_core(repository, monkeypatch):
    """Three stages wait until all three have begun."""
    monkeypatch.setattr(pipeline, "SLOTS", {"core": 2, "network": 1})
    (repository / "stage.py").write_text(MEET)
    write_stages(repository, **{"side-a": ([], {}), "side-b": ([], {}), "side-c": ([], {"waits_for": "network"})})
    assert rerun(repository)
    assert [(repository / "results" / f"side-{name}.txt").read_text() for name in "abc"] == ["True"] * 3


@pytest.mark.parametrize(("waits_for", "begun"), [("core", ["second", "other", "last"]), ("network", ["second"])])
def test_a_stage_that_fails_holds_up_what_depends_on_it_and_the_network_holds_up_all(
    repository, monkeypatch, capfd, waits_for, begun
):
    monkeypatch.setattr(pipeline, "SLOTS", {"core": 1, "network": 1})
    write_stages(
        repository,
        second=([], {"seconds": 9, "waits_for": waits_for}),
        never=(["results/second.txt"], {"seconds": 8}),
        other=([], {"waits_for": waits_for}),
        last=(["results/other.txt"], {}),
    )
    assert not rerun(repository)
    assert runs(repository) == begun
    said = capfd.readouterr().err
    assert "the second stage is broken" in said
    assert "stage second failed: its command ended with status 1" in said


def test_a_stage_that_leaves_out_an_output_has_failed(repository, capfd):
    (repository / "stage.py").write_text("")
    (repository / "results" / "first.txt").unlink()
    assert main(["reproduce"]) == 1
    said = capfd.readouterr().err
    assert "stage first failed" in said
    assert "first.txt" in said
    assert not (repository / "dvc.lock").exists()


def test_a_second_run_in_the_folder_is_refused_and_touches_nothing(repository, capfd):
    files = [repository / name for name in ("dvc.lock", JOURNAL, "results/first.txt", "results/second.txt")]
    for number, file in enumerate(files):
        file.parent.mkdir(exist_ok=True)
        file.write_text(str(number))
        os.utime(file, (0, 0))
    code = "import sys, pathlib; from course.results.reproduce import alone\n"
    code += "with alone(pathlib.Path()): print('begun', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"begun\n"
        assert main(["reproduce"]) == 1
        other.stdin.close()
    said = capfd.readouterr().err
    assert "another run is under way in this folder. Wait for it, or end it" in said
    assert "git checkout" not in said
    assert [file.read_text() for file in files] == ["0", "1", "2", "3"]
    assert not any(file.stat().st_mtime for file in files), "removed and put back"
    assert not (repository.parent / "log").exists()


def test_another_command_of_dvc_is_waited_for_and_what_was_done_is_recorded_later(repository, capfd, monkeypatch):
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    before = (repository / "dvc.lock").read_text()
    (repository / "stage.py").write_text(STAGE + "#\n")
    monkeypatch.setattr(lockfile, "PATIENCE", 0)
    with (repository / ".dvc" / "tmp" / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        capfd.readouterr()
        assert main(["reproduce"]) == 1
    assert "dvc.lock was not written: another command of DVC is under way" in capfd.readouterr().err
    assert (repository / "dvc.lock").read_text() == before

    monkeypatch.undo()
    monkeypatch.chdir(repository)
    lock = (repository / ".dvc" / "tmp" / "lock").open("a")
    fcntl.flock(lock, fcntl.LOCK_EX)
    monkeypatch.setattr(lockfile.tqdm, "write", lambda *_, **__: lock.close())  # as soon as it says that it waits
    assert main(["reproduce"]) == 0
    assert runs(repository) == ["first", "second"] * 2
    assert dvc("status", "--json") == "{}\n"


def test_a_lock_that_a_killed_run_has_left_half_written_is_put_back(repository):
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    lock = repository / "dvc.lock"
    shutil.copy(lock, repository / lockfile.ASIDE)
    text = lock.read_text()
    lock.write_text(text[:50])
    write_stages(repository, first=(["stage.py"], {}), second=(["missing"], {}))
    assert main(["reproduce"]) == 1
    assert lock.read_text() == text
    assert not (repository / lockfile.ASIDE).exists()


@pytest.mark.parametrize("written", [0, 10, 33])
def test_a_lock_that_dvc_itself_has_left_half_written_is_written_anew(repository, capfd, written):
    (repository.parent / "mended").touch()
    assert main(["reproduce"]) == 0
    lock = repository / "dvc.lock"
    text = lock.read_text()
    lock.write_text(text[:written])
    assert main(["reproduce"]) == 0
    assert lock.read_text() == text
    assert "dvc.lock is damaged" in capfd.readouterr().err


def test_a_folder_that_dvc_cannot_open_is_not_touched(repository, capfd):
    (repository / "dvc.lock").write_text("as it was")
    (repository / ".dvc" / "config").write_text("[core\n")
    assert main(["reproduce"]) == 1
    assert "error: dvc: " in capfd.readouterr().err
    assert (repository / "dvc.lock").read_text() == "as it was"


def test_no_other_run_begins_before_the_results_are_compared(repository, monkeypatch):
    (repository.parent / "mended").touch()

    def compared(root):
        with pytest.raises(ResultsError, match="another run"), reproduce.alone(root):
            pass
        return {"results/first.txt": Verdict("identical")}

    monkeypatch.setattr(reproduce, "check", compared)
    assert main(["reproduce"]) == 0


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system does not tie processes to cores")
def test_as_many_stages_run_at_a_time_as_the_process_has_cores():
    one = min(os.sched_getaffinity(0))
    code = f"import os; os.sched_setaffinity(0, {{{one}}}); from course.results.pipeline import SLOTS; print(SLOTS)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert "'core': 1," in said


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_run_that_is_ended_takes_its_stages_with_it(repository, number, status):
    """The stage, a child of a shell, holds a lock as long as it lives."""
    (repository / "stage.py").write_text("""
import fcntl, time
with open("../stage", "w") as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    print("begun", file=file, flush=True)
    time.sleep(60)
""")
    lock = "schema: '2.0'\nstages: {}\n"
    (repository / "dvc.lock").write_text(lock)
    # Tests in the background of a shell ignore Ctrl-C, and so would what they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    run = subprocess.Popen([sys.executable, "-m", "course", "reproduce"], stderr=subprocess.DEVNULL)
    signal.signal(signal.SIGINT, before)
    stage = repository.parent / "stage"
    until(lambda: stage.exists() and stage.read_text())
    assert not free(stage)
    run.send_signal(number)
    assert run.wait(timeout=30) == status
    until(lambda: free(stage))
    assert (repository / "dvc.lock").read_text() == lock


@pytest.mark.parametrize(
    ("command", "said"), [("exit 7", "status 7"), ("true", ""), ("test -p /dev/stdin", "status 1")]
)
def test_a_stage_ends_with_the_status_of_its_command(repository, capfd, command, said):
    (repository / "dvc.yaml").write_text(json.dumps({"stages": {"only": {"cmd": command}}}))
    assert rerun(repository) == (not said)
    assert capfd.readouterr().err == (f"stage only failed: its command ended with {said}\n" if said else "")


def test_a_stage_takes_its_guard_with_it(repository):
    """While the next one runs, no process of the process group of the first is left."""
    (repository / "stage.py").write_text("""
import os, pathlib, sys, time
pathlib.Path("../group").write_text(str(os.getpgid(0))) if sys.argv[1] == "first" else None
group, until = int(pathlib.Path("../group").read_text()), time.monotonic() + 60
while sys.argv[1] == "second" and time.monotonic() < until:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        break
    time.sleep(0.02)
pathlib.Path("results", f"{sys.argv[1]}.txt").write_text(str(time.monotonic() < until))
""")
    assert rerun(repository)
    assert (repository / "results" / "second.txt").read_text() == "True"


def until(holds, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def free(file):
    """Whether no process holds a lock on the file."""
    with file.open() as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_every_stage_runs_and_a_result_that_differs_is_found(repository, capfd):
    (repository.parent / "mended").touch()
    dvc("repro")
    assert main(["check"]) == 0
    (repository / "results" / "first.txt").write_text("first 0.6\n")
    (repository / "results" / "old.txt").touch()
    assert main(["check"]) == 1
    git("add", "results", "dvc.lock")
    git("commit", "--quiet", "--message", "Tampered")
    assert main(["check"]) == 0
    (repository / JOURNAL).parent.mkdir(exist_ok=True)
    (repository / JOURNAL).write_text("{")  # nothing that a run would leave
    (repository / "results" / "old.txt").unlink()
    (repository / "results" / "new.txt").touch()
    capfd.readouterr()

    assert main(["reproduce"]) == 1
    said = capfd.readouterr()
    assert runs(repository) == ["first", "second", "first", "second"]
    assert said.out.split("\n\n")[-2].strip().splitlines() == [
        "results/first.txt   different  line 1: 'first 0.6' became 'first 0.5'",
        "results/new.txt     new        written by the run, but not committed",
        "results/old.txt     missing    committed, but not written by the run",
        "results/second.txt  identical",
    ]
    assert "3 of 4 results differ" in said.err


def test_without_a_commit_there_is_nothing_to_compare_with(results, capsys, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(results.parent.parent))
    assert main(["check"]) == 1
    assert "git ls-tree failed" in capsys.readouterr().err


# --- validate ---


@pytest.fixture
def executed(tmp_path, monkeypatch):
    """The folder of an executed notebook, and an environment of which nothing must reach the kernel."""
    startup = tmp_path / "ipython" / "profile_default" / "startup" / "leak.py"
    startup.parent.mkdir(parents=True)
    startup.write_text("print = lambda *_, **__: None")
    folder = tmp_path / "project" / "results" / "mail"
    folder.mkdir(parents=True)
    (folder / "metrics.json").touch()
    (tmp_path / "project" / "dvc.yaml").write_text("stages: {}\n")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv(OUTPUT, str(folder))
    outputs = {
        "import os, sys\nprint(os.environ.get('PROBML_OUTPUT'))\nprint('noise', file=sys.stderr)": "None\n",
        "import pathlib\nprint(*pathlib.Path().glob('*.json'))\npathlib.Path('scratch').touch()": "\n",
        "print(object())": "<object object at 0x...>\n",
        "one = 1": "",
        "print(one + one)": "2\n",
    }
    cells = [
        new_code_cell(source, execution_count=number, outputs=[new_output("stream", text=text)] if text else [])
        for number, (source, text) in enumerate(outputs.items(), start=1)
    ]
    text, _ = normal.executed(new_notebook(cells=cells))
    (folder / "notebook.ipynb").write_text(text)
    return folder


def content_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_right_outputs_are_valid_and_nothing_is_written(executed):
    before = content_in(executed)
    validate(executed.parent.parent, workers=0)
    assert content_in(executed) == before


def test_an_output_that_was_tampered_with_is_found(executed, capfd):
    notebook = executed / "notebook.ipynb"
    notebook.write_text(notebook.read_text().replace('"2\\n"', '"3\\n"'))
    with pytest.raises(ResultsError, match="not those of a fresh run"):
        validate(executed.parent.parent, workers=0)
    report = capfd.readouterr().out
    assert "1 failed, 4 passed" in report
    assert "mail/notebook.ipynb::Cell 4" in report


@pytest.fixture
def reproduced(executed):
    """The project of `executed` after `make reproduce`, with `mail` a note of 20 seconds that reads its source."""
    root = executed.parent.parent
    stage = {"cmd": "true", "deps": ["mail.ipynb"], "outs": ["results/mail"], "meta": {"seconds": 20}}
    (root / "dvc.yaml").write_text(json.dumps({"stages": {"mail": stage}}))
    (root / "mail.ipynb").write_text("source")
    journal, stage = Journal(root), graph.read_stages(root)["mail"]
    journal.add(stage, journal.read_by(stage), journal.written_by(stage))
    journal.complete()
    return root


def test_a_long_notebook_that_was_just_reproduced_is_not_executed_again(reproduced, capfd):
    validate(reproduced, workers=0)
    said = capfd.readouterr()
    assert "not run again: mail" in said.err
    assert "passed" not in said.out


def test_an_output_that_was_changed_after_the_reproduction_is_found(reproduced, capfd):
    notebook = reproduced / "results/mail/notebook.ipynb"
    notebook.write_text(notebook.read_text().replace('"2\\n"', '"3\\n"'))
    with pytest.raises(ResultsError, match="not those of a fresh run"):
        validate(reproduced, workers=0)
    assert "1 failed, 4 passed" in capfd.readouterr().out


@pytest.mark.parametrize("change", ["source", "other result", "Python", "short", "under way"])
def test_a_notebook_is_executed_again_unless_all_is_as_it_was(reproduced, monkeypatch, capfd, change):
    if change == "source":
        (reproduced / "mail.ipynb").write_text("another source")
    elif change == "other result":
        (reproduced / "results/mail/metrics.json").write_text("1")
    elif change == "Python":
        monkeypatch.setattr(sys, "version", "4.0")
    elif change == "short":
        file = reproduced / "dvc.yaml"
        file.write_text(file.read_text().replace("20", "19"))
    else:  # a run that was interrupted is not complete
        (reproduced / COMPLETE).rename(reproduced / JOURNAL)
    validate(reproduced, workers=0)
    assert "5 passed" in capfd.readouterr().out


def test_the_notebooks_that_take_longest_are_validated_first(tmp_path):
    for name in ("a", "b", "c", "d"):
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "notebook.ipynb").touch()
    stages = {"a": {}, "b": {"meta": {"seconds": 20}}, "c": {"meta": {"seconds": 100}}}
    (tmp_path / "dvc.yaml").write_text(json.dumps({"stages": stages}))
    assert longest_first(tmp_path) == ["c", "b", "a", "d"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"stages: [\n", "not valid YAML (line 2, column 1: "),
        (b"stages: {caf\xe9: 1}\n", "not UTF-8 (byte 12: "),
        (b"stages: \x00\n", "not valid YAML (unacceptable character"),
        (b"", "has no section 'stages'"),
        (b"[]", "has no section 'stages'"),
        (b"stages: 5\n", "has no section 'stages'"),
    ],
)
def test_a_pipeline_that_cannot_be_read_is_named(executed, monkeypatch, capsys, content, problem):
    monkeypatch.chdir(executed.parent.parent)
    before = content_in(executed)
    (executed.parent.parent / "dvc.yaml").write_bytes(content)
    assert main(["validate"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert "dvc.yaml" in said
    assert problem in said
    assert "git checkout" in said
    assert content_in(executed) == before


@pytest.mark.parametrize("stages", [{"a": 5, "b": {"meta": 5}}, {"a": {"meta": {"seconds": "x"}}, "b": {"meta": []}}])
def test_what_is_not_understood_in_a_stage_says_nothing_of_its_time(tmp_path, stages):
    for name in ("a", "b"):
        (tmp_path / "results" / name).mkdir(parents=True)
        (tmp_path / "results" / name / "notebook.ipynb").touch()
    (tmp_path / "dvc.yaml").write_text(json.dumps({"stages": stages}))
    assert longest_first(tmp_path) == ["a", "b"]


def test_no_variable_of_the_user_changes_what_is_validated(executed, monkeypatch, capfd):
    """Neither what kernels do with assertions nor what pytest looks at."""
    notebook = executed / "notebook.ipynb"
    notebook.write_text(notebook.read_text().replace('"one = 1"', '"one = 1; assert one == 2"'))
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--collect-only")
    with pytest.raises(ResultsError, match="not those of a fresh run"):
        validate(executed.parent.parent, workers=0)
    assert "AssertionError" in capfd.readouterr().out


def test_there_has_to_be_something_to_validate(tmp_path):
    (tmp_path / "dvc.yaml").write_text("stages: {}\n")
    with pytest.raises(ResultsError, match="no executed notebook"):
        validate(tmp_path)


def test_outside_a_clone_nothing_is_touched(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dvc.yaml").write_text("stages: {}\n")
    (tmp_path / "dvc.lock").write_text("as it was")
    assert main(["reproduce"]) == 1
    assert "work in a git clone" in capsys.readouterr().err
    assert (tmp_path / "dvc.lock").read_text() == "as it was"


def test_a_failure_before_the_first_stage_says_why_and_leaves_the_lock(repository, capfd):
    (repository / "dvc.lock").write_text("as it was")
    (repository / "dvc.yaml").write_text("stages: [\n")
    assert main(["reproduce"]) == 1
    assert "dvc.yaml" in capfd.readouterr().err  # DVC's own message
    assert (repository / "dvc.lock").read_text() == "as it was"


@pytest.mark.parametrize("content", [b"stages: [\n", b"stages: caf\xe9\n", b"5\n", b"stages: {first: 5}\n"])
def test_a_pipeline_that_dvc_cannot_read_runs_nothing(repository, capfd, content):
    (repository / "dvc.yaml").write_bytes(content)
    assert main(["reproduce"]) == 1
    (said,) = capfd.readouterr().err.splitlines()
    assert said.startswith("error: dvc: ")
    assert "dvc.yaml" in said
    assert said.endswith("Correct it, or bring the file back with git checkout: nothing was touched.")
    assert not (repository.parent / "log").exists()
    assert (repository / "dvc.yaml").read_bytes() == content


@pytest.mark.parametrize(
    ("stages", "problem"),
    [
        ({"a": {"deps": ["x"]}}, "required key not provided"),
        ({"a": {"cmd": "true", "speed": 1}}, "extra keys not allowed"),
        (
            {"a": {"cmd": "true", "deps": ["b"], "outs": ["a"]}, "b": {"cmd": "true", "deps": ["a"], "outs": ["b"]}},
            "both a dependency and an output",
        ),
        ({"a": {"cmd": "true", "outs": ["x"]}, "b": {"cmd": "true", "outs": ["x"]}}, "x"),
        ({"a": {"cmd": ["true", "false"]}}, "the stage 'a' has no command `cmd` of one text"),
        ({"a": {"cmd": "true", "wdir": "results"}}, "the stage 'a' has 'wdir'"),
        ({"a": {"cmd": "true", "params": [{"other.yaml": ["x"]}]}}, "{'other.yaml': ['x']} where one text is expected"),
        ({"a": {"matrix": {"x": [1]}, "cmd": "echo ${item.x}"}}, "the stage 'a' has a `matrix`"),
    ],
)
def test_stages_that_cannot_be_run_are_named_before_anything_is_touched(repository, capfd, stages, problem):
    (repository / "dvc.yaml").write_text(json.dumps({"stages": {**stages, "log": {"cmd": "touch ../log"}}}))
    assert main(["reproduce"]) == 1
    (said,) = capfd.readouterr().err.splitlines()
    assert problem in said
    assert said.endswith("nothing was touched.")
    assert not (repository.parent / "log").exists()


def test_an_error_of_the_system_is_one_message(results, capsys, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "results/ledger.json")

    monkeypatch.setattr("course.results.ledger.write", full)
    assert main(["ledger"]) == 1
    assert capsys.readouterr().err.startswith("error: [Errno 28] No space left on device: 'results/ledger.json'.")
