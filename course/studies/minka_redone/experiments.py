"""The runs of the note: Minka's three experiments, with one part of a solver changed at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from course.studies.minka_redone import minka
from course.studies.minka_redone.iterative_scaling import iterative_scaling
from course.studies.minka_redone.newton_on_a_line import (
    bounded,
    conjugate,
    newton_on_a_line,
    polak_ribiere,
    quasi_newton,
    wolfe_on_a_line,
)
from course.studies.races.problems import Problem, dirichlet, gaussian
from course.studies.races.race import SOLVERS, Course, Solver, course, minimum, race

Array = NDArray[np.float64]
Costs = dict[str, Array]  # of each solver, one value for each data set

# Operations to a gap of 1e-5 per example in experiment 1 with d = 100, read by eye from a logarithmic axis.
PUBLISHED = {"conjugate gradient": 3e6, "BFGS": 1.5e7, "fixed Hessian": 1.5e7, "Newton": 3e7, "coordinate Newton": 4e7}
READING_ERROR = 10**0.1  # a tenth of a decade either way
OURS, SEARCH, START, COUNT = "ours", "+ line search", "+ start, β", "+ count"
NOT_IN_THE_PAPER = ("L-BFGS", "Newton-CG")
ROBUST = ("conjugate gradient", "BFGS", "fixed Hessian", "Newton")  # those that run in all three experiments
LIMITS = {"coordinate Newton": 250, "fixed Hessian": 3000, "conjugate gradient": 500}

# The package's solvers with the line search of his programs, and nothing else of them.
HIS_SEARCH: Mapping[str, Solver] = {
    "conjugate gradient": partial(newton_on_a_line, direction=polak_ribiere),
    "BFGS": partial(newton_on_a_line, direction=partial(quasi_newton, scaled=True)),
    "fixed Hessian": partial(newton_on_a_line, direction=bounded),
}
# Then also BFGS from G = I, and β of Hestenes and Stiefel: all of his programs but the count.
HIS: Mapping[str, Solver] = {
    "conjugate gradient": partial(newton_on_a_line, direction=conjugate),
    "BFGS": partial(newton_on_a_line, direction=quasi_newton),
    "fixed Hessian": HIS_SEARCH["fixed Hessian"],
}
# BFGS by first matrix and line search.
BFGS: Mapping[tuple[str, str], Solver] = {
    ("scaled", "Wolfe"): SOLVERS["BFGS"],
    ("scaled", "Newton"): HIS_SEARCH["BFGS"],
    ("G = I", "Wolfe"): partial(wolfe_on_a_line, direction=quasi_newton),
    ("G = I", "Newton"): HIS["BFGS"],
}


@dataclass(frozen=True)
class Ladder:
    """Experiment 1, with one thing changed at a time.

    problems : the data sets. costs : for each stage of the ladder, operations until the gap.
    whole_sum : as the last stage, with the gap of the sum over all examples. first : his programs on the first data.
    """

    problems: Sequence[Problem]
    costs: dict[str, Costs]
    whole_sum: Costs
    first: dict[str, Course]

    def median(self, stage: str) -> dict[str, float]:
        """Of the costs of a stage, over the data sets."""
        return {name: float(np.median(each)) for name, each in self.costs[stage].items()}

    def off(self, stage: str) -> float:
        """Mean factor between the medians of a stage and the published costs, on a logarithmic scale."""
        return off(self.median(stage))

    def within_reading_error(self, solver: str) -> int:
        """Data sets on which his program costs what was published, within the reading error."""
        ratio = self.costs[COUNT][solver] / PUBLISHED[solver]
        return int(np.sum((ratio >= 1 / READING_ERROR) & (ratio <= READING_ERROR)))


def ladder(m: int, d: int, sets: int, gap: float, seed: int) -> Ladder:
    """Experiment 1. gap : per example."""
    problems, _ = minka.with_a_minimum(partial(gaussian, m, d), sets, seed)
    runs: dict[str, list[dict[str, Course]]] = {OURS: [], SEARCH: [], START: []}
    shared = ("Newton", "coordinate Newton")  # the same in all stages but the last
    for each in problems:
        ours = race(each, {k: SOLVERS[k] for k in (*NOT_IN_THE_PAPER, *PUBLISHED)}, LIMITS, tolerance=1e-7)
        same = {k: ours[k] for k in shared}
        runs[OURS].append(ours)
        runs[SEARCH].append(race(each, HIS_SEARCH, LIMITS, tolerance=1e-7) | same)
        runs[START].append(race(each, HIS, LIMITS, tolerance=1e-7) | same)
    costs = {
        stage: {k: np.array([run[k].flops_until(gap * m) for run in each]) for k in each[0]}
        for stage, each in runs.items()
    }
    costs[COUNT] = his_costs(runs[START], gap, m, d)
    return Ladder(problems, costs, his_costs(runs[START], gap / m, m, d), runs[START][0])


def off(medians: Mapping[str, float]) -> float:
    """Mean factor between costs and the published ones, on a logarithmic scale: 1 where all are equal."""
    return float(np.exp(np.mean([abs(np.log(medians[k] / value)) for k, value in PUBLISHED.items()])))


def his_costs(runs: Sequence[Mapping[str, Course]], gap: float, m: int, d: int) -> Costs:
    """Operations by his count until a gap per example, for each solver; inf where it is not reached."""
    return {k: np.array([minka.flops_until(run[k], k, gap * m, m, d) for run in runs]) for k in runs[0]}


def scaling(problems: Sequence[Problem], gap: float, iterations: int) -> list[dict[str, Course]]:
    """Modified iterative scaling on each problem, until the gap per example; on the first problem to a tenth of it."""
    found = []
    for k, each in enumerate(problems):
        best = minimum(each).value
        enough = best + gap * len(each.y) * (1 if k else 0.1)
        run = course(each, iterative_scaling, best, max_iterations=iterations, enough=enough)
        found.append({"iterative scaling": run})
    return found


@dataclass(frozen=True)
class Offset:
    """Experiment 2 with one offset. runs : of his programs, for each data set."""

    problems: Sequence[Problem]
    runs: list[dict[str, Course]]

    def costs(self, gap: float) -> Costs:
        """Operations by his count until a gap per example."""
        return his_costs(self.runs, gap, *self.problems[0].X.shape)


def offset(c: float, m: int, d: int, sets: int, seed: int) -> Offset:
    """Experiment 2: experiment 1 with c added to every feature and a column of ones, so that X has d + 1 columns."""
    problems, _ = minka.with_a_minimum(partial(gaussian, m, d, shift=c), sets, seed)
    solvers = dict(HIS) | {"Newton": SOLVERS["Newton"]}
    return Offset(problems, [race(each, solvers, LIMITS, tolerance=1e-9) for each in problems])


def bfgs_iterations(problems: Sequence[Problem], gap: float, most: int = 1500) -> dict[tuple[str, str], Array]:
    """Iterations of four versions of BFGS until a gap per example, shape (problems,) each; nan where not reached."""
    found = {}
    for version, solver in BFGS.items():
        counts = []
        for each in problems:
            run = course(each, solver, minimum(each).value, tolerance=1e-5, max_iterations=most)
            counts.append(run.until(gap * len(each.y)))
        found[version] = np.array([np.nan if k is None else k for k in counts])
    return found


@dataclass(frozen=True)
class Positive:
    """Experiment 3. his : costs of his programs, by his count. ours : of the package's solvers, by the package's."""

    problems: Sequence[Problem]
    his: Costs
    ours: Costs


def positive(m: int, d: int, sets: int, gap: float, seed: int) -> Positive:
    """Experiment 3: features from a Dirichlet distribution."""
    problems, _ = minka.with_a_minimum(partial(dirichlet, m, d), sets, seed)
    solvers = dict(HIS) | {"Newton": SOLVERS["Newton"]}
    his = [race(each, solvers, LIMITS, tolerance=1e-9) for each in problems]
    package = {k: SOLVERS[k] for k in (*NOT_IN_THE_PAPER, *ROBUST)}
    ours = [race(each, package, LIMITS, tolerance=1e-7) for each in problems]
    return Positive(
        problems,
        his_costs(his, gap, m, d),
        {k: np.array([run[k].flops_until(gap * m) for run in ours]) for k in package},
    )


def larger(m: int, d: int, gap: float, seed: int) -> dict[str, float]:
    """Experiment 1 at another size, one data set: operations of his programs by his count."""
    (problem,), _ = minka.with_a_minimum(partial(gaussian, m, d), 1, seed)
    solvers = dict(HIS) | {"Newton": SOLVERS["Newton"]}
    run = race(problem, solvers, {"fixed Hessian": 1000}, tolerance=1e-7)
    return {k: float(each[0]) for k, each in his_costs([run], gap, m, d).items()}
