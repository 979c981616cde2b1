"""Logistic regression: two classes, likelihood, derivatives, steps of two methods, many classes."""

import mpmath

from probml.equations.calculus import derivative, dot, gradient, hessian, total, vector
from probml.equations.cases import precise, two_classes
from probml.equations.entry import Conditional, Erratum, Holds, Lecture
from probml.equations.lecture_a.cases import coin, gentle, many_classes, number

lecture = Lecture("A")
exp, log = mpmath.exp, mpmath.log

REGRESSIONS = "slide *Linear Regression VS. Logistic Regression*"
TWO_CLASSES = "slide *Modeling Probabilities of Two Classes*"
LEARNING = "slide *Parameter Estimation: Learning*"
OPTIMIZATION = "slide *Optimization*"
FIRST = "slide *First Derivative*"
SECOND = "slide *Second Derivative*"
MULTICLASS = "slide *What about Multiclass Classification?*"

lecture.definition(
    "A27",
    REGRESSIONS,
    r"y = \boldsymbol\theta^\top \mathbf x = \theta_0 + \theta_1 x_1 + \dots + \theta_p x_p",
    "R1",
    "the prediction, with a constant feature 1 in x; the answer itself varies about it, as the next line says",
)
lecture.definition(
    "A28",
    REGRESSIONS + " and *Recall Linear Regression and Logistic Regression*",
    r"y \mid \mathbf x, \boldsymbol\theta \sim N(\boldsymbol\theta^\top \mathbf x, \sigma^2)",
    "R3",
)
lecture.definition(
    "A29",
    REGRESSIONS,
    r"P(Y = j \mid \mathbf x, \boldsymbol\theta) \in [0, 1], \quad \sum_j P(Y = j \mid \mathbf x, \boldsymbol\theta) = 1",
    "L4",
)
lecture.definition("A30", "slide *Logistic Function*", r"\sigma(z) = \frac1{1 + e^{-z}}", "L1")


def sigma(z):
    """The logistic function, by a formula that is not in the lecture."""
    return (1 + mpmath.tanh(z / 2)) / 2


def probability(y, z):
    """P(Y = y) where the log odds of class 1 are z."""
    return sigma(z) if y == 1 else sigma(-z)


def log_likelihood(x, y, theta):
    return total([log(probability(y_i, dot(theta, x_i))) for x_i, y_i in zip(x, y, strict=True)])


@lecture.holds(
    "A31",
    "slide *Logistic Function*, note",
    r"\sigma'(z) = \sigma(z)\, (1 - \sigma(z))",
    "L1",
    method="differences",
    case=precise(number),
)
def slope_of_the_logistic_function(z):
    meaning = derivative(lambda t: 1 / (1 + exp(-t)), z)
    formula = sigma(z) * (1 - sigma(z))
    return Holds(meaning, formula)


lecture.definition(
    "A32a",
    TWO_CLASSES,
    r"P(Y = 1 \mid \mathbf x, \boldsymbol\theta) = \sigma(\boldsymbol\theta^\top \mathbf x) = \frac1{1 + \exp(-\boldsymbol\theta^\top \mathbf x)}",
    "L1",
)


@lecture.holds(
    "A32b",
    TWO_CLASSES,
    r"P(Y = 1 \mid \mathbf x, \boldsymbol\theta) = \frac{\exp(\boldsymbol\theta^\top \mathbf x)}{1 + \exp(\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_1_by_growing_exponentials(z):
    meaning = sigma(z)
    formula = exp(z) / (1 + exp(z))
    return Holds(meaning, formula)


@lecture.holds(
    "A33a",
    TWO_CLASSES,
    r"P(Y = 0 \mid \mathbf x, \boldsymbol\theta) = 1 - \sigma(\boldsymbol\theta^\top \mathbf x) = \frac{\exp(-\boldsymbol\theta^\top \mathbf x)}{1 + \exp(-\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_0_by_falling_exponentials(z):
    meaning = 1 - sigma(z)
    formula = exp(-z) / (1 + exp(-z))
    return Holds(meaning, formula)


@lecture.holds(
    "A33b",
    TWO_CLASSES,
    r"P(Y = 0 \mid \mathbf x, \boldsymbol\theta) = \frac1{1 + \exp(\boldsymbol\theta^\top \mathbf x)}",
    "L1",
    method="50 digits",
    case=precise(number),
)
def class_0_by_growing_exponentials(z):
    meaning = 1 - sigma(z)
    formula = 1 / (1 + exp(z))
    return Holds(meaning, formula)


lecture.definition("A34", TWO_CLASSES, r"\boldsymbol\theta = (\theta_0, \theta_1, \dots, \theta_p)^\top", "L1")
lecture.definition(
    "A35",
    TWO_CLASSES + " and *Recall Linear Regression and Logistic Regression*",
    r"y \mid \mathbf x, \boldsymbol\theta \sim \text{Bernoulli}(\sigma(\boldsymbol\theta^\top \mathbf x))",
    "L1",
)


@lecture.holds(
    "A36",
    "slide *The 1-d Situation*",
    r"P(Y = 1 \mid x, \theta_0, \theta_1) = \sigma(\theta_1 x + \theta_0)",
    "L1",
    method="50 digits",
    case=precise(two_classes),
)
def one_feature_and_a_constant(x, y, theta):
    weights = theta[:2]
    meaning = [sigma(dot(weights, row[:2])) for row in x]
    values, theta_0, theta_1 = [row[1] for row in x], *weights
    formula = [sigma(theta_1 * value + theta_0) for value in values]
    return Holds(meaning, formula)


@lecture.holds(
    "A37",
    "slide *Classification Assuming Parameters are Given: Inference*",
    r"\text{class } 1 \text{ if } \sigma(\boldsymbol\theta^\top \mathbf x) > 0.5, \text{ otherwise class } 0",
    "L1",
    method="50 digits",
    case=precise(two_classes),
)
def the_rule_errs_least(x, y, theta):
    def errs(answer, row):
        odds = {0: mpmath.mpf(1), 1: exp(dot(theta, row))}
        return sum(odds[label] for label in odds if label != answer) / sum(odds.values())

    meaning = [errs(1, row) < errs(0, row) for row in x]
    formula = [sigma(dot(theta, row)) > 0.5 for row in x]
    return Holds(meaning, formula)


lecture.definition("A38", LEARNING, r"p_i = p(y_i = 1 \mid \mathbf x_i, \boldsymbol\theta)", "L2")


@lecture.holds(
    "A39",
    LEARNING,
    r"P(Y = y_i \mid \mathbf x_i) = p_i^{y_i} (1 - p_i)^{1 - y_i}",
    "L1",
    method="fractions",
    case=coin,
)
def two_cases_in_one_expression(phi):
    meaning = [1 - phi, phi]
    formula = [phi**y * (1 - phi) ** (1 - y) for y in (0, 1)]
    return Holds(meaning, formula)


@lecture.holds(
    "A40a",
    LEARNING,
    r"L = \prod_i p_i^{y_i} (1 - p_i)^{1 - y_i}",
    "L2",
    method="50 digits",
    case=precise(gentle),
)
def likelihood_of_labels(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    p = [1 / (1 + exp(-dot(theta, x_i))) for x_i in x]
    formula = mpmath.fprod(p_i**y_i * (1 - p_i) ** (1 - y_i) for p_i, y_i in zip(p, y, strict=True))
    return Holds(meaning, formula)


@lecture.erratum(
    "A40b",
    LEARNING,
    r"L = \prod_i \left(\frac{\exp(\boldsymbol\theta^\top \mathbf x_i)}{1 + \exp(\boldsymbol\theta^\top \mathbf x_i)}\right)^{y_i} \left(\frac1{1 + \exp(\boldsymbol\theta^\top \mathbf x_i)}\right)^{1 - y_i}",
    "L2",
    "the index of x is missing: as printed, all examples have the same features",
    printed=r"L = \prod_i \left(\frac{\exp(\boldsymbol\theta^\top \mathbf x)}{1 + \exp(\boldsymbol\theta^\top \mathbf x)}\right)^{y_i} \left(\frac1{1 + \exp(\boldsymbol\theta^\top \mathbf x)}\right)^{1 - y_i}",
    method="50 digits",
    case=precise(gentle),
)
def likelihood_of_labels_by_exponentials(x, y, theta):
    meaning = mpmath.fprod(probability(y_i, dot(theta, x_i)) for x_i, y_i in zip(x, y, strict=True))
    z = [dot(theta, x_i) for x_i in x]
    formula = mpmath.fprod(
        (exp(z_i) / (1 + exp(z_i))) ** y_i * (1 / (1 + exp(z_i))) ** (1 - y_i) for z_i, y_i in zip(z, y, strict=True)
    )
    same = exp(z[0])
    printed = mpmath.fprod((same / (1 + same)) ** y_i * (1 / (1 + same)) ** (1 - y_i) for y_i in y)
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "A41",
    OPTIMIZATION,
    r"\log L = \sum_i \bigl(y_i\, \boldsymbol\theta^\top \mathbf x_i - \log(1 + \exp(\boldsymbol\theta^\top \mathbf x_i))\bigr)",
    "L2",
    note="the sum is over both terms; the slide leaves the bracket out",
    method="50 digits",
    case=precise(two_classes),
)
def log_likelihood_of_labels(x, y, theta):
    meaning = log_likelihood(x, y, theta)
    z = [dot(theta, x_i) for x_i in x]
    formula = sum(y_i * z_i - log(1 + exp(z_i)) for y_i, z_i in zip(y, z, strict=True))
    return Holds(meaning, formula)


@lecture.holds(
    "A42",
    OPTIMIZATION,
    r"\boldsymbol\theta^{\text{new}} = \boldsymbol\theta^{\text{old}} + \eta\, \frac{\partial \log L(\boldsymbol\theta)}{\partial \boldsymbol\theta}",
    "L3",
    note="checked as the point where the first-order gain, less the squared length of the step over 2 η, is largest; and a small step gains",
    method="differences",
    case=precise(gentle),
)
def gradient_ascent_goes_up(x, y, theta):
    eta = mpmath.mpf(1) / 128
    slope = gradient(lambda t: log_likelihood(x, y, t), theta)

    def best_of_coordinate(start, g):
        # The top of the parabola t -> t g - t^2 / (2 eta), from three of its points.
        low, high = (t * g - t**2 / (2 * eta) for t in (-1, 1))
        return start + (high - low) / (-2 * (high + low))

    meaning = [best_of_coordinate(t, g) for t, g in zip(theta, slope, strict=True)]
    formula = [t + eta * g for t, g in zip(theta, slope, strict=True)]
    rises = log_likelihood(x, y, formula) > log_likelihood(x, y, theta)
    return Holds([meaning, True], [formula, rises])


@lecture.condition(
    "A43",
    OPTIMIZATION,
    r"\boldsymbol\theta^{\text{new}} = \boldsymbol\theta^{\text{old}} - \left(\frac{\partial^2 \log L(\boldsymbol\theta)}{\partial \boldsymbol\theta\, \partial \boldsymbol\theta^\top}\right)^{-1} \frac{\partial \log L(\boldsymbol\theta)}{\partial \boldsymbol\theta}",
    "L3",
    "if the columns of X are linearly independent: otherwise the Hessian has no inverse. Checked as a weighted least-squares fit",
    method="differences",
    case=precise(gentle),
)
def newton_step_is_weighted_least_squares(x, y, theta):
    p = [sigma(dot(theta, x_i)) for x_i in x]
    root = [mpmath.sqrt(p_i * (1 - p_i)) for p_i in p]
    rows = mpmath.matrix([[r * each for each in x_i] for r, x_i in zip(root, x, strict=True)])
    answers = [r * dot(theta, x_i) + (y_i - p_i) / r for r, x_i, y_i, p_i in zip(root, x, y, p, strict=True)]
    meaning = vector(mpmath.qr_solve(rows, mpmath.matrix(answers))[0])

    def f(t):
        return log_likelihood(x, y, t)

    step = vector(mpmath.lu_solve(mpmath.matrix(hessian(f, theta)), mpmath.matrix(gradient(f, theta))))
    formula = [t - s for t, s in zip(theta, step, strict=True)]
    twice = [[*x_i, x_i[1]] for x_i in x]  # a feature that is there twice
    size = abs(mpmath.det(mpmath.matrix(hessian(lambda t: log_likelihood(twice, y, t), [*theta, theta[1]]))))
    return Conditional(meaning, formula, without=(True, bool(size > mpmath.mpf("1e-20"))))


@lecture.holds(
    "A44a",
    FIRST,
    r"\frac{\partial \log L}{\partial \theta_j} = \sum_i y_i x_{ij} - \sum_i \frac{x_{ij}\, e^{\boldsymbol\theta^\top \mathbf x_i}}{1 + e^{\boldsymbol\theta^\top \mathbf x_i}}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def gradient_by_exponentials(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    e = [exp(dot(theta, x_i)) for x_i in x]
    formula = [
        sum(y_i * x_i[j] for x_i, y_i in zip(x, y, strict=True))
        - sum(x_i[j] * e_i / (1 + e_i) for x_i, e_i in zip(x, e, strict=True))
        for j in range(3)
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "A44b",
    FIRST,
    r"\frac{\partial \log L}{\partial \theta_j} = \sum_i y_i x_{ij} - \sum_i p_i(\boldsymbol\theta)\, x_{ij}",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def gradient_by_two_sums(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [
        sum(y_i * x_i[j] for x_i, y_i in zip(x, y, strict=True))
        - sum(p_i * x_i[j] for x_i, p_i in zip(x, p, strict=True))
        for j in range(3)
    ]
    return Holds(meaning, formula)


@lecture.holds(
    "A44c",
    FIRST,
    r"\frac{\partial \log L}{\partial \theta_j} = \sum_i x_{ij}\, (y_i - p_i(\boldsymbol\theta))",
    "L2",
    method="differences",
    case=precise(two_classes),
)
def gradient_by_residuals(x, y, theta):
    meaning = gradient(lambda t: log_likelihood(x, y, t), theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [sum(x_i[j] * (y_i - p_i) for x_i, y_i, p_i in zip(x, y, p, strict=True)) for j in range(3)]
    return Holds(meaning, formula)


PAIRS = [(j, k) for j in range(2) for k in range(2)]


def second_derivatives(x, y, theta):
    H = hessian(lambda t: log_likelihood(x, y, t), theta)
    return [H[j][k] for j, k in PAIRS]


@lecture.holds(
    "A45a",
    SECOND,
    r"\frac{\partial^2 \log L}{\partial \theta_j\, \partial \theta_k} = -\sum_i \frac{(1 + e^{\boldsymbol\theta^\top \mathbf x_i})\, e^{\boldsymbol\theta^\top \mathbf x_i} x_{ij} x_{ik} - (e^{\boldsymbol\theta^\top \mathbf x_i})^2 x_{ij} x_{ik}}{(1 + e^{\boldsymbol\theta^\top \mathbf x_i})^2}",
    "L2",
    note="the end of the numerator is garbled in the converted slide; here it is what the quotient rule gives. The 2 of the second derivative is missing on the left",
    method="differences",
    case=precise(gentle),
)
def hessian_by_the_quotient_rule(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    e = [exp(dot(theta, x_i)) for x_i in x]
    formula = [
        -sum(
            ((1 + e_i) * e_i * x_i[j] * x_i[k] - e_i**2 * x_i[j] * x_i[k]) / (1 + e_i) ** 2
            for x_i, e_i in zip(x, e, strict=True)
        )
        for j, k in PAIRS
    ]
    return Holds(meaning, formula)


@lecture.erratum(
    "A45b",
    SECOND,
    r"\frac{\partial^2 \log L}{\partial \theta_j\, \partial \theta_k} = -\sum_i x_{ij} x_{ik}\, p_i(\boldsymbol\theta) + \sum_i x_{ij} x_{ik}\, (p_i(\boldsymbol\theta))^2",
    "L2",
    "the sign of the second sum: the minus before both sums was applied to the first alone",
    printed=r"-\sum_i x_{ij} x_{ik}\, p_i(\boldsymbol\theta) - \sum_i x_{ij} x_{ik}\, (p_i(\boldsymbol\theta))^2",
    method="differences",
    case=precise(gentle),
)
def hessian_by_two_sums(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    data = list(zip(x, p, strict=True))
    formula = [
        -sum(x_i[j] * x_i[k] * p_i for x_i, p_i in data) + sum(x_i[j] * x_i[k] * p_i**2 for x_i, p_i in data)
        for j, k in PAIRS
    ]
    printed = [
        -sum(x_i[j] * x_i[k] * p_i for x_i, p_i in data) - sum(x_i[j] * x_i[k] * p_i**2 for x_i, p_i in data)
        for j, k in PAIRS
    ]
    return Erratum(meaning, formula, printed)


@lecture.holds(
    "A45c",
    SECOND,
    r"\frac{\partial^2 \log L}{\partial \theta_j\, \partial \theta_k} = -\sum_i x_{ij} x_{ik}\, p_i(\boldsymbol\theta)\, (1 - p_i(\boldsymbol\theta))",
    "L2",
    method="differences",
    case=precise(gentle),
)
def hessian_by_variances(x, y, theta):
    meaning = second_derivatives(x, y, theta)
    p = [sigma(dot(theta, x_i)) for x_i in x]
    formula = [-sum(x_i[j] * x_i[k] * p_i * (1 - p_i) for x_i, p_i in zip(x, p, strict=True)) for j, k in PAIRS]
    return Holds(meaning, formula)


def softmax_and_differences(x, vectors):
    """Probabilities of four classes from four vectors, and the scores of the first three against the last."""
    weights = [exp(dot(each, x)) for each in vectors]
    scores = [dot([a - b for a, b in zip(each, vectors[-1], strict=True)], x) for each in vectors[:-1]]
    return [each / sum(weights) for each in weights], scores


@lecture.holds(
    "A46a",
    MULTICLASS,
    r"P(Y = j \mid \mathbf x) = \frac{\exp(\boldsymbol\theta_j^\top \mathbf x)}{1 + \sum_{m=1}^{M-1} \exp(\boldsymbol\theta_m^\top \mathbf x)}, \quad j < M",
    "L4",
    method="50 digits",
    case=precise(many_classes),
)
def classes_with_a_vector_of_their_own(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[:-1]
    formula = [exp(z_j) / (1 + sum(exp(z_m) for z_m in z)) for z_j in z]
    return Holds(meaning, formula)


@lecture.holds(
    "A46b",
    MULTICLASS,
    r"P(Y = M \mid \mathbf x) = \frac1{1 + \sum_{m=1}^{M-1} \exp(\boldsymbol\theta_m^\top \mathbf x)}",
    "L4",
    method="50 digits",
    case=precise(many_classes),
)
def class_that_the_others_are_compared_with(x, vectors):
    probabilities, z = softmax_and_differences(x, vectors)
    meaning = probabilities[-1]
    formula = 1 / (1 + sum(exp(z_m) for z_m in z))
    return Holds(meaning, formula)
