"""The table of Wang and Manning (2012) for the collections that are to be had: accuracies in percent."""

MODELS = ("MNB-uni", "MNB-bi", "SVM-uni", "SVM-bi", "NBSVM-uni", "NBSVM-bi")
"""Rows. uni : words; bi : words and pairs of neighbours."""

ACCURACY = {
    "RT-s": (77.94, 79.03, 76.23, 77.72, 78.05, 79.38),
    "IMDB": (83.55, 86.59, 86.95, 89.16, 88.29, 91.22),
    "AthR": (84.99, 85.13, 82.61, 83.73, 87.94, 87.66),
    "XGraph": (89.96, 91.19, 85.14, 86.17, 91.19, 90.68),
    "BbCrypt": (99.29, 99.40, 98.29, 97.68, 99.70, 99.50),
}
BOUND = {"RT-s": 0.8, "IMDB": 0.4, "AthR": 2.9, "XGraph": 1.8, "BbCrypt": 0.5}
"""A difference of two accuracies in a column that the authors call significant, p < .05."""

PAIRS = {
    "AthR": ("alt.atheism", "talk.religion.misc"),
    "XGraph": ("comp.windows.x", "comp.graphics"),
    "BbCrypt": ("rec.sport.baseball", "sci.crypt"),
}
"""The groups of Usenet that each column tells apart."""
