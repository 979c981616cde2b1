"""Naive Bayes of categories in learning curves: against the package's own, part by part."""

import numpy as np
import pytest

from course.studies.ng_jordan_redone.categorical import CategoricalNB
from probml import naive_bayes
from probml.curves import learning_curves
from probml.curves.subsets import Subsets
from probml.errors import ParameterError


@pytest.mark.parametrize("K", [2, 3])
def test_scores_are_those_of_the_package(K):
    rng = np.random.default_rng(3)
    y = np.array([rng.permutation(np.arange(20) % K) for _ in range(12)])
    X = np.clip(np.floor(rng.standard_normal((12, 20, 4)) + 2.7 * (y[:, :, None] == np.arange(4) % K)), 0, 3)
    D = rng.integers(0, 4, (30, 4)).astype(float)
    ours = CategoricalNB((4, 4, 4, 4), alpha=0.5, prior_alpha=0).fit(Subsets(X, y, K)).scores[""].of(D, slice(None))
    for b in range(12):
        model = naive_bayes.CategoricalNB(alpha=0.5, min_categories=4).fit(X[b], y[b])
        theirs = model.predict_joint_log_proba(D).T
        theirs, mine = (theirs[1:] - theirs[:1], ours[b]) if K == 2 else (theirs - theirs.mean(axis=0), ours[b])
        mine = mine if K == 2 else mine - mine.mean(axis=0)
        np.testing.assert_allclose(mine, theirs, rtol=1e-8, atol=1e-8 * np.abs(theirs).max())


@pytest.mark.parametrize(
    ("categories", "message"),
    [((2, 2), "for 2 features, but X has 4"), ((2, 3, 3, 3), "whole numbers from 0 to 1 in column 0, received 2")],
)
def test_what_is_no_category_is_refused(categories, message):
    X, y = np.arange(24.0).reshape(6, 4) % 3, [0, 1] * 3
    with pytest.raises(ParameterError, match=message):
        learning_curves(X, y, [4], {"nb": CategoricalNB(categories)}, n_jobs=1)


def test_alpha_is_above_zero():
    with pytest.raises(ParameterError, match="alpha must be a finite number above 0"):
        CategoricalNB((2,), alpha=-1)
