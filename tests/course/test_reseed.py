"""Notes under other seeds: how often each check holds is counted, and no other error passes for a failed check.

Without this, a sentence that holds for one seed only could pass for a finding.
"""

import ast
import json

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course.__main__ import main
from course.errors import ClaimError
from course.form import collect
from course.form.collect import FILE, Transformer, checked, claimed, fingerprint
from course.form.reseed import Count, add, outcomes_in, report
from course.notebook import normal
from course.notebook.record import OUTPUT

# --- assertions that let a cell go on ---


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(OUTPUT, str(tmp_path))
    monkeypatch.setattr(collect, "_seen", set())
    return tmp_path


def executed(source, folder, **names):
    """What a cell does once its assertions are collected: its names, and the outcomes by their lines."""
    transformer = Transformer()
    transformer.source = source
    tree = transformer.visit(ast.parse(source))
    namespace = {"__checked__": checked, "__claimed__": claimed, **names}
    exec(compile(tree, "cell", "exec"), namespace)
    file = folder / FILE
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []
    assert {entry["cell"] for entry in entries} <= {fingerprint(source)}
    return namespace, [(entry["line"], entry["text"], entry["holds"]) for entry in entries]


def test_an_assertion_that_fails_lets_the_cell_go_on(folder):
    names, outcomes = executed("assert 1 == 2, 'no'\nassert 2 == 2\ndone = True", folder)
    assert names["done"]
    assert outcomes == [(1, "assert 1 == 2, 'no'", False), (2, "assert 2 == 2", True)]


def test_an_assertion_in_a_loop_or_a_function_is_one(folder):
    source = "def f(x):\n    assert x < 3\n\n\nfor x in range(6):\n    f(x)\n    assert (\n        x >= 0\n    )"
    _, outcomes = executed(source, folder)
    assert sorted(outcomes) == [(2, "assert x < 3", False), (2, "assert x < 3", True), (7, "assert ( x >= 0 )", True)]


def test_assertions_of_numpy(folder):
    source = (
        "import numpy as np\nfrom numpy.testing import assert_equal\n"
        "np.testing.assert_allclose(1, 1.5)\nassert_equal(1, 1)\nnp.testing.measure = print('plain call')"
    )
    _, outcomes = executed(source, folder)
    assert [(line, holds) for line, _, holds in outcomes] == [(3, False), (4, True)]


def test_other_errors_are_no_assertions(folder):
    with pytest.raises(ZeroDivisionError):
        executed("assert 1 / 0", folder)


def test_a_claim_that_differs_lets_the_cell_go_on(folder):
    class Record:
        def claim(self, id, *, ours):  # noqa: A002
            if ours != 1:
                raise ClaimError(f"claim {id}: differs")
            return f"{id} agrees"

    source = "said = [record.claim('a', ours=1), record.claim('b', ours=2)]"
    names, outcomes = executed(source, folder, record=Record())
    assert names["said"] == ["a agrees", "claim b: differs"]
    assert [(text.partition(":")[0], holds) for _, text, holds in outcomes] == [("claim a", True), ("claim b", False)]


# --- counts ---


def testoutcomes_of_a_run(folder):
    notebook = new_notebook(cells=[new_markdown_cell("Text"), new_code_cell("assert x"), new_code_cell("assert y")])
    for cell, holds in (("assert y", True), ("assert x", True), ("assert x", False)):
        with checked(fingerprint(cell), 1, cell):
            assert holds
    sentences = [{"sentence": "A.", "holds": True}, {"sentence": "B.", "holds": False, "this run": True}]
    (folder / "checks.json").write_text(json.dumps(sentences))
    outcomes = outcomes_in(folder, notebook)
    assert list(outcomes.items()) == [
        (("cell 2, line 1: assert x", False), False),
        (("cell 3, line 1: assert y", False), True),
        (("A.", False), True),
        (("B.", True), False),
    ]
    counts = {}
    assert add(counts, outcomes, seed=3) == 2
    assert add(counts, {("A.", False): True}, seed=4) == 0
    assert counts["A.", False] == Count("A.", marked=False, held=2)
    assert counts["B.", True] == Count("B.", marked=True, failed_with=[3])


def test_the_table():
    counts = [
        Count("Always.", marked=False, held=3),
        Count("Sometimes.", marked=False, held=1, failed_with=[2, 3]),
        Count("Late.", marked=False, held=2),
        Count("Here.", marked=True, held=0, failed_with=[1, 2, 3]),
    ]
    assert report("mail", [1, 2, 3], counts, {3: "cell 9 raised ValueError: no"}).splitlines() == [
        "mail, seeds 1, 2, 3: 2 of 3 checks hold whenever reached",
        "",
        "✓ 3 of 3  Always.",
        "✗ 1 of 3  Sometimes.  [fails with seed 2, 3]",
        "✓ 2 of 2 (reached 2 times)  Late.",
        "",
        "marked as facts of one run:",
        "✗ 0 of 3  Here.  [fails with seed 1, 2, 3]",
        "",
        "runs that did not come to their end:",
        "seed 3: cell 9 raised ValueError: no",
    ]


# --- the command ---


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "dvc.yaml").touch()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "results" / "mail").mkdir(parents=True)
    (tmp_path / "results" / "mail" / "checks.json").write_text("earlier")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project, *sources, declares="seed = 0"):
    cells = [new_code_cell(declares, id="parameters", metadata={"tags": ["parameters"]})]
    cells += [new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources)]
    (project / "notebooks" / "mail.ipynb").write_text(normal.source(new_notebook(cells=cells)))
    (project / "params.yaml").write_text("mail: {seed: 2}\n" if "seed" in declares else "mail: {}\n")


CHECKS = """
from course.notebook import Record
record = Record()
record.check("The seed is odd.", seed % 2 == 1)
record.check("It is one.", seed == 1, this_run=True)
record.metrics("seed", {"seed": seed})
"""


def test_a_note_with_other_seeds(project, capfd):
    write(project, CHECKS, "assert seed < 4\nassert seed > 0", "if seed == 4:\n    raise ValueError('too large')")
    assert main(["reseed", "mail", "--seeds", "3"]) == 0
    said = capfd.readouterr()
    assert said.out.splitlines() == [
        "mail, seeds 1, 3, 4: 1 of 3 checks hold whenever reached",
        "",
        "✗ 2 of 3  cell 3, line 1: assert seed < 4  [fails with seed 4]",
        "✓ 3 of 3  cell 3, line 2: assert seed > 0",
        "✗ 2 of 3  The seed is odd.  [fails with seed 4]",
        "",
        "marked as facts of one run:",
        "✗ 1 of 3  It is one.  [fails with seed 3, 4]",
        "",
        "runs that did not come to their end:",
        "seed 4: cell 4 raised ValueError: too large",
    ]
    assert "mail: seed 1 ... 4 of 4 checks hold, " in said.err
    assert "mail: seed 4 ... 1 of 4 checks hold, " in said.err
    assert [path.name for path in (project / "results").rglob("*")] == ["mail", "checks.json"]
    assert (project / "results" / "mail" / "checks.json").read_text() == "earlier"
    assert not (project / ".work").exists()


@pytest.mark.parametrize(("first", "status"), [("1", 0), ("3", 1)])
def test_strict(project, capfd, first, status):
    """Marked sentences may fail."""
    write(project, "assert seed < 3", CHECKS)
    assert main(["reseed", "mail", "--seeds", "1", "--first", first, "--strict"]) == status
    error = "error: mail: with other seeds 1 check(s) that are not marked fail, and 0 run(s) do not come to their end"
    assert (error in capfd.readouterr().err) == bool(status)


def test_a_note_without_a_seed(project, capsys):
    write(project, declares="")
    assert main(["reseed", "mail"]) == 0
    assert capsys.readouterr().out.startswith("mail has no parameter 'seed': it is free of chance")


@pytest.mark.parametrize("option", ["--seeds", "--first"])
def test_numbers_that_are_none(project, capsys, option):
    with pytest.raises(SystemExit):
        main(["reseed", "mail", option, "0"])
    assert "expected a whole number, 1 or more, received '0'" in capsys.readouterr().err
