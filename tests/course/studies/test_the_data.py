"""What the note on the data measures, against small cases that can be counted by hand; its catalogue; its figures."""

import ast
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

from course import datasets
from course.figures import Picture, png
from course.outline import notes
from course.studies.ng_jordan import task_names, task_source
from course.studies.ng_jordan_redone.published import published
from course.studies.the_data import catalogue, figures, measures

nan = np.nan
ROOT = Path(__file__).parents[3]
NOTEBOOKS = ROOT / "notebooks"
LOADERS = {"load", "corpus", "pooled", "ng_jordan"}  # functions to which a set is given by its name


def data(X, y, **more):
    X = np.array(X, dtype=float)
    names = [f"x{n}" for n in range(X.shape[1])]
    return SimpleNamespace(X=X, y=np.array(y), missing=np.isnan(X), feature_names=names, class_names=("a", "b"), **more)


def test_the_catalogue_has_every_set_that_is_fetched():
    assert list(catalogue.CARDS) == datasets.names(on_demand=False)


@pytest.mark.parametrize("name", catalogue.CARDS)
def test_a_card_leads_to_notes(name):
    card = catalogue.CARDS[name]
    linked = catalogue.links(card.notes, notes())
    assert linked.count("](../") == len(card.notes) >= 1
    assert all(f"[{number}](../{number}-" in linked for number in card.notes)


def test_cards_list_the_notes_that_use_a_set():
    """A set is used where code of a note names it, or where a study that the note imports loads it."""
    found = {name: used_sets(name) for name in notes() if not name.startswith("90-")}
    for name, card in catalogue.CARDS.items():
        assert card.notes == tuple(note[:2] for note, sets in found.items() if name in sets), name


def test_names_of_sets_are_found_in_code():
    tree = ast.parse('datasets.load("sick"); ng_jordan("adult-discrete"); print("a", "r8 and r52")')
    assert named(ast.walk(tree)) == {"sick", "adult"}
    assert used_sets("25-spam") == {"sms-spam", "newsgroups"}
    assert "newsgroups-raw" in used_sets("60-poor-assumptions")  # loaded by its study


def used_sets(note: str) -> set[str]:
    cells = nbformat.read(NOTEBOOKS / f"{note}.ipynb", as_version=4).cells
    tree = ast.parse("\n".join(cell.source for cell in cells if cell.cell_type == "code"))
    found = named(ast.walk(tree))
    for module in studies(tree):
        calls = [node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        loading = [call for call in calls if ast.unparse(call.func).split(".")[-1] in LOADERS]
        found |= named(argument for call in loading for argument in call.args)
        # Its note draws the panels of the figure of 2002 without naming each.
        if module.parts[-2:] == ("ng_jordan_redone", "published.py"):
            found |= {task_source(panel) for panel in published()}
    return found


def named(nodes: Iterable[ast.AST]) -> set[str]:
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    problems = {task_source(text) for text in texts & set(task_names())}
    return texts & set(catalogue.CARDS) | problems


def studies(tree: ast.AST) -> set[Path]:
    """Files of the modules of course.studies that a note imports, as modules or names from them."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = [f"{node.module}.{alias.name}" for node in imports for alias in node.names]
    paths = [ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in names if name.startswith("course.studies.")]
    return {path for stem in paths for path in (stem, stem.parent.with_suffix(".py")) if path.is_file()}


def test_kinds_and_missing_cells():
    lenses = datasets.load("lenses")
    assert measures.kinds(lenses) == "4 discrete"
    assert measures.missing_cells(lenses) == 0
    assert measures.missing_cells(datasets.load("deerwester")) == 0
    assert measures.share_of_largest(lenses) == 15 / 24


def test_widest_gap():
    found = measures.widest_gap(data([[1, nan], [1, nan], [nan, 2], [1, 2], [1, nan], [1, 2]], [0, 0, 0, 0, 1, 1]))
    assert (found.column, found.classes, found.missing) == ("x1", ("a", "b"), (0.5, 0.5))
    assert found.standard_errors == 0
    shifted = measures.widest_gap(data([[nan], [nan], [nan], [1], [1], [1], [1], [nan]], [0] * 4 + [1] * 4))
    assert shifted.missing == (0.75, 0.25)
    assert shifted.standard_errors == pytest.approx(0.5 / np.sqrt(2 * 0.1875 / 4))


def test_correlation_is_within_a_class_and_skips_what_does_not_vary():
    X = [[0, 0, 5], [1, 1, 5], [2, 2, 5], [10, 3, 5], [11, 2, 5], [12, 1, nan]]
    same = data(X, [0, 0, 0, 1, 1, 1])
    assert measures.correlation_of_pairs(same, [(0, 1)]) == pytest.approx(1)
    assert measures.correlation_of_pairs(same, [(0, 1), (0, 2)]) == pytest.approx(1)
    half = data([[0, 0], [1, 1], [0, 1], [1, 0], [nan, 7], [1, 1], [0, 0]], [0, 0, 0, 0, 0, 1, 1])
    assert measures.correlation_of_pairs(half, [(0, 1)]) == pytest.approx((0 + 1) / 2)


def test_correlation_by_chance_is_that_of_independent_features_with_as_many_rows():
    votes, pairs = datasets.load("voting"), [(a, b) for a in range(16) for b in range(a)]
    found = measures.correlation_by_chance(votes, pairs, np.random.default_rng(0))
    expected = np.sqrt(2 / np.pi / np.bincount(votes.y)).mean()  # of normal variables, for which E|r| is about this
    assert found == pytest.approx(expected, rel=0.2)
    assert measures.correlation_of_pairs(votes, pairs) > 3 * found


def test_correlations_are_those_of_all_pairs():
    found = measures.correlations(data([[0, 0], [1, 1], [0, 1], [1, 0], [1, 1], [0, 0]], [0, 0, 0, 0, 1, 1]))
    np.testing.assert_allclose(found, [[1, 0.5], [0.5, 1]])


def test_pixels_side_by_side():
    assert measures.pixels_side_by_side(3) == [(0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)]


def test_yeas_are_those_of_the_votes_cast():
    house = data([[1, 0], [nan, 1], [0, 1], [1, 1]], [0, 0, 1, 1])
    np.testing.assert_allclose(measures.yeas(house), [[1, 0.5], [0.5, 1]])


def test_letters_apart():
    dna = data([[0, 1], [0, 2], [1, 1], [1, 2]], [0, 0, 1, 1])
    np.testing.assert_allclose(measures.letters_apart(dna), [1, 0])


def test_best_cut():
    cut = measures.best_cut([1, 2, 3, 4, 5], [0, 0, 1, 0, 1])
    assert cut.right == 0.8
    assert cut.at in (2, 4)
    assert measures.best_cut([1, 2, 3, 4], [0, 0, 1, 1]) == (2, 1.0)


def test_shuffled_cuts_lie_between_the_larger_class_and_certainty():
    y = np.array([0, 1] * 15)
    rng = np.random.default_rng(1)
    found = measures.best_cuts_of_shuffled(np.arange(30), y, 200, rng)
    assert found.min() >= 0.5  # above the largest value, all are called 0
    assert 0.5 < found.mean() < 0.75
    assert len(np.unique(found)) > 3


def test_repeated_in_test():
    rng = np.random.default_rng(0)
    assert measures.repeated_in_test(["a", "b", "c", "d"] * 1, 0.5, rng) == 0
    share = measures.repeated_in_test([str(n // 2) for n in range(20_000)], 0.5, rng)
    assert share == pytest.approx(0.5, abs=0.03)  # its twin is in the training half or not


def test_positions_and_sites_of_promoters():
    position = figures.positions(datasets.load("promoters"))
    assert (position[0], position[49], position[50], position[-1]) == (-50, -1, 1, 7)
    assert position[figures.sites(position)].tolist() == [*range(-38, -29), *range(-15, -6)]


def some():
    small = ("breast-cancer", "deerwester", "lenses", "r8", "rotten-tomatoes", "newsgroups")
    return {name: datasets.load(name) for name in small}


@pytest.mark.parametrize(
    "picture",
    [
        lambda: figures.class_balance(some(), 2 / 3),
        lambda: figures.digits(datasets.load("optdigits"), 2, np.random.default_rng(0)),
        lambda: figures.bands_and_letters(datasets.load("sonar"), datasets.load("promoters")),
        lambda: figures.dependence(datasets.load("voting"), datasets.load("voting")),
        lambda: figures.votes(datasets.load("voting")),
        lambda: figures.people(datasets.load("howell")),
        lambda: figures.bicycles(datasets.load("bike-sharing")),
        lambda: figures.lengths(some()),
    ],
)
def test_figures_are_drawn_the_same_twice(picture):
    first, second = picture(), picture()
    assert isinstance(first, Picture)
    assert len(first.alt) > 100
    assert png(first.fig) == png(second.fig)
