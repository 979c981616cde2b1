"""The linear support vector machine with squared hinge."""

from functools import partial
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from probml.inputs import parameters
from probml.linear_model.base import LinearClassifier
from probml.linear_model.minimum import Minimum
from probml.linear_model.pooling import pooled, spread
from probml.losses import SquaredHinge
from probml.objectives import LinearObjective
from probml.typing import Matrix


@parameters
class LinearSVC(LinearClassifier):
    r"""The second class where z = x · w + b > 0.

    .. math::
        \min_{w, b} \; \tfrac{1}{2} \sum_i s_i \max(0, 1 - y_i z_i)^2 + \tfrac{1}{2} l_2 |w|^2, \quad
        y_i = 1 \text{ for the second class, else } -1

    This is scikit-learn's with C = 1 / (2 l2), but the intercept is not penalised. K > 2 classes: each of them as the
    second class against the rest, and the one with the largest z_k.

    X : dense or CSR, shape (m, n). y : labels, shape (m,). sample_weight : s, like repetitions.
    Parameters and attributes are those of LogisticRegression; a penalty, l2 = 1, belongs to the method. For K > 2
    classes solution_ is a tuple with that of each class, n_iter_ the largest number of iterations, and class_weight is
    that of examples, be they of the class or of the rest; scikit-learn's weighs the class only.
    """

    l2: float = 1.0

    def fit(self, X: Matrix, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to X, shape (m, n), and labels y, shape (m,)."""
        rows, codes, classes = self._labelled(X, y, sample_weight)
        rows, columns = pooled(rows, self.l2)
        against_rest = [1] if len(classes) == 2 else [*range(len(classes))]
        last, found = self._last(len(against_rest)), []
        for v, k in enumerate(against_rest):
            start = None if last is None else last[v]
            if columns is not None and start is not None:
                start = columns.pool(start)
            sign = np.where(codes == k, 1, -1)
            problem = partial(LinearObjective, y=sign, loss=SquaredHinge(), intercept=self.fit_intercept)
            found.append(spread(self._minimise(rows, problem, start), columns))
        coef, intercept, solutions = zip(*found, strict=True)
        self._keep(X, Minimum(np.vstack(coef), np.concatenate(intercept), solutions[0]), classes)
        self.solution_ = solutions[0] if len(classes) == 2 else solutions
        self.n_iter_ = max(solution.iterations for solution in solutions)
        return self
