"""Exponential families, the tables of the textbook and the links of the beetles; against independent oracles."""

from dataclasses import replace

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from course.studies.generalised_linear_models import beetle_links, figures, textbook
from course.studies.generalised_linear_models.family_checks import Entry, check, counts, entries, integers
from probml.families import Poisson
from probml.losses import CLogLog, Logit, Probit

# Families


@pytest.mark.parametrize("name", entries())
def test_every_family_passes(name):
    errors = check(entries()[name])
    assert max(errors.density, errors.normaliser, errors.mean, errors.covariance) < 1e-12
    assert errors.slope < 1e-9


class WrongPoisson(Poisson):
    """A Poisson family with one mistake."""

    def __init__(self, mistake):
        object.__setattr__(self, "mistake", mistake)

    def _log_base(self, x):
        return super()._log_base(x) + (0.01 if self.mistake == "base" else 0.0)

    def cumulants(self, theta):
        return [(1.01 if self.mistake == order else 1.0) * A for order, A in enumerate(super().cumulants(theta))]


@pytest.mark.parametrize(
    ("mistake", "seen"),
    [
        ("base", {"density", "normaliser"}),
        (0, {"density", "normaliser", "slope"}),
        (1, {"slope", "mean"}),
        (2, {"covariance"}),
    ],
    ids=["base", "A", "mean", "variance"],
)
def test_a_wrong_row_is_found_where_it_is_wrong(mistake, seen):
    errors = check(replace(entries()["Poisson"], family=WrongPoisson(mistake)))
    assert {name for name, error in errors._asdict().items() if error > 1e-4} == seen


def test_rules_of_counts():
    assert len(counts(4, 3).x) == 15  # (4 + 2 choose 2)
    assert (counts(4, 3).x.sum(axis=1) == 4).all()
    assert integers(0, 3).x.tolist() == [0, 1, 2, 3]
    entry = Entry(Poisson(), {"rate": 2.0}, integers(0, 1), stats.poisson(2.0).logpmf)
    assert check(entry).normaliser > 0.1  # a rule that leaves out most of the support


# The tables of the textbook


def test_nine_counts():
    assert dict(zip(textbook.X, textbook.COUNTS, strict=True)) == {-1: 3, 0: 9, 1: 15}  # the last count at each x
    assert textbook.COUNTS.sum() == 72
    assert textbook.X @ textbook.COUNTS == 32


def test_beetles_one_by_one_are_those_of_the_groups():
    X, killed = textbook.beetles()
    assert X.shape == (481, 2)
    assert (X[:, 0] == 1).all()
    for dose, exposed, dead in zip(textbook.DOSE, textbook.EXPOSED, textbook.KILLED, strict=True):
        responses = killed[X[:, 1] == dose]
        assert (len(responses), responses.sum()) == (exposed, dead)


def test_cells_of_the_trial():
    features, patients = textbook.cells_of_trial()
    assert patients.tolist() == [18, 17, 15, 20, 10, 20, 25, 13, 12]
    assert features[0].tolist() == [0, 0, 0, 0]
    assert features[5].tolist() == [0, 1, 1, 0]  # the third outcome of the second treatment
    assert (features.T @ patients).tolist() == [40, 47, 50, 50]


# The links of the beetles


@pytest.mark.parametrize(
    ("link", "peer"),
    [
        (Logit(), sm.families.links.Logit()),
        (Probit(), sm.families.links.Probit()),
        (CLogLog(), sm.families.links.CLogLog()),
    ],
    ids=["logit", "probit", "log-log"],
)
def test_links_are_those_of_statsmodels(link, peer):
    exposed, killed = textbook.EXPOSED, textbook.KILLED
    table = np.column_stack([killed, exposed - killed])
    theirs = sm.GLM(table, textbook.with_constant(textbook.DOSE), sm.families.Binomial(peer)).fit(tol=1e-12)
    ours = beetle_links.fitted(link)
    np.testing.assert_allclose([ours.intercept_, ours.coef_[0]], theirs.params, rtol=1e-6)
    np.testing.assert_allclose(beetle_links.deviance_by_dose(link), theirs.resid_deviance**2, rtol=1e-5, atol=1e-8)


# Figures


def test_irls_figure_shows_three_steps_with_their_weights():
    path = np.array([[2.0, 0.0], [1.95, 0.5], [1.9, 0.6], [1.9, 0.67]])
    fig = figures.irls_steps(path).fig
    for step, ax in enumerate(fig.axes):
        circles = ax.collections[0]
        z = path[step, 0] + path[step, 1] * textbook.X
        sizes = circles.get_sizes()
        np.testing.assert_allclose(sizes / sizes[0], np.exp(z - z[0]))
        np.testing.assert_allclose(circles.get_offsets()[:, 1], z + textbook.COUNTS * np.exp(-z) - 1)
