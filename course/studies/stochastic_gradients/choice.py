"""How much work each solver needs on four problems, to a rough and to an exact solution."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from course.studies.races.problems import Problem, gaussian
from course.studies.races.race import SOLVERS, course, minimum, tolerance_for
from course.studies.races.women import Women
from course.studies.stochastic_gradients.runs import SAGA, SGD, Adam, MeanLoss, Method, Rows, reshuffled

Array = NDArray[np.float64]
ROUGH, EXACT = 1e-3, 1e-8  # of the mean loss
BATCH_SOLVERS = ("Newton", "Newton-CG", "L-BFGS", "conjugate gradient", "gradient descent")
# Multiplications and additions of one update, over d: the score takes 2, and θ and what is remembered take the rest.
OPERATIONS = {"SGD": 4, "Adam": 16, "SAGA": 8}
PARTS, FIRST_PASSES = 10, 3  # a stochastic method is looked at after every tenth of the first three passes
MAX_PASSES = 60
MAX_ITERATIONS = 5000


def four_problems(women: Women, seed: int) -> dict[str, Problem]:
    """The diabetes data standardised and as measured, many examples, and many features with a penalty."""
    wide = gaussian(1000, 400, np.random.default_rng([seed, 31]))
    return {
        "diabetes, standardised": women.problem(),
        "diabetes, as measured": Problem(women.measured, women.y, intercept=True),
        "20,000 examples, d = 20": gaussian(20_000, 20, np.random.default_rng([seed, 30])),
        "1,000 examples, d = 400": Problem(wide.X, wide.y, l2=1.0),
    }


def schedules(problem: Problem, loss: MeanLoss) -> dict[str, Method]:
    """Stochastic methods with steps from the theory where there is one.

    SGD has α_k = α / (1 + α μ k) with 1 / α the largest curvature of an example, and μ the smallest eigenvalue of the
    Hessian at the minimum, which nobody knows before; SAGA has α / 3; Adam has 0.01, shrinking by the pass.
    """
    longest = 1 / loss.single_curvature()
    flattest = np.linalg.eigvalsh(problem.objective().newton_system(minimum(problem).theta)[2])[0]
    return {
        "SGD": SGD(longest, decay=longest * float(flattest)),
        "Adam": Adam(0.01, decay=1.0),
        "SAGA": SAGA(longest / 3),
    }


def work(problem: Problem, seed: int) -> dict[str, tuple[float, float]]:
    """Operations to the rough and to the exact solution, over those of one full gradient; inf where it is not reached.

    To look at the gap of a stochastic method is no part of its work.
    """
    m = len(problem.y)
    loss, found = MeanLoss.of(problem), {}
    best = minimum(problem).value
    for name in BATCH_SOLVERS:
        solver = SOLVERS[name]
        run = course(problem, solver, best, tolerance=tolerance_for(solver, 1e-12), max_iterations=MAX_ITERATIONS)
        found[name] = tuple(run.flops_until(gap * m) / (4 * problem.X.size) for gap in (ROUGH, EXACT))
    for name, method in schedules(problem, loss).items():
        passes, gaps = _watched(loss, method, reshuffled(m, MAX_PASSES, [seed, 32]))
        gradients = passes * OPERATIONS[name] / 4
        found[name] = tuple(_first(gradients, gaps <= gap) for gap in (ROUGH, EXACT))
    return found


def _watched(loss: MeanLoss, method: Method, orders: Rows) -> tuple[Array, Array]:
    """Passes and gaps after every tenth of the first three passes, then after every pass, until the gap is exact."""
    m, theta, memory = len(loss.y), np.zeros(loss.X.shape[1]), method.memory(loss)
    done, passes, gaps = 0, [0.0], [loss.gap(theta)]
    for k, order in enumerate(orders):
        for rows in np.array_split(order, PARTS if k < FIRST_PASSES else 1):
            method.advance(loss, rows, done, theta, memory)
            done += len(rows)
            passes.append(done / m)
            gaps.append(loss.gap(theta))
            if gaps[-1] <= EXACT:
                return np.array(passes), np.array(gaps)
    return np.array(passes), np.array(gaps)


def _first(gradients: Array, reached: NDArray[np.bool_]) -> float:
    return float(gradients[np.argmax(reached)]) if reached.any() else np.inf


def table_of_work(problems: Mapping[str, Problem], seed: int) -> dict[str, dict[str, tuple[float, float]]]:
    """`work` for each problem."""
    return {name: work(problem, seed) for name, problem in problems.items()}


def pair(work: tuple[float, float]) -> str:
    """Both amounts of work as they are shown, with a dash for what was not reached."""
    return " / ".join("–" if np.isinf(each) else f"{each:.1f}" if each < 10 else f"{each:,.0f}" for each in work)
