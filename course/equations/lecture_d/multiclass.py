"""More than two classes."""

from mpmath import exp

from course.equations.calculus import dot
from course.equations.cases import precise
from course.equations.entry import Holds, Lecture
from course.equations.lecture_d.cases import many_classes

lecture = Lecture("D")
lecture.definition("D48", "slide *Multiclass naive Bayes*, classes", r"\mathcal Y = \{C_1, \dots, C_c\}", "N7")
lecture.definition("D49", "slide *Multiclass naive Bayes*, display 1", r"C_2 = [0; 1; 0; \dots; 0]", "N7")
lecture.definition(
    "D50",
    "slide *Multiclass naive Bayes*, display 2",
    r"p(\mathbf y = C_k; \boldsymbol\pi) = \pi_k",
    "N7",
)
lecture.definition("D51", "slide *Multiclass naive Bayes*, display 3", r"\{\mathbf w_\ell\}_{\ell=1}^c", "N7")
lecture.definition(
    "D52",
    "slide *Multiclass naive Bayes*, display 4",
    r"p(\mathbf x \mid \mathbf y; \{\mathbf w_\ell\}_{\ell=1}^c)",
    "N7",
)
lecture.definition(
    "D53",
    "slide *Multiclass logistic regression*",
    r"p(\mathbf y = C_k \mid \mathbf x; \{\mathbf w_\ell\}_{\ell=1}^c) = \frac{\exp(\mathbf x^\top \mathbf w_k)}{\sum_\ell \exp(\mathbf x^\top \mathbf w_\ell)}",
    "L4",
    "the model",
)


@lecture.holds(
    "D54",
    "slide *Multiclass logistic regression*, bullet 2",
    r"c = 2: \; \frac{\exp(\mathbf x^\top \mathbf w_1)}{\sum_\ell \exp(\mathbf x^\top \mathbf w_\ell)} = \sigma(\mathbf x^\top (\mathbf w_1 - \mathbf w_2))",
    "L4",
    "what the slide says in words: the softmax generalises the sigmoid",
    method="50 digits",
    case=precise(many_classes),
)
def softmax_of_two_classes(w, x):
    weights = [exp(dot(x, of_class)) for of_class in w]
    meaning = weights[0] / sum(weights)
    formula = 1 / (1 + exp(-dot(x, [a - b for a, b in zip(*w, strict=True)])))
    return Holds(meaning, formula)


lecture.definition(
    "D55",
    "slide *Neural network preview: softmax in action*",
    r"p_{\theta/\rho}(a \mid s)",
    "L4",
    "a name; the picture is not in our copy",
)
