"""The discriminative view: from a linear score to a probability."""

import mpmath
from mpmath import exp, log

from course.equations.calculus import dot
from course.equations.cases import precise
from course.equations.entry import Erratum, Holds, Lecture
from course.equations.lecture_d.cases import scores

lecture = Lecture("D")


def probability_of_1(h):
    """The probability whose log odds are h, by the hyperbolic tangent: ln((1 + tanh(h/2)) / (1 - tanh(h/2))) = h."""
    return (1 + mpmath.tanh(h / 2)) / 2


def probability_of_0(h):
    """What is left of 1."""
    return (1 - mpmath.tanh(h / 2)) / 2


def score(x, w, w0):
    """h of each row of x."""
    return [dot(w, x_n) + w0 for x_n in x]


lecture.definition(
    "D32",
    "slide *Generative versus discriminative model*, display 1",
    r"\arg\max_{\mathbf w} \prod_n p(\mathbf x_n, y_n; \mathbf w)",
    "F1",
)
lecture.definition(
    "D33",
    "slide *Generative versus discriminative model*, display 2",
    r"\arg\max_{\mathbf w} \prod_n p(y_n \mid \mathbf x_n; \mathbf w)",
    "F1",
)


@lecture.erratum(
    "D34",
    "slide *Linear discriminative model*, display 1",
    r"\ln p(y = 1 \mid \mathbf x; \mathbf w) = h - \ln(e^h + e^0), \quad h = \mathbf w^\top \mathbf x + w_0",
    "L1",
    "equal up to a constant that does not depend on y, not proportional: no factor fits two points x at once",
    printed=r"\ln p(y = 1 \mid \mathbf x; \mathbf w) \propto \mathbf w^\top \mathbf x + w_0 = h",
    method="50 digits",
    case=precise(scores),
)
def log_probability_of_class_1(x, y, w, w0, eta):
    h = score(x[:2], w, w0)
    meaning = [log(probability_of_1(each)) for each in h]
    formula = [each - log(exp(each) + exp(0)) for each in h]
    printed = [each * meaning[0] / h[0] for each in h]  # the factor that fits the first point
    return Erratum(meaning, formula, printed)


@lecture.erratum(
    "D35",
    "slide *Linear discriminative model*, display 2",
    r"\ln p(y = 0 \mid \mathbf x; \mathbf w) = 0 - \ln(e^h + e^0)",
    "L1",
    "the same constant is missing: what is proportional to 0 is 0, and class 0 would have probability 1",
    printed=r"\ln p(y = 0 \mid \mathbf x; \mathbf w) \propto 0",
    method="50 digits",
    case=precise(scores),
)
def log_probability_of_class_0(x, y, w, w0, eta):
    h = score(x[:2], w, w0)
    meaning = [log(probability_of_0(each)) for each in h]
    formula = [-log(exp(each) + exp(0)) for each in h]
    return Erratum(meaning, formula, printed=[0 for _ in h])


@lecture.holds(
    "D36a",
    "slide *Linear discriminative model*, display 3, first form",
    r"p(y = 1 \mid \mathbf x; \mathbf w) = \frac{\exp h}{\exp h + \exp 0}",
    "L1",
    method="50 digits",
    case=precise(scores),
)
def probability_of_class_1_normalised(x, y, w, w0, eta):
    meaning = list(map(probability_of_1, score(x, w, w0)))
    formula = [exp(h) / (exp(h) + exp(0)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@lecture.holds(
    "D36b",
    "slides *Linear discriminative model*, display 3, second form; *Logistic regression*, display 1; *Fitting model*",
    r"p(y = 1 \mid \mathbf x; \mathbf w) = (1 + \exp(-h))^{-1}",
    "L1",
    method="50 digits",
    case=precise(scores),
)
def probability_of_class_1_as_sigmoid(x, y, w, w0, eta):
    meaning = list(map(probability_of_1, score(x, w, w0)))
    formula = [1 / (1 + exp(-h)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@lecture.holds(
    "D37a",
    "slide *Linear discriminative model*, display 4, first form",
    r"p(y = 0 \mid \mathbf x; \mathbf w) = \frac{\exp 0}{\exp h + \exp 0}",
    "L1",
    method="50 digits",
    case=precise(scores),
)
def probability_of_class_0_normalised(x, y, w, w0, eta):
    meaning = list(map(probability_of_0, score(x, w, w0)))
    formula = [exp(0) / (exp(h) + exp(0)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


@lecture.holds(
    "D37b",
    "slide *Linear discriminative model*, display 4, second form",
    r"p(y = 0 \mid \mathbf x; \mathbf w) = (1 + \exp h)^{-1}",
    "L1",
    method="50 digits",
    case=precise(scores),
)
def probability_of_class_0_as_sigmoid(x, y, w, w0, eta):
    meaning = list(map(probability_of_0, score(x, w, w0)))
    formula = [1 / (1 + exp(h)) for h in score(x, w, w0)]
    return Holds(meaning, formula)


lecture.definition(
    "D38",
    "slides *Linear discriminative model*, display 5; *(Logistic) sigmoid activation*",
    r"\sigma(h) = (1 + \exp(-h))^{-1}",
    "L1",
)
