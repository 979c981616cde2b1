"""How good are predictions, and how honest are the probabilities?"""

from probml.metrics.calibration import CalibrationCurve, Reliability, calibration_curve, reliability
from probml.metrics.prior_shift import OperatingPoint, operating_point, shift_prior, threshold_for_costs
from probml.metrics.roc import Roc, auc, roc_curve
from probml.metrics.scores import accuracy, brier, confusion_matrix, log_loss
from probml.metrics.wilson import wilson_interval

__all__ = [
    "CalibrationCurve",
    "OperatingPoint",
    "Reliability",
    "Roc",
    "accuracy",
    "auc",
    "brier",
    "calibration_curve",
    "confusion_matrix",
    "log_loss",
    "operating_point",
    "reliability",
    "roc_curve",
    "shift_prior",
    "threshold_for_costs",
    "wilson_interval",
]
