"""The campaign of `make faults` in short: a few kills at given moments, and that it sees what it looks for."""

import signal

import pytest
from faults import COMMANDS, FILES, Kill, Project, plan, survives

RUN, REPRO, REPRODUCE = COMMANDS


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("faults") / "project")


@pytest.mark.parametrize(
    "kill",
    [
        Kill((RUN, RUN), signal.SIGKILL, group=False, both=False, between=0.4, after=0.5, next=RUN),
        Kill((REPRO,), signal.SIGTERM, group=False, both=False, between=0, after=0.5, next=REPRO),
        Kill((REPRODUCE,), signal.SIGKILL, group=True, both=False, between=0, after=0.6, next=REPRODUCE),
    ],
    ids=lambda kill: kill.kind,
)
def test_results_are_whole_after_a_kill(project, kill):
    assert survives(project, kill) == []


def test_missing_and_mixed_results_are_seen(project):
    assert project.problems() == project.problems_of_ledger() == []
    word = (project.root / "results/one/metrics-0.json").read_text()
    other = (project.root / "results/two/metrics-0.json").read_text()
    spoilt = {"results/one/metrics-0.json": other, "results/one/table.csv": "", "results/LEDGER.md": "word-1-a"}
    before = {file: (project.root / file).read_text() for file in spoilt}
    for file, text in spoilt.items():
        (project.root / file).write_text(text)
    missing, mixed = project.problems()
    assert missing == "one: missing or empty: table.csv"
    assert mixed.startswith("one: mixed: word-")
    assert project.problems_of_ledger()
    for file, text in before.items():
        (project.root / file).write_text(text)
    assert word != other
    project.next_trial()
    expected = [f"{note}: expected trial {project.trial}, found word-" for note in ("one", "two")]
    found = project.problems(of_this_trial=("one", "two"))
    assert all(problem.startswith(start) for problem, start in zip(found, expected, strict=True))


def test_the_plan_is_of_many_kinds_and_the_same_each_time():
    kills = plan(0, 60)
    assert kills == plan(0, 60) != plan(1, 60)
    assert {kill.number for kill in kills} == {signal.SIGKILL, signal.SIGTERM}
    assert {kill.commands for kill in kills} == {(a,) for a in COMMANDS} | {(a, b) for a in COMMANDS for b in COMMANDS}
    assert {kill.next for kill in kills} == set(COMMANDS)
    assert {kill.group for kill in kills} == {kill.both for kill in kills} == {True, False}
    assert len(FILES) == 9
