"""Sparse columns that only one row uses: left to one column a row before a fit, and given their weights after it."""

from dataclasses import replace

from scipy import sparse

from probml.linear_model.minimum import Minimum
from probml.linear_model.rows import Rows
from probml.linear_model.solving import LARGEST_TO_SOLVE
from probml.objectives.private_columns import PrivateColumns


def pooled(rows: Rows, l2: float) -> tuple[Rows, PrivateColumns | None]:
    """The rows with fewer columns, if X is sparse and large and there is a penalty, under which nothing is lost."""
    if not (l2 > 0 and sparse.issparse(rows.X) and rows.X.shape[1] > LARGEST_TO_SOLVE):
        return rows, None
    columns = PrivateColumns.of(rows.X)
    return rows._replace(X=columns.X), columns


def spread(found: Minimum, columns: PrivateColumns | None) -> Minimum:
    """What was found, with a weight for each column that X had before."""
    if columns is None:
        return found
    theta = found.solution.theta.reshape(len(found.coef), -1)
    solution = replace(found.solution, theta=columns.back(theta).ravel())
    return Minimum(columns.back(found.coef), found.intercept, solution)
