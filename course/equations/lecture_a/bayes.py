"""Joint and conditional models, Bayes' theorem, the most probable class."""

from itertools import product

from course.equations.counting import VALUES, argmax, normalised, people, share
from course.equations.entry import Conditional, Holds, check

CLASSES = range(3)


@check("A2", "fractions", people(3))
def conditional_likelihood(rows):
    # Two people drawn with replacement: all pairs are equally likely.
    pairs = [{"y": (a["y"], b["y"]), "x": (a["x"], b["x"])} for a, b in product(rows, rows)]
    labels, inputs = {"y": (1, 2)}, {"x": ((0, 1), (1, 1))}
    meaning = share(pairs, labels, inputs)
    formula = share(rows, {"y": 1}, {"x": (0, 1)}) * share(rows, {"y": 2}, {"x": (1, 1)})
    return Conditional(meaning, formula, without=(share(pairs, {**labels, **inputs}), formula))


@check("A9", "fractions", people(3))
def bayes_theorem_by_counting(rows):
    meaning = [share(rows, {"y": h}, {"x": x}) for h in CLASSES for x in VALUES]
    formula = [
        share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) / share(rows, {"x": x}) for h in CLASSES for x in VALUES
    ]
    return Holds(meaning, formula)


@check("A10", "fractions", people(3))
def evidence_is_a_sum_over_hypotheses(rows):
    meaning = [share(rows, {"x": x}) for x in VALUES]
    formula = [sum(share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) for h in CLASSES) for x in VALUES]
    return Holds(meaning, formula)


@check("A11", "fractions", people(3))
def most_probable_hypothesis_needs_no_evidence(rows):
    meaning = [argmax([share(rows, {"y": h}, {"x": x}) for h in CLASSES]) for x in VALUES]
    formula = [argmax([share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) for h in CLASSES]) for x in VALUES]
    return Holds(meaning, formula)


@check("A12", "fractions", people(3))
def bayes_theorem_from_feature_to_feature(rows):
    # Learning x1 first and x2 after it must come to the same as learning both at once.
    def after_both(j, x1, x2):
        seen = [row for row in rows if row["x1"] == x1]
        return share(seen, {"y": j}, {"x2": x2})

    meaning = [after_both(j, *x) for j in CLASSES for x in VALUES]
    formula = [
        share(rows, {"x": x}, {"y": j}) * share(rows, {"y": j}) / share(rows, {"x": x}) for j in CLASSES for x in VALUES
    ]
    return Holds(meaning, formula)


@check("A25a", "fractions", people(3))
def posterior_is_joint_over_evidence(rows):
    meaning = [share(rows, {"y": j}, {"x": x}) for j in CLASSES for x in VALUES]
    formula = [share(rows, {"y": j, "x": x}) / share(rows, {"x": x}) for j in CLASSES for x in VALUES]
    return Holds(meaning, formula)


@check("A25b", "fractions", people(3))
def posterior_is_proportional_to_likelihood_times_prior(rows):
    meaning = [[share(rows, {"y": j}, {"x": x}) for j in CLASSES] for x in VALUES]
    formula = [normalised([share(rows, {"x": x}, {"y": j}) * share(rows, {"y": j}) for j in CLASSES]) for x in VALUES]
    return Holds(meaning, formula)


@check("A53", "fractions", people(3))
def joint_is_conditional_times_marginal(rows):
    meaning = [share(rows, {"y": j, "x": x}) for j in CLASSES for x in VALUES]
    formula = [share(rows, {"y": j}, {"x": x}) * share(rows, {"x": x}) for j in CLASSES for x in VALUES]
    return Holds(meaning, formula)
