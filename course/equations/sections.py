"""Where a formula is derived: the main section of its topic, or the one that is named here."""

from course.equations.entry import Equation
from course.outline import Section, topics

# Sections that derive what the main section of the topic does not; each treats the topic too.
_ELSEWHERE = {
    ("02-foundations", 3): "A11 A16a A16b B3a B3b E52a E55",
    ("03-discrete-distributions", 2): "A6 A7 A8 D15a D15b E38",
    ("03-discrete-distributions", 4): "D20b",
    ("04-smoothing-as-a-prior", 2): "A21 A22 B26b B27 B34a B34b D27",
    ("05-naive-bayes-by-hand", 6): "B24a B24b B25",
    ("10-spam", 2): "D13",
    ("12-gaussian-discriminant-analysis", 3): "B13a B13b B13c B13d B13e B13f B13g B14 B15 B15a",
    ("13-linear-regression-and-glms", 4): "E33 E33a E34 E35 E36",
    ("13-linear-regression-and-glms", 5): "E33b E37 E37a",
    ("14-logistic-regression", 3): "A32a A34 A35 A36 A37 A39 C14a C14b C29 C30 D34 D35 D39a E16 E17a E18 E19",
    ("15-softmax", 2): "A46a A46b E48",
    ("15-softmax", 3): "D54",
    ("16-perceptron-hinge-logistic", 2): "D45",
    ("17-newton-v-sgd", 5): "D47",
    ("17-newton-v-sgd", 8): "C45 C46",
    ("23-duality", 2): "A57 A58 A59 A60a A60b",
    ("23-duality", 3): "A61 A62 A63",
    ("23-duality", 5): "A64 A65a A65b A65c",
}
SECTIONS = {key: Section(*section) for section, keys in _ELSEWHERE.items() for key in keys.split()}


def derived_in(equation: Equation) -> Section:
    """The section that derives a formula."""
    return SECTIONS.get(equation.id, topics()[equation.topic].sections[0])
