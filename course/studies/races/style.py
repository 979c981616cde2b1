"""One line style for each solver, in all figures: colours tell families, dashes their members."""

from course.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILLION

STYLES: dict[str, dict[str, object]] = {
    "Newton": {"color": BLUE},
    "IRLS": {"color": SKY, "linestyle": "--"},
    "Newton-CG": {"color": BLUE, "linestyle": ":"},
    "BFGS": {"color": GREEN},
    "L-BFGS": {"color": GREEN, "linestyle": "--"},
    "conjugate gradient": {"color": ORANGE},
    "fixed Hessian": {"color": PURPLE},
    "coordinate Newton": {"color": PURPLE, "linestyle": "--"},
    "gradient descent": {"color": VERMILLION},
    "SGD": {"color": VERMILLION, "linestyle": ":"},
    "iterative scaling": {"color": GREY},
}
