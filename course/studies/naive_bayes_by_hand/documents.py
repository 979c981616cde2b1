"""The five documents of the worked example: four with a class, and the one to classify."""

CLASSES = ("China", "Japan")
VOCABULARY = ("Chinese", "Beijing", "Shanghai", "Macao", "Tokyo", "Japan")
TEXTS = (
    "Chinese Beijing Chinese",
    "Chinese Chinese Shanghai",
    "Chinese Macao",
    "Tokyo Japan Chinese",
)
LABELS = ("China", "China", "China", "Japan")
QUESTION = "Chinese Chinese Chinese Tokyo Japan"
