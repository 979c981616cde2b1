"""Solvers: one file each, one contract."""

from probml.solvers.base import Certificate, Solution, Step
from probml.solvers.bfgs import bfgs
from probml.solvers.conjugate_gradient import conjugate_gradient
from probml.solvers.coordinate_newton import coordinate_newton
from probml.solvers.finite_newton import finite_newton
from probml.solvers.fixed_hessian import fixed_hessian
from probml.solvers.gradient_descent import gradient_descent, largest_curvature
from probml.solvers.growing_newton import growing_newton
from probml.solvers.irls import irls
from probml.solvers.lbfgs import lbfgs
from probml.solvers.newton import newton
from probml.solvers.newton_cg import newton_cg
from probml.solvers.sgd import sgd

__all__ = [
    "Certificate",
    "Solution",
    "Step",
    "bfgs",
    "conjugate_gradient",
    "coordinate_newton",
    "finite_newton",
    "fixed_hessian",
    "gradient_descent",
    "growing_newton",
    "irls",
    "largest_curvature",
    "lbfgs",
    "newton",
    "newton_cg",
    "sgd",
]
