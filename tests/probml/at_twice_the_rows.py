"""Are predictions for twice the rows right? Run by hand: python tests/probml/at_twice_the_rows.py

The comparison sees a quarter of a data set, and predicts the errors with twice as many rows; these are then measured,
with half of the data set to learn from and the other half to test. The sets come with scikit-learn and statsmodels.
"""

import numpy as np
import statsmodels.api as sm
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from probml.comparison.columns import inspect
from probml.comparison.contenders import CONTENDERS, Design
from probml.comparison.race import one_split, run, stratified_order
from probml.comparison.table import read
from probml.comparison.verdict import answers

MOST, SPLITS, REPEATS = 6000, 20, 3


def tables():
    """Names of the sets, with columns and the name of the target."""
    for load in (load_iris, load_wine, load_breast_cancer):
        X, y = load(return_X_y=True)
        yield load.__name__[5:], {f"x{j}": x for j, x in enumerate(X.T)} | {"y": y}, "y"
    fair = sm.datasets.fair.load_pandas().data
    yield "fair", fair.assign(affairs=fair.affairs > 0).to_dict("list"), "affairs"
    health = sm.datasets.randhie.load_pandas().data
    yield "randhie", health.assign(mdvis=health.mdvis > 0).to_dict("list"), "mdvis"
    yield "anes96", sm.datasets.anes96.load_pandas().data.to_dict("list"), "vote"
    yield "modechoice", sm.datasets.modechoice.load_pandas().data.drop(columns="individual").to_dict("list"), "choice"


def some(table, rows):
    """Rows of a table."""
    return {name: [values[row] for row in rows] for name, values in table.items()}


def main():
    """A line for each prediction, and the coverage."""
    covered = {True: [], False: []}
    head = f"{'data':14}{'n':>6} {'contender':20}{'at 0.8 n':>9}{'at 2 n, predicted':>24}{'measured':>10}"
    print(f"{head}  covered; why not supported")
    for name, table, target in tables():
        y = inspect(read(table), target).y
        for repeat in range(REPEATS):
            order = stratified_order(y, np.random.default_rng([7, repeat]))[:MOST]
            n = len(order) // 4
            found = answers(run(inspect(read(some(table, order[:n])), target), SPLITS, repeat, lambda *_: None), repeat)
            design = Design.of(inspect(read(some(table, order)), target))
            measured = np.mean(
                [
                    one_split(
                        design,
                        CONTENDERS,
                        np.array([2 * n]),
                        stratified_order(design.examples.y, np.random.default_rng([8, draw])),
                        len(order) - 2 * n,
                    )[0][:, 0]
                    for draw in range(SPLITS)
                ],
                axis=0,
            )
            for m, prediction in enumerate(found["ahead"][0]["predictions"]):
                now, then = found["curves"][m]["error"]["mean"][-1], prediction["error"]
                inside = bool(then["low"] <= measured[m] <= then["high"])
                covered[not then["against"]].append(inside)
                interval = f"{then['value']:.4f} ({then['low']:.4f}–{then['high']:.4f})"
                print(
                    f"{name:14}{n:>6} {prediction['name']:20}{now:>9.4f}{interval:>24}{measured[m]:>10.4f}  "
                    f"{'yes' if inside else 'NO'}{', ' + then['against'] if then['against'] else ''}",
                    flush=True,
                )
    for supported, each in covered.items():
        kind = "supported" if supported else "not supported"
        print(f"{kind}: {sum(each)} of {len(each)} intervals cover what was measured")


if __name__ == "__main__":
    main()
