"""Efficiency: small samples against single fits, simulated intervals, and what the figures say of themselves."""

import numpy as np
import pytest

from course.studies.efficiency import figures
from course.studies.efficiency.small_samples import at_size
from course.studies.gda_v_logistic import delta_method, efron
from course.studies.gda_v_logistic.simulation import simulate, simulated_efficiencies
from course.studies.gda_v_logistic.two_normals import TwoNormals
from probml import gda
from probml.errors import SeparationError
from probml.linear_model import LogisticRegression


def test_small_samples_are_fitted_as_single_ones_are():
    case = TwoNormals(2.0, 0.5, 2)
    found = at_size(case, 30, 20, [1])
    drawn = case.draw(20, 30, np.random.default_rng([1]))
    assert np.minimum(drawn.y.sum(axis=1), 30 - drawn.y.sum(axis=1)).min() >= 2  # so that none is drawn again
    separable = 0
    for i, (X, y) in enumerate(zip(drawn.X, drawn.y, strict=True)):
        fit = gda.GDA().fit(X, y)
        lost = case.error(np.append(fit.intercept_, fit.coef_)) - case.bayes_error
        assert found.gda[i] == pytest.approx(lost, rel=1e-7)
        try:
            fit = LogisticRegression().fit(X, y)
        except SeparationError:
            separable += 1
            continue
        lost = case.error(np.append(fit.intercept_, fit.coef_)) - case.bayes_error
        assert found.logistic[i] == pytest.approx(lost, rel=1e-4, abs=1e-8)
    assert found.separable == separable / 20


def test_small_samples_have_two_examples_of_each_class():
    found = at_size(TwoNormals(3.0, 0.9, 2), 12, 50, [0])  # GDA would have no estimate otherwise
    assert len(found.gda) == len(found.logistic) == 50
    assert (found.gda >= 0).all()


def test_many_examples_have_the_excess_errors_of_the_theory():
    case = TwoNormals(3.0, 0.5, 4)
    found, expected = at_size(case, 1500, 400, [2]), delta_method.excess_errors(case)
    for values, name in ((found.gda, "GDA"), (found.logistic, "logistic")):
        spread = values.std(ddof=1) / np.sqrt(400)
        assert values.mean() == pytest.approx(expected[name] / 1500, abs=4 * spread + 0.02 * expected[name] / 1500)
    assert found.separable == 0
    assert found.ratio.value == found.logistic.mean() / found.gda.mean()


def test_simulated_efficiencies_are_those_of_single_simulations():
    cases = [TwoNormals(1.0), TwoNormals(2.0, 0.7, 2)]
    found = simulated_efficiencies(cases, 200, 50, [4], level=0.9)
    assert list(found) == cases
    assert found[cases[1]] == simulate(cases[1], 200, 50, [4, 1]).efficiency(0.95)


def test_alternative_texts_state_what_is_computed():
    assert [f"{efron.efficiency(TwoNormals(delta)):.2f}" for delta in (2.0, 3.0, 4.0)] == ["0.90", "0.64", "0.34"]
    assert "80% of the mass" in figures.who_informs().alt
    assert "only 20%" in figures.who_informs().alt
