"""Joint and conditional models, Bayes' theorem, the most probable class."""

from itertools import product

from course.equations.counting import VALUES, argmax, normalised, people, share
from course.equations.entry import Conditional, Holds, Lecture

lecture = Lecture("A")
CLASSES = range(3)

lecture.definition(
    "A1",
    "slide *Probabilistic Models for Classification*, joint model",
    r"p(D \mid \theta) = \prod_i p(\mathbf x_i, y_i \mid \theta)",
    "F1",
)


@lecture.condition(
    "A2",
    "slide *Probabilistic Models for Classification*, conditional model",
    r"p(D \mid \theta) = \prod_i p(y_i \mid \mathbf x_i, \theta)",
    "F1",
    "if D stands for the labels, the inputs being given; of the pairs, a factor of all p(x) is missing",
    method="fractions",
    case=people(3),
)
def conditional_likelihood(rows):
    # Two people drawn with replacement: all pairs are equally likely.
    pairs = [{"y": (a["y"], b["y"]), "x": (a["x"], b["x"])} for a, b in product(rows, rows)]
    labels, inputs = {"y": (1, 2)}, {"x": ((0, 1), (1, 1))}
    meaning = share(pairs, labels, inputs)
    formula = share(rows, {"y": 1}, {"x": (0, 1)}) * share(rows, {"y": 2}, {"x": (1, 1)})
    return Conditional(meaning, formula, without=(share(pairs, {**labels, **inputs}), formula))


@lecture.holds(
    "A9",
    "slide *Bayes' Theorem: Basics*",
    r"P(h \mid \mathbf x) = \frac{P(\mathbf x \mid h)\, P(h)}{P(\mathbf x)}",
    "F2",
    method="fractions",
    case=people(3),
)
def bayes_theorem_by_counting(rows):
    meaning = [share(rows, {"y": h}, {"x": x}) for h in CLASSES for x in VALUES]
    formula = [
        share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) / share(rows, {"x": x}) for h in CLASSES for x in VALUES
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "A10",
    "slide *Bayes' Theorem: Basics*, last but one bullet",
    r"P(\mathbf x) = \sum_h P(\mathbf x \mid h)\, P(h)",
    "F2",
    method="fractions",
    case=people(3),
)
def evidence_is_a_sum_over_hypotheses(rows):
    meaning = [share(rows, {"x": x}) for x in VALUES]
    formula = [sum(share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) for h in CLASSES) for x in VALUES]
    return Holds(meaning, formula)


@lecture.holds(
    "A11",
    "slide *Classification: Choosing Hypotheses*",
    r"h_{\text{MAP}} = \arg\max_h P(h \mid \mathbf x) = \arg\max_h P(\mathbf x \mid h)\, P(h)",
    "F2",
    method="fractions",
    case=people(3),
)
def most_probable_hypothesis_needs_no_evidence(rows):
    meaning = [argmax([share(rows, {"y": h}, {"x": x}) for h in CLASSES]) for x in VALUES]
    formula = [argmax([share(rows, {"x": x}, {"y": h}) * share(rows, {"y": h}) for h in CLASSES]) for x in VALUES]
    return Holds(meaning, formula)


@lecture.holds(
    "A12",
    "slide *Classification by Maximum A Posteriori*",
    r"p(y = j \mid \mathbf x) = \frac{p(\mathbf x \mid y = j)\, p(y = j)}{p(\mathbf x)}",
    "F2",
    method="fractions",
    case=people(3),
)
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


@lecture.holds(
    "A25a",
    "slide *A More General Naïve Bayes Framework*, goal",
    r"p(y \mid \mathbf x) = \frac{p(y, \mathbf x)}{p(\mathbf x)}",
    "F2",
    note="the slide sets the arg max itself equal to p(y, x) / p(x); the equality belongs inside the arg max",
    method="fractions",
    case=people(3),
)
def posterior_is_joint_over_evidence(rows):
    meaning = [share(rows, {"y": j}, {"x": x}) for j in CLASSES for x in VALUES]
    formula = [share(rows, {"y": j, "x": x}) / share(rows, {"x": x}) for j in CLASSES for x in VALUES]
    return Holds(meaning, formula)


@lecture.holds(
    "A25b",
    "slide *A More General Naïve Bayes Framework*, goal",
    r"p(y \mid \mathbf x) \propto p(\mathbf x \mid y)\, p(y)",
    "F2",
    method="fractions",
    case=people(3),
)
def posterior_is_proportional_to_likelihood_times_prior(rows):
    meaning = [[share(rows, {"y": j}, {"x": x}) for j in CLASSES] for x in VALUES]
    formula = [normalised([share(rows, {"x": x}, {"y": j}) * share(rows, {"y": j}) for j in CLASSES]) for x in VALUES]
    return Holds(meaning, formula)


lecture.definition(
    "A26",
    "slide *A More General Naïve Bayes Framework*, assumption",
    r"p(\mathbf x \mid y) = \prod_k p(x_k \mid y)",
    "F4",
)


@lecture.holds(
    "A53",
    "slide *Which One is Better?*",
    r"p(\mathbf x, y) = p(y \mid \mathbf x)\, p(\mathbf x)",
    "F1",
    method="fractions",
    case=people(3),
)
def joint_is_conditional_times_marginal(rows):
    meaning = [share(rows, {"y": j, "x": x}) for j in CLASSES for x in VALUES]
    formula = [share(rows, {"y": j}, {"x": x}) * share(rows, {"x": x}) for j in CLASSES for x in VALUES]
    return Holds(meaning, formula)
