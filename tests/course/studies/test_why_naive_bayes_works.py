"""Naive Bayes on exact tables, on concepts, and on real data: against fractions, enumeration and scikit-learn."""

from fractions import Fraction
from itertools import product
from math import log2, prod

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import spearmanr
from sklearn.metrics import mutual_info_score
from sklearn.naive_bayes import CategoricalNB as PeerNB

from course.studies.why_naive_bayes_works import figures
from course.studies.why_naive_bayes_works.concepts import wrong_on_m_of_n
from course.studies.why_naive_bayes_works.real_data import (
    Problem,
    compared,
    conditional_information,
    rank_correlation,
    shuffled,
    with_copies,
)
from course.studies.why_naive_bayes_works.tables import agreement, errors, examples, naive, random_tables


def naive_in_fractions(P: dict[tuple[bool, tuple[int, ...]], Fraction], d: int) -> dict:
    """Prior times the product of the marginals, by the definition."""
    prior = {y: sum(value for (class_, _), value in P.items() if class_ == y) for y in (False, True)}
    found = {}
    for y, x in P:
        marginals = [
            sum(value for (class_, other), value in P.items() if class_ == y and other[n] == x[n]) / prior[y]
            for n in range(d)
        ]
        found[y, x] = prior[y] * prod(marginals)
    return found


def test_naive_is_prior_times_marginals_in_fractions():
    rng, d = np.random.default_rng(0), 3
    weights = rng.integers(1, 20, (2, 2**d))
    total = int(weights.sum())
    exact = {
        (bool(y), x): Fraction(int(weights[y, k]), total)
        for y in (0, 1)
        for k, x in enumerate(product((0, 1), repeat=d))
    }
    expected = naive_in_fractions(exact, d)
    found = naive(weights / total)
    for k, x in enumerate(product((0, 1), repeat=d)):
        for y in (0, 1):
            assert found[y, k] == pytest.approx(float(expected[bool(y), x]), rel=1e-13)
    assert sum(expected.values()) == 1


def test_naive_of_independent_attributes_is_the_table_itself():
    X, prior, phi = examples(3), np.array([0.3, 0.7]), np.array([[0.2, 0.9, 0.5], [0.6, 0.1, 0.4]])
    P = prior[:, None] * np.where(X, phi[:, None], 1 - phi[:, None]).prod(axis=2)
    np.testing.assert_allclose(naive(P), P)
    assert agreement(P) == pytest.approx(1)
    assert errors(P)[0] == pytest.approx(errors(P)[1])


def test_one_attribute_is_always_independent_and_more_are_worse():
    rng = np.random.default_rng(1)
    assert agreement(random_tables(1, 50, rng)).min() == pytest.approx(1)
    by_size = [agreement(random_tables(d, 500, rng)).mean() for d in (2, 4, 6)]
    assert by_size == sorted(by_size, reverse=True)


def test_the_best_classifier_errs_on_a_quarter_of_a_random_table():
    """Each example's posterior is uniform, so the mean of min(η, 1 - η) is 1/4."""
    best, of_naive = errors(random_tables(3, 4000, np.random.default_rng(2)))
    assert abs(best.mean() - 0.25) < 5 * best.std() / np.sqrt(4000)
    assert (of_naive >= best - 1e-12).all()


@pytest.mark.parametrize("n", [2, 3, 5, 8])
def test_conjunctions_and_disjunctions_are_decided_correctly(n):
    assert wrong_on_m_of_n(n, n) == wrong_on_m_of_n(1, n) == 0


@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 3), (3, 7), (5, 7), (2, 9)])
def test_m_of_n_by_enumeration(m, n):
    P = {(y, x): Fraction(int((sum(x) >= m) == y), 2**n) for y in (False, True) for x in product((0, 1), repeat=n)}
    scores = naive_in_fractions(P, n)
    wrong = sum(scores[sum(x) >= m, x] <= scores[sum(x) < m, x] for x in product((0, 1), repeat=n))
    assert wrong_on_m_of_n(m, n) == Fraction(wrong, 2**n)


def test_m_must_be_possible():
    with pytest.raises(ValueError, match="from 1 to n = 3"):
        wrong_on_m_of_n(4, 3)


def test_the_area_of_the_figure():
    """The area between the two curves is log(2) / 2 - 1/4."""
    between = quad(lambda a: abs((1 - a) - (1 - a) ** 2 / (a**2 + (1 - a) ** 2)), 0, 1, points=[0.5])[0]
    assert between == pytest.approx(np.log(2) / 2 - 1 / 4, abs=1e-10)
    assert "9.7 %" in figures.counted_twice().fig.get_suptitle()
    assert round(100 * between, 1) == 9.7


def test_conditional_information_is_the_mean_over_classes():
    rng = np.random.default_rng(3)
    X, y = rng.integers(0, 3, (200, 3)), rng.integers(0, 2, 200)
    X[:, 1] = np.where(rng.random(200) < 0.5, X[:, 0], X[:, 1])
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = [
        sum((y == j).mean() * mutual_info_score(X[y == j, i], X[y == j, k]) / np.log(2) for j in (0, 1))
        for i, k in pairs
    ]
    np.testing.assert_allclose(conditional_information(X, y), expected, rtol=1e-10)


def test_copies_carry_the_whole_entropy():
    x = np.repeat([0, 1], 50)
    y = np.tile([0, 1], 50)
    assert conditional_information(np.column_stack([x, x]), y)[0] == pytest.approx(log2(2))


def test_shuffled_attributes_keep_their_marginals():
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 4, (300, 2)), rng.integers(0, 2, 300)
    X[:, 1] = X[:, 0]
    mixed = shuffled(X, y, rng)
    for j in (0, 1):
        for column in (0, 1):
            assert sorted(mixed[y == j, column]) == sorted(X[y == j, column])
    assert conditional_information(mixed, y)[0] < 0.1 < conditional_information(X, y)[0]


@pytest.fixture(scope="module")
def voting():
    return Problem.of("voting", 1000, np.random.default_rng(0))


def test_a_problem_has_no_gaps_and_one_row_for_each_example(voting):
    assert voting.X.shape == (232, 16)
    assert len(voting.indicators) == len(voting.y) == 232
    assert set(np.unique(voting.X)) == {0, 1}
    few = Problem.of("voting", 100, np.random.default_rng(0))
    assert len(few.y) == 100


def test_outcomes_are_those_of_scikit_learn(voting):
    rng = np.random.default_rng(5)
    found = compared(voting, 3, np.random.default_rng(5))
    assert (found.train, found.test) == (162, 70)
    for k, (train, test) in enumerate(voting.splits(3, rng)):
        peer = PeerNB(alpha=1.0, min_categories=2).fit(voting.X[train], voting.y[train])
        assert found.accuracy["naive Bayes"][k] == pytest.approx(peer.score(voting.X[test], voting.y[test]))
        posterior = peer.predict_proba(voting.X[test])
        assert found.confidence["naive Bayes"][k] == pytest.approx(posterior.max(axis=1).mean())
        chosen = posterior[np.arange(len(test)), voting.y[test]]
        assert found.loss["naive Bayes"][k] == pytest.approx(-np.log(chosen).mean(), rel=1e-6)
    assert found.lead[0] == pytest.approx(found.accuracy["logistic"].mean() - found.accuracy["naive Bayes"].mean())
    assert 0 < found.dependence < found.strongest < 1


def test_with_copies_counts_the_evidence_k_times(voting):
    """log posterior odds = log prior odds + k times the evidence of one copy."""
    rng = np.random.default_rng(6)
    found = with_copies(voting, (1, 3), 2, np.random.default_rng(6))
    accuracies = []
    for train, test in voting.splits(2, rng):
        peer = PeerNB(alpha=1.0, min_categories=2).fit(voting.X[train], voting.y[train])
        joint = peer.predict_joint_log_proba(voting.X[test])
        score = peer.class_log_prior_ + 3 * (joint - peer.class_log_prior_)
        accuracies.append((score.argmax(axis=1) == voting.y[test]).mean())
    assert found.accuracy[1] == pytest.approx(np.mean(accuracies))
    assert found.loss[1] > found.loss[0]
    assert found.confidence[1] > found.confidence[0]


def test_rank_correlation_and_its_exact_p_value():
    first, second = [1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]
    assert rank_correlation(first, second) == pytest.approx((1.0, 2 / 24))
    found, p = rank_correlation(first, [2.0, 1.0, 4.0, 3.0])
    assert found == pytest.approx(spearmanr(first, [2.0, 1.0, 4.0, 3.0]).statistic)
    assert 0 < p <= 1
