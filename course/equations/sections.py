"""Where a formula is derived: the main section of its topic, or the one that is named here."""

from course.equations.entry import Equation
from course.outline import Section, topics

# Sections that derive what the main section of the topic does not; each treats the topic too.
_ELSEWHERE = {
    ("10-bayes-theorem", 3): "A11 A16a A16b B3a B3b E52a E55",
    ("10-bayes-theorem", 6): "B19a B19b E57 E58 E59 E60",
    ("12-discrete-distributions", 2): "A6 A7 A8 D15a D15b E38",
    ("12-discrete-distributions", 4): "D20b",
    ("13-beta-and-dirichlet", 7): "B26b B27",
    ("20-naive-bayes-by-hand", 6): "B24a B24b B25",
    ("21-smoothing", 1): "A21 A22 B34a B34b D27",
    ("25-spam", 4): "D13",
    ("26-gaussian-naive-bayes", 2): "E78 E79 E80 E81",
    ("26-gaussian-naive-bayes", 3): "C8a C8b C11 C47 E73 E75 E76 E77",
    ("26-gaussian-naive-bayes", 5): "E85 E86 E87 E88 E91a",
    ("30-gaussian-discriminant-analysis", 3): "B13a B13b B13c B13d B13e B13f B13g B14 B15 B15a",
    ("41-generalised-linear-models", 2): "E33 E34 E35 E36",
    ("41-generalised-linear-models", 3): "E29 E30 E33a",
    ("41-generalised-linear-models", 4): "E33b E37 E37a",
    ("41-generalised-linear-models", 5): "E49 E50 E51 E52",
    ("43-logistic-regression", 3): (
        "A32a A34 A35 A36 A37 A38 A39 A40a A40b A41 C14a C14b C29 C30 C33 C34 C35a C35b C35c C35d "
        "D34 D35 D39a D40a D40b D40c D41 E16 E17a E18 E19 E20 E21 E22b"
    ),
    ("45-softmax", 2): "D54 E48",
    ("46-perceptron-hinge-logistic", 2): "D45",
    ("50-newtons-method", 8): "C45 C46",
    ("51-stochastic-gradients", 1): "D47",
    ("70-duality", 2): "A57 A58 A59 A60a A60b",
    ("70-duality", 3): "A61 A62 A63",
    ("70-duality", 5): "A64 A65a A65b A65c",
}
SECTIONS = {key: Section(*section) for section, keys in _ELSEWHERE.items() for key in keys.split()}


def derived_in(equation: Equation) -> Section:
    """The section that derives a formula."""
    return SECTIONS.get(equation.id, topics()[equation.topic].sections[0])
