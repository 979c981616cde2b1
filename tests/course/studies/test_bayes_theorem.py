"""Joint tables, people with two tests, and wards whose errors are known: held against fractions and drawn patients.

Without this, the note on Bayes' theorem could show a wrong posterior, or a wrong price of the naive product.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from course.studies.bayes_theorem import panel, people
from course.studies.bayes_theorem.joint import Joint
from probml.naive_bayes import BernoulliNB

# A joint table in fractions


def two_coins():
    return Joint.of(("a", "b"), lambda a, b: Fraction(1 + a, 3) * Fraction(1 + 2 * b, 4))


def test_sums_and_quotients_of_a_joint_table():
    joint = Joint.of(("a", "b"), lambda a, b: {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 4}[a, b] * Fraction(1, 10))
    assert joint.p() == 1
    assert joint.p(a=1) == Fraction(7, 10)
    assert joint.p(a=1, b=0) == Fraction(3, 10)
    assert joint.given(b=1).p(a=0) == Fraction(2, 6)
    assert joint.given(b=1).names == ("a",)
    assert not joint.independent("a", "b")
    assert two_coins().independent("a", "b")


def test_joint_refuses_what_has_no_answer():
    certain = Joint.of(("a", "b"), lambda a, b: Fraction(int(a == b), 2))
    with pytest.raises(ZeroDivisionError, match="probability 0"):
        certain.given(a=1).given(b=0)
    with pytest.raises(ValueError, match=r"received c=1"):
        certain.p(c=1)
    with pytest.raises(ValueError, match="sum to 1"):
        Joint.of(("a",), lambda a: Fraction(1, 3))
    with pytest.raises(ValueError, match="each of the 2 outcomes"):
        Joint(("a",), {(0,): Fraction(1)})


# People


def test_people_in_four_groups_are_those_of_the_table():
    thousand = people.counts(1000)
    two = people.two_tests()
    assert thousand.positive + thousand.negative == 1000
    assert thousand.ill_positive == 1000 * two.p(ill=1, first=1) == 18
    assert thousand.healthy_negative == 1000 * two.p(ill=0, first=0) == 931
    assert (thousand.positive, thousand.negative) == (67, 933)


@pytest.mark.parametrize("repeated", [None, Fraction(1, 20), Fraction(1, 2), Fraction(1)])
def test_each_test_alone_is_the_same_however_often_alarms_repeat(repeated):
    joint = people.two_tests(repeated)
    for test in ("first", "second"):
        assert joint.given(ill=1).p(**{test: 1}) == people.SENSITIVITY
        assert joint.given(ill=0).p(**{test: 0}) == people.SPECIFICITY
    assert joint.p(ill=1) == people.PREVALENCE
    assert joint.given(ill=1).independent("first", "second")
    assert joint.given(ill=0).independent("first", "second") == (repeated in (None, Fraction(1, 20)))
    if repeated is not None:
        assert joint.given(ill=0, first=1).p(second=1) == repeated


def test_two_independent_tests_are_naive_bayes():
    """BernoulliNB learns sensitivity and specificity from people with two results each, and multiplies."""
    joint = people.two_tests()
    rows = list(product((0, 1), repeat=3))
    weights = [float(joint.p(ill=y, first=a, second=b)) for y, a, b in rows]
    model = BernoulliNB(alpha=0).fit([row[1:] for row in rows], [row[0] for row in rows], sample_weight=weights)
    for first, second in product((0, 1), repeat=2):
        expected = float(joint.given(first=first, second=second).p(ill=1))
        assert np.isclose(model.predict_proba([[first, second]])[0, 1], expected, rtol=1e-12)


# The panel


def test_wards_are_distributions_that_agree_on_each_test_alone():
    for ward in panel.wards().values():
        assert np.allclose(ward.table.sum(axis=1), 1)
        assert np.allclose(ward.table @ panel.outcomes(panel.TESTS), [[panel.HEALTHY] * 8, [panel.ILL] * 8])
    assert np.isclose(panel.HEALTHY, 0.24)
    assert np.isclose(panel.naive_product(np.array([0.3, 0.6, 0.5]))[0b101], 0.3 * 0.4 * 0.5)


def test_errors_of_a_ward_are_those_of_simulated_patients():
    rng = np.random.default_rng(0)
    m = 200_000
    ill = rng.random(m) < 0.5
    carrier = rng.random(m) < panel.CARRIERS
    p = np.where(ill, panel.ILL, np.where(carrier, panel.OF_CARRIERS, panel.OF_OTHERS))
    x = rng.random((m, panel.TESTS)) < p[:, None]
    outcome = x @ 2 ** np.arange(panel.TESTS)[::-1]
    ward = panel.wards()["common cause"]
    says_ill = outcome % 3 == 0  # any rule will do
    error = ward.error(np.arange(2**panel.TESTS) % 3 == 0)
    assert abs(np.mean(says_ill != ill) - error) < 4 * np.sqrt(error * (1 - error) / m)


def test_known_probabilities_give_the_least_error_and_the_naive_product_no_less():
    wards = panel.wards()
    assert np.isclose(wards["independent"].naive_error, wards["independent"].least_error)
    assert wards["common cause"].naive_error > wards["common cause"].least_error + 0.05
    rng = np.random.default_rng(1)
    for ward in wards.values():
        assert np.isclose(ward.least_error, np.minimum(*ward.table).sum() / 2)
        for _ in range(20):
            assert ward.error(rng.random(2**panel.TESTS) < 0.5) >= ward.least_error


def test_rules_on_the_expected_counts_are_those_of_the_known_probabilities():
    for ward in panel.wards().values():
        counts = np.round(1e9 * ward.table / 2).astype(np.int64)
        assert np.isclose(ward.error(panel.by_full_table(counts)), ward.least_error)
        assert np.isclose(ward.error(panel.by_naive_product(counts)), ward.naive_error)


def test_full_table_tosses_a_coin_in_a_tie_and_for_outcomes_that_nobody_had():
    counts = np.zeros((2, 2**panel.TESTS), dtype=np.int64)
    ward = panel.wards()["common cause"]
    assert np.isclose(ward.error(panel.by_full_table(counts)), 0.5)
    counts[:, :4] = [[0, 2, 1, 3], [2, 0, 1, 1]]
    answers = panel.by_full_table(counts)
    assert answers[:4].tolist() == [1, 0, 0.5, 0]
    rng = np.random.default_rng(3)
    tossed = [ward.error(np.where(answers == 0.5, rng.random(len(answers)) < 0.5, answers == 1)) for _ in range(4000)]
    assert abs(np.mean(tossed) - ward.error(answers)) < 4 * np.std(tossed) / np.sqrt(len(tossed))


def test_naive_product_is_bernoulli_naive_bayes_with_half_a_count():
    counts = panel.wards()["common cause"].draw(300, np.random.default_rng(2))
    X = np.vstack([panel.outcomes(panel.TESTS)] * 2)
    y = np.repeat([0, 1], 2**panel.TESTS)
    model = BernoulliNB(alpha=0.5).fit(X, y, sample_weight=counts.ravel())
    assert (model.predict(panel.outcomes(panel.TESTS)) == panel.by_naive_product(counts)).all()


def test_learning_curves_are_errors_of_new_draws():
    curves = panel.learning_curves([50, 500], 3, seed=0)
    assert set(curves) == {(ward, rule) for ward in panel.wards() for rule in panel.RULES}
    for (ward, _), values in curves.items():
        assert values.shape == (2, 3)
        assert (values >= panel.wards()[ward].least_error).all()
    again = panel.learning_curves([500], 3, seed=0)
    assert (again["independent", "full table"][0] == curves["independent", "full table"][1]).all()
    other = panel.learning_curves([500], 3, seed=1)
    assert (other["independent", "full table"] != again["independent", "full table"]).any()
