"""A spam filter for short messages: its errors and their intervals, ROC and precision, costs, calibration, reasons."""
