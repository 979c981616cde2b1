"""The ledger of equations: every displayed formula of the five lectures, each with a check that can fail.

What a lecture says stands in lecture_*.toml, one entry a formula; how it is checked, in the modules of lecture_*/, one
function a check. `equations` joins the two by the formulas' ids. What users of the library call for a formula stands in
lecture_*/library.py, and is compared with it by `course.equations.library`.
"""

from course.equations.entry import Conditional, Equation, Erratum, Estimate, Holds
from course.equations.ledger import LECTURES, equations
from course.equations.verify import Verdict, verify

__all__ = [
    "LECTURES",
    "Conditional",
    "Equation",
    "Erratum",
    "Estimate",
    "Holds",
    "Verdict",
    "equations",
    "verify",
]
