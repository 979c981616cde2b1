"""All equations of the five lectures, in order."""

import re
from importlib import import_module

from course.equations.entry import Equation

LECTURES = {
    "A": "Probabilistic classifiers (CS247, University of California, Los Angeles, 2020)",
    "B": "Notes on generative learning algorithms (CS229, Stanford University)",
    "C": "Generative and discriminative classifiers (Carnegie Mellon University, 2009)",
    "D": "Probabilistic classification (CS181, Harvard University)",
    "E": "Probabilistic modelling (DS-GA 1003, New York University, 2020)",
}
FILES = {
    "A": (
        "bayes",
        "distributions",
        "text",
        "logistic",
        "logistic_likelihood",
        "logistic_steps",
        "logistic_derivatives",
        "many_classes",
        "families",
        "lagrangian",
    ),
    "B": (
        "posterior",
        "normal",
        "class_prior",
        "class_means",
        "shared_covariance",
        "matrix_derivatives",
        "logistic_posterior",
        "naive",
        "events",
    ),
    "C": ("bayes", "normal", "boundary", "regression", "likelihood", "newton", "cost", "rates"),
    "D": ("generative", "features", "multinomial", "naive_bayes", "discriminative", "logistic", "multiclass"),
    "E": (
        "linear",
        "normal_likelihood",
        "logistic",
        "logistic_gradient",
        "exponential_family",
        "poisson_regression",
        "softmax",
        "glm_gradient",
        "bayes_rule",
        "naive_bayes",
        "bernoulli_fit",
        "gaussian_fit",
        "boundary",
    ),
}


def equations() -> list[Equation]:
    """Every equation, lecture by lecture, in the order of its numbers."""
    found = []
    for letter, names in FILES.items():
        for name in names:
            module = import_module(f"course.equations.lecture_{letter.lower()}.{name}")
            found += module.lecture.equations
    found.sort(key=lambda equation: _order(equation.id))
    ids = [equation.id for equation in found]
    if twice := sorted({each for each in ids if ids.count(each) > 1}):
        raise ValueError(f"these equations are there twice: {', '.join(twice)}")
    return found


def _order(key: str) -> tuple:
    letter, number, rest = re.fullmatch(r"([A-E])(\d+)([a-z]*)", key).groups()
    return letter, int(number), rest
