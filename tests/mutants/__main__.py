"""Change the formulas of the library one at a time, and see whether the unit tests notice: `make mutants`.

A mutant is the library with one sign, factor, power, comparison or number changed. It is *killed* by the first test
that fails or does not end. Only tests that run the changed line are run, first those that have killed mutants of the
same function, then one of each kind, quick ones and those of this file alone before others. Loops that Numba
would compile run as plain Python. Outcomes are kept in .work/mutants, so that the command goes on where it was stopped.

What survives is listed in `survivors.toml`, each with the reason why no test could notice (or why none needs to).
"""

import argparse
import ast
import importlib
import math
import os
import random
import re
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

from campaign import WORK, Campaign  # noqa: E402
from coverage_of_lines import watched  # noqa: E402
from mutations import Mutation, mutations  # noqa: E402
from outcomes import SURVIVED, Outcomes, reasons  # noqa: E402
from summary import summary  # noqa: E402

ROOMS = ["families", "losses", "objectives", "solvers", "linear_model", "generative", "naive_bayes", "gda", "nbsvm"]
ROOMS += ["metrics", "curves", "text", "comparison/extrapolation", "comparison/verdict", "comparison/race"]


def main() -> int:
    """Run the campaign, print each survivor as it is found, and the score by room."""
    parser = argparse.ArgumentParser(prog="tests/mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=f"packages or files of probml (default: {ROOMS})")
    parser.add_argument("--sample", type=float, default=1.0, help="the part of the mutants of each room that is tried")
    parser.add_argument("--most", type=int, default=10**6, metavar="N", help="no more than so many in a room")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--only", default="", metavar="REGEX", help="mutants that match this, as they are printed")
    parser.add_argument("--seconds", type=float, default=10.0, help="of tests, for one mutant")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    tests = watched(WORK)
    chosen = _chosen(options.rooms or ROOMS, options.sample, options.most, options.seed)
    chosen = [each for each in chosen if re.search(options.only, str(each))]
    campaign = Campaign(tests, Outcomes(WORK / "outcomes.jsonl", options.seconds), options.jobs, options.seconds)
    campaign.run(chosen)
    everything = [each for file in _files(ROOMS) for each in mutations(ROOT, file)]
    table = summary(chosen, campaign.outcome, Counter(each.room for each in everything))
    (WORK / "summary.md").write_text(table + "\n", encoding="utf-8")
    print(table)
    stale = set(reasons()) - {each.key for each in everything}
    for key in sorted(stale):
        print(f"survivors.toml gives a reason for what is no mutant of the library: {key}")
    return 1 if stale or any(campaign.outcome(each) == SURVIVED and each.key not in reasons() for each in chosen) else 0


def _chosen(rooms: Iterable[str], part: float, most: int, seed: int) -> list[Mutation]:
    """This part of the mutants of each room, drawn at random.

    They are in such an order that those that were tried are a sample of all rooms whenever the campaign is stopped;
    those for which there is a reason come last.
    """
    by_room: dict[str, list[Mutation]] = defaultdict(list)
    for file in _files(rooms):
        for each in mutations(ROOT, file):
            by_room[each.room].append(each)
    chosen = []
    for room, found in by_room.items():
        drawn = random.Random(f"{seed} {room}").sample(found, len(found))[: math.ceil(part * len(found))][:most]
        chosen += [(each.key in reasons(), (place + 0.5) / len(found), each) for place, each in enumerate(drawn)]
    return [each for *_, each in sorted(chosen, key=lambda each: each[:2])]


def _files(rooms: Iterable[str]) -> list[str]:
    files = []
    for room in rooms:
        path = ROOT / "probml" / room
        found = sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]
        files += [str(file.relative_to(ROOT)) for file in found]
    return files


def _preload() -> None:
    """Import what tests and library import from elsewhere, so that each process has it from the start."""
    names = set()
    for file in [*(ROOT / "tests/probml").glob("*.py"), *(ROOT / "probml").rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
    with warnings.catch_warnings(action="ignore"):
        for name in sorted(names):
            if name.partition(".")[0] not in ("probml", "choices", "tests", "course"):
                with suppress(ImportError):
                    importlib.import_module(name)
    import hypothesis
    from hypothesis import Phase

    # one example that fails is enough: to make it simple takes longer than to find it
    hypothesis.settings.register_profile(
        "mutants",
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate, Phase.target],
        report_multiple_bugs=False,
    )
    hypothesis.settings.load_profile("mutants")


if __name__ == "__main__":
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    os.chdir(ROOT)
    _preload()
    sys.exit(main())
