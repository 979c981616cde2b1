"""The objective of examples that are not in memory: the sum of those of their chunks."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np

from probml.chunks import Chunk, Chunks
from probml.errors import DataError
from probml.objectives.base import Cost, Objective, SecondOrder, overflow_is_inf
from probml.typing import Array, Indices

T = TypeVar("T")
Share: TypeAlias = Callable[[Chunk, str], Objective | None]  # from a chunk and its name


class ChunkedObjective(Objective):
    r"""F is a sum over chunks c of examples, and so are its gradient and its Hessian; one penalty for all.

    .. math::
        F(\theta) = \sum_c F_c(\theta) + \tfrac{1}{2} l_2 |w|^2

    Each question is one pass over the chunks, each of which computes its share at θ and sends back no more than that:
    a number, p of them, or p².

    share : from a chunk and its name to F_c, the objective of its examples without penalty; None without any examples.
    like : such an objective with the same predictors, of any examples. n_examples : of all chunks. unit : the mean
    weight of these.
    """

    def __init__(
        self, chunks: Chunks, share: Share, like: Objective, *, l2: float, n_examples: int, unit: float
    ) -> None:
        self.chunks, self.share, self.l2, self.n_examples, self.unit = chunks, share, l2, n_examples, unit
        self.n_features, self.n_vectors, self.intercept = like.n_features, like.n_vectors, like.intercept
        self.n_parameters, self.cost = like.n_parameters, Cost()
        # A dual point, which bounds the gap of any convex F, would take the best intercepts and so many more passes.
        self.convex, self.self_concordant = False, like.self_concordant
        self.last: tuple[Array, Array, Array] | None = None

    def value(self, theta: Array) -> float:
        """F(θ)."""
        return float(self._sum("value", theta)[0] + self._penalty(theta))

    def value_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """F(θ) and ∇F(θ), shape (p,)."""
        value, gradient = self._sum("value_and_gradient", theta)
        return float(value + self._penalty(theta)), gradient + self._slope(theta)

    def newton_system(self, theta: Array) -> tuple[float, Array, Array]:
        """F(θ), ∇F(θ) and ∇²F(θ), shape (p, p), in one pass."""
        value, gradient, hessian = self._sum("newton_system", theta)
        gradient = gradient + self._slope(theta)
        self._add_penalty(hessian)
        self.last = theta.copy(), gradient, hessian
        return float(value + self._penalty(theta)), gradient.copy(), hessian.copy()

    def hessian_product(self, theta: Array, direction: Array) -> Array:
        """∇²F(θ) d, shape (p,), without the Hessian."""
        product: Array = self._sum("hessian_product", theta, direction)[0] + self._slope(direction)
        return product

    def hessian_bound(self) -> Array:
        """The sum of the bounds of the chunks, and the penalty."""
        bound: Array = self._sum("hessian_bound")[0]
        self._add_penalty(bound)
        return bound

    def gradient_of(self, rows: Indices, theta: Array) -> Array:
        """Rows are not drawn from chunks that are somewhere else."""
        raise ValueError("examples in chunks are not drawn one by one: use a solver that asks for sums over all")

    def knows_hessian(self, theta: Array) -> bool:
        """Whether the last pass for a Hessian has been at θ."""
        return self.last is not None and np.array_equal(self.last[0], theta)

    def second_order(self, theta: Array) -> SecondOrder:
        """Gradient and Hessian at θ, and a radius that takes a pass: the largest of those of the chunks."""
        if not self.knows_hessian(theta):
            self.newton_system(theta)
        assert self.last is not None

        def radius(smallest: float, h: Array) -> float:
            return max(0.0, self.largest(partial(_radius, theta, smallest, h)))

        return SecondOrder(self.last[1], self.last[2], (radius,))

    def hessian_below(self, theta: Array) -> Array:
        """The Hessian at θ."""
        return self.second_order(theta).hessian

    def best_shift(self, theta: Array) -> float:
        """Not looked for: each step would be a pass."""
        return np.nan

    def squared_norm(self, theta: Array) -> float:
        """|w|²."""
        return float(np.sum(self._matrix(theta)[:, : self.n_features] ** 2))

    def _matrix(self, theta: Array) -> Array:
        return theta.reshape(self.n_vectors, self.n_features + self.intercept)

    def _slope(self, theta: Array) -> Array:
        return self._penalty_gradient(self._matrix(theta)).ravel()

    def largest(self, of_chunk: Callable[[Any], float]) -> float:
        """The largest of what there is of the objectives of all chunks."""
        found: float | None = self.chunks.total(partial(_of_chunk, self.share, of_chunk), max)
        return -np.inf if found is None else found

    def _sum(self, question: str, *at: Array) -> list[Any]:
        """The sums over all chunks of what their objectives answer."""
        rows, flops, *total = self.chunks.total(
            partial(_of_chunk, self.share, partial(_answer, question, at)), _add
        ) or (0, 0.0)
        if rows != self.n_examples:
            raise DataError(
                f"the chunks have {rows} rows, and had {self.n_examples} on the first pass: they have to be the same "
                "each time they are read"
            )
        self.cost.add(1, flops)
        return total


@overflow_is_inf
def _of_chunk(share: Share, ask: Callable[[Any], T], chunk: Chunk, name: str) -> T | None:
    """What there is to be known of the objective of a chunk, which is let go."""
    if (objective := share(chunk, name)) is None:
        return None
    try:
        return ask(objective)
    finally:
        # Its radii refer to it: it would hold the chunk until Python looks for such cycles.
        vars(objective).clear()


def _answer(question: str, at: tuple[Array, ...], objective: Objective) -> list[Any]:
    """Rows, operations, and value, gradient, Hessian, as far as asked for."""
    found = getattr(objective, question)(*at)
    return [objective.n_examples, objective.cost.flops, *(found if isinstance(found, tuple) else [found])]


def _add(ours: list[Any], theirs: list[Any]) -> list[Any]:
    return [a + b for a, b in zip(ours, theirs, strict=True)]


def _radius(theta: Array, smallest: float, h: Array, objective: Objective) -> float:
    """The last radius of a chunk, which holds for all its examples whatever the Hessian of the others adds."""
    return objective.second_order(theta).radii[-1](smallest, h)
