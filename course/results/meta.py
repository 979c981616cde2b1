"""What dvc.yaml says of a stage under `meta`. It is a hint for the order of a run: what is not understood says nothing."""


def seconds(meta: object) -> float:
    """How long the stage takes, roughly."""
    match meta:
        case {"seconds": int() | float() as number}:
            return number
        case _:
            return 0


def waits_for(meta: object) -> str:
    """What the stage waits for most of the time: a "core", or the "network"."""
    match meta:
        case {"waits_for": "network"}:
            return "network"
        case _:
            return "core"
