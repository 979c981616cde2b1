"""The repository as a whole: what dvc.yaml declares, what the code uses and what lies in results/ must be the same."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
import yaml

from course.datasets import names
from course.notebook import normal, parameters
from course.results.graph import prerequisites, read_stages
from course.results.ledger import collect, conclusions, summary
from course.stages import closure, code_of, code_used_by, data_named_in, dvc_yaml, imported

ROOT = Path(__file__).parents[2]
STAGES = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


def files_of(stage, kind):
    return [next(iter(each)) if isinstance(each, dict) else each for each in stage.get(kind, [])]


def stages():
    """All stages, those of a matrix written out."""
    for name, stage in STAGES.items():
        if "matrix" in stage:
            ((key, values),) = stage["matrix"].items()
            for value in values:
                text = yaml.safe_dump(stage).replace("${item." + key + "}", value)
                yield f"{name}@{value}", yaml.safe_load(text)
        else:
            yield name, stage


def test_stages_say_in_meta_what_the_order_of_a_run_depends_on():
    for name, stage in stages():
        meta = stage.get("meta", {})
        assert meta.keys() <= {"seconds", "waits_for"}, name
        assert meta.get("seconds", 1) > 0, name
        assert meta.get("waits_for", "core") == ("network" if name.startswith("data@") else "core"), name


def test_dvc_yaml_is_what_the_notes_ask_for():
    assert (ROOT / "dvc.yaml").read_text(encoding="utf-8") == dvc_yaml(ROOT), "run: python -m course stages"


def test_stages_wait_for_each_other_as_dvc_has_it():
    said = subprocess.run([sys.executable, "-m", "dvc", "dag", "--dot"], cwd=ROOT, capture_output=True, text=True)
    stages = read_stages(ROOT)
    assert set(re.findall(r'^"([^"]*)";$', said.stdout, re.MULTILINE)) == stages.keys()
    edges = {(before, name) for name, all_before in prerequisites(stages).items() for before in all_before}
    assert set(re.findall(r'^"(.*)" -> "(.*)";$', said.stdout, re.MULTILINE)) == edges


def test_dvc_is_used_by_its_commands_only():
    """Nothing that can be imported from it is public, but for `dvc.api`."""
    files = [file for package in ("course", "probml") for file in (ROOT / package).rglob("*.py")]
    users = [file for file in files if any(re.match(r"dvc\b", name) for name in imported(file.read_text("utf-8")))]
    assert users == []


def test_closure_sees_what_an_import_executes():
    files = {file.relative_to(ROOT).as_posix() for file in closure(ROOT, "course.studies.sweeps")}
    assert {"course/studies/__init__.py", "probml/naive_bayes/base.py", "course/datasets/wheels.py"} <= files
    assert "course/results/ledger.py" not in files


def test_a_stage_depends_on_whole_packages():
    used = code_used_by(ROOT, "course.studies.sweeps")
    assert {"course/studies/corpus.py", "course/studies/sweeps.py", "probml/naive_bayes"} <= set(used)
    assert "course/studies/spam" in code_used_by(ROOT, "course.studies.spam.costs")


def test_data_that_a_note_names():
    assert data_named_in("datasets.load('sonar'), load(\"r8\")  # not pima") == ["r8", "sonar"]
    assert data_named_in("for name in names(on_demand=False): ...") == names(on_demand=False)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_source(name):
    path = ROOT / "notebooks" / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    assert path.read_text(encoding="utf-8") == normal.source(notebook), (
        f"run: python -m course strip notebooks/{name}.ipynb"
    )
    parameters.check(name, parameters.declared(notebook, name), parameters.given(ROOT / "params.yaml", name))
    defined = [n.name for n in ast.walk(ast.parse(code_of(path))) if isinstance(n, ast.ClassDef)]
    assert not defined, "notebooks explain, call and plot; classes belong into the package"


def test_params_has_no_section_that_nobody_reads():
    assert sorted(yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))) == NOTEBOOKS


def test_outputs_survive_a_failing_stage_and_stay_out_of_the_cache():
    for name, stage in stages():
        for out in [*stage.get("outs", []), *stage.get("metrics", []), *stage.get("plots", [])]:
            (file, options), *_ = out.items()
            assert options == {"cache": False, "persist": True}, f"{name}: {file}"


def test_results_are_what_the_stages_declare():
    declared = {out for _, stage in stages() for kind in ("outs", "metrics", "plots") for out in files_of(stage, kind)}
    present = {path.relative_to(ROOT) for path in (ROOT / "results").rglob("*") if path.is_file()}
    declared.add("results/claims")  # by `make claims`, which takes hours and so is no stage
    undeclared = {file for file in present if not declared & {file.as_posix(), file.parent.as_posix()}}
    assert undeclared == set(), "files in results/ that no stage declares"
    assert [out for out in declared if not (ROOT / out).exists()] == [], "outputs that are not there"


def test_the_committed_lock_is_that_of_the_committed_code():
    status = subprocess.run(
        [sys.executable, "-m", "dvc", "status", "--json"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(status.stdout or "{}") == {}, "run `dvc repro` and commit results/ and dvc.lock"


def test_every_data_set_has_a_stage():
    assert sorted(STAGES["data"]["matrix"]["name"]) == names(on_demand=False)


def test_results_are_small():
    for folder in (ROOT / "results").iterdir():
        assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 5e6, folder.name


def test_executed_notebooks_keep_no_trace_of_the_machine():
    for path in (ROOT / "results").rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert str(Path.home()) not in text
        assert str(ROOT) not in text
        notebook = json.loads(text)
        assert notebook["metadata"]["language_info"] == {"name": "python"}
        assert not any(cell["metadata"].keys() - {"tags"} for cell in notebook["cells"])


def test_readme_shows_the_summary_of_the_ledger():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    expected = summary(collect(ROOT / "results"))
    assert expected in readme, f"the summary in README.md is out of date; it should be:\n{expected}"
    for name in NOTEBOOKS:
        assert f"results/{name}/notebook.ipynb" in readme


def test_the_ledger_says_of_each_source_what_may_be_concluded():
    published = [claim for claim in collect(ROOT / "results") if claim["attested"] != "computed"]
    assert set(conclusions()) == {claim["source"] for claim in published}
    page = " ".join((ROOT / "results/LEDGER.md").read_text(encoding="utf-8").split())
    for source, conclusion in conclusions().items():
        assert f"## {source} {conclusion} | quantity" in page


def test_ci_runs_what_the_readme_prints():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    for command in ("make reproduce", "make test"):
        assert re.search(rf"^{command} ", readme, re.MULTILINE)
        assert command in ci
        assert f"- run: {command}" in workflow
    assert ci[-2:] == ["make site-test", "make claims-sample"]
    assert "- run: make site-test\n      - run: make claims-sample\n" in workflow


def test_links_in_the_documents_lead_somewhere():
    for document in ("README.md", "CONTRIBUTING.md", "data/README.md", "results/LEDGER.md"):
        path = ROOT / document
        for target in re.findall(r'\]\(([^)#]+)\)|src="([^"]+)"', path.read_text(encoding="utf-8")):
            link = "".join(target)
            assert "://" in link or (path.parent / link).exists(), f"{document}: {link}"


@pytest.mark.parametrize("folder", ["probml", "course", "project", "site"])
def test_every_test_file_begins_with_a_sentence(folder):
    """On what it protects, so that whoever sees it fail, or wants to change it, knows what is at stake."""
    paths = sorted((ROOT / "tests" / folder).rglob("test_*.py"))
    assert paths
    for path in paths:
        said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        assert re.search(r"\w+ \w+.*[.?]$", said, re.DOTALL), f"{path.relative_to(ROOT)} does not say what it protects"


def test_make_without_a_target_says_what_there_is():
    help_text = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^make ([\w-]+)", help_text, re.MULTILINE) == [
        "reproduce",
        "test",
        "site",
        "site-zip",
        "site-test",
        "screenshots",
        "lab",
        "data",
        "bench",
        "claims",
        "claims-sample",
        "faults",
        "mutants",
        "lock",
        "clean",
    ]
