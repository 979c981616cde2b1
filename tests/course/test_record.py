"""What a notebook records is finite, complete and written once: figures, metrics, tables, checks, and claims.

Without this, a false sentence or an unexplained difference from a published number could get into the results.
"""

import json

import matplotlib as mpl
import numpy as np
import pytest
from PIL import Image

from course import figures
from course.errors import ClaimError
from course.notebook import Record
from course.notebook.claim import Claim
from course.notebook.record import COLLECT, OUTPUT, rounded


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(OUTPUT, str(tmp_path))
    return tmp_path


@pytest.fixture(params=["run by the pipeline", "opened by hand"])
def either(request, folder, monkeypatch):
    if request.param == "opened by hand":
        monkeypatch.delenv(OUTPUT)
    return folder


@pytest.fixture(autouse=True)
def _settings():
    with mpl.rc_context():
        yield


def drawing():
    fig, ax = figures.figure(width=3, height=2)
    ax.plot([0, 1, 2], [0, 1, 4], label="squares")
    ax.set_title("Squares")
    figures.label_lines(ax)
    return fig


def claim(**changes):
    fields = {"id": "accuracy", "source": "A. Author, 2001", "quantity": "accuracy", "published": 0.85}
    return {**fields, "attested": "seen", "ours": 0.85, "tolerance": 0.01, **changes}


# --- record ---


def test_without_the_runners_word_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.delenv(OUTPUT, raising=False)
    monkeypatch.chdir(tmp_path)
    record = Record()
    assert record.figure(drawing(), "squares", alt="squares").data.startswith(b"\x89PNG")
    record.metrics("accuracy", {"ours": 0.5})
    record.table("numbers", {"n": [1, 2]})
    assert record.claim(**claim()) == "accuracy: published 0.85 (seen), ours 0.85: agrees"
    assert list(tmp_path.iterdir()) == []


def test_figure_is_shown_as_it_is_saved(folder):
    shown = Record().figure(drawing(), "squares", alt="The squares of 0, 1, 2")
    assert (folder / "squares.png").read_bytes() == shown.data
    assert shown.alt == "The squares of 0, 1, 2"
    assert shown.width == 300


def test_metrics_are_plain_numbers_of_six_digits(folder):
    record = Record()
    record.metrics("accuracy", {"naïve": np.float64(2 / 3), "n": np.int64(7), "flag": np.bool_(True)})
    record.metrics("nested", {"a": {1: np.array([[1e-9 / 3, 123456.789]])}})
    text = (folder / "accuracy.json").read_text(encoding="utf-8")
    assert text == '{\n "naïve": 0.666667,\n "n": 7,\n "flag": true\n}\n'
    nested = json.loads((folder / "nested.json").read_text(encoding="utf-8"))
    assert nested == {"a": {"1": [[3.33333e-10, 123457.0]]}}


def test_metrics_cannot_take_the_place_of_the_claims(either):
    with pytest.raises(ValueError, match="another name"):
        Record().metrics("claims", {"n": 1})
    assert list(either.iterdir()) == []


def test_table(folder):
    Record().table("numbers", {"n": np.arange(2), "root, rounded": np.sqrt([2, 3]), "name": ["two", "three"]})
    expected = 'n,"root, rounded",name\n0,1.41421,two\n1,1.73205,three\n'
    assert (folder / "numbers.csv").read_bytes().decode() == expected


def test_claims_are_written_with_their_verdicts(folder):
    record = Record()
    record.claim(**claim(ours=np.float64(0.8512345678)))
    record.claim(**claim(id="error", ours=0.5, because="other data"))
    first, second = json.loads((folder / "claims.json").read_text(encoding="utf-8"))
    assert (first["ours"], first["verdict"]) == (0.851235, "agrees")
    assert (second["ours"], second["verdict"], second["because"]) == (0.5, "differs", "other data")


def test_a_claim_is_recorded_once(folder):
    record = Record()
    record.claim(**claim())
    with pytest.raises(ClaimError, match="accuracy is recorded twice"):
        record.claim(**claim())


@pytest.mark.parametrize("value", [float("nan"), float("inf"), np.float32("-inf"), [1.0, float("nan")]])
def test_only_finite_numbers_are_recorded(either, value):
    record = Record()
    with pytest.raises(ValueError, match="finite"):
        record.metrics("numbers", {"value": value})
    with pytest.raises(ValueError, match="finite"):
        record.table("numbers", {"value": [value]})
    with pytest.raises(ValueError, match="finite"):
        record.claim(**claim(ours=value))
    assert list(either.iterdir()) == []


@pytest.mark.parametrize("name", ["", "Upper", "under_score", "a/b", "../up", "dot.png", "a--b", "a-", "ä", "a\n"])
def test_bad_names_are_refused(either, name):
    record = Record()
    with pytest.raises(ValueError, match="no name for a result"):
        record.figure(mpl.figure.Figure(figsize=(0.1, 0.1)), name, alt="")
    with pytest.raises(ValueError, match="no name for a result"):
        record.table(name, {"n": [1]})
    with pytest.raises(ValueError, match="no name for a result"):
        record.metrics(name, {"n": 1})
    with pytest.raises(ValueError, match="no name for a result"):
        record.claim(**claim(id=name))
    assert list(either.iterdir()) == []


def test_columns_of_unequal_length_are_refused(either):
    with pytest.raises(ValueError, match="shorter"):
        Record().table("numbers", {"n": [1, 2], "m": [1]})
    assert list(either.iterdir()) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1 / 3, 0.333333),
        (-123456789.0, -123457000.0),
        (1234567, 1234567),  # whole numbers are exact
        ((1, 2.0), [1, 2.0]),
        (np.array(0.1 + 0.2), 0.3),
        ({np.int64(3): None}, {"3": None}),
        ("1.23456789", "1.23456789"),
    ],
)
def test_rounded(value, expected):
    assert rounded(value) == expected
    assert type(rounded(value)) is type(expected)


# --- figures ---


def test_a_figure_is_the_same_bytes_whenever_it_is_drawn(tmp_path):
    first, second = figures.png(drawing()), figures.png(drawing())
    assert first == second
    (tmp_path / "figure.png").write_bytes(first)
    with Image.open(tmp_path / "figure.png") as image:
        assert image.info.keys() <= {"dpi"}  # neither a date nor the version of the software
        assert image.size == (3 * figures.DPI, 2 * figures.DPI)


def test_the_users_settings_do_not_matter():
    expected = figures.png(drawing())
    mpl.rcParams.update(
        {
            "axes.facecolor": "black",
            "font.size": 30,
            "lines.linewidth": 9,
            "savefig.bbox": "tight",
            "savefig.transparent": True,
            "path.sketch": (1, 100, 2),
        }
    )
    assert figures.png(drawing()) == expected


def test_lines_are_labelled_in_their_colour():
    _, ax = figures.figure()
    ax.plot([0, 1], [0, 1], color=figures.VERMILLION, label="named")
    ax.plot([0, 1], [1, 0])
    figures.label_lines(ax, at={"named": 0.5})
    (label,) = ax.texts
    assert (label.get_text(), label.get_color(), label.xy) == ("named", figures.VERMILLION, (1, 0.5))


# --- claim ---


@pytest.mark.parametrize(
    ("published", "ours", "tolerance", "verdict"),
    [
        (0.85, 0.86, 0.01, "agrees"),  # the boundary counts, whatever the binary digits
        (0.85, 0.84, 0.01, "agrees"),
        (0.85, 0.8600001, 0.01, "differs"),
        (0.85, 0.8399999, 0.01, "differs"),
        (3, 3, 0, "agrees"),
        (3, 4, 0, "differs"),
        (0.85, float("nan"), 0.01, "differs"),
        (float("nan"), float("nan"), 0.01, "differs"),
        (0.85, float("nan"), float("inf"), "differs"),
        ("spam", "spam", None, "agrees"),
        ("spam", "Spam", None, "differs"),
    ],
)
def test_verdict(published, ours, tolerance, verdict):
    fields = claim(published=published, ours=ours, tolerance=tolerance, because="explained")
    assert Claim(**fields).verdict == verdict


@pytest.mark.parametrize("attested", ["seen", "quoted", "computed"])
def test_a_difference_has_to_be_explained(attested):
    with pytest.raises(ClaimError, match=rf"accuracy: published 0.85, ours 0.9, .*{attested}.*because"):
        Claim(**claim(ours=0.9, attested=attested))
    explained = Claim(**claim(ours=0.9, attested=attested, because="other data"))
    assert explained.as_json()["because"] == "other data"


def test_what_is_only_recalled_needs_no_explanation():
    assert Claim(**claim(ours=0.9, attested="recalled")).verdict == "differs"


def test_what_is_known_of_a_difference_is_no_explanation():
    fields = Claim(**claim(ours=0.9, attested="recalled", remark="seen by date too")).as_json()
    assert (fields["because"], fields["remark"]) == ("", "seen by date too")
    with pytest.raises(ClaimError, match="because"):
        Claim(**claim(ours=0.9, attested="seen", remark="seen by date too"))


def test_an_explanation_without_a_difference_is_dropped():
    agreed = Claim(**claim(because="other data", remark="seen by date too"))
    assert agreed.as_json() == {**claim(), "verdict": "agrees", "because": ""}


@pytest.mark.parametrize(
    "changes",
    [
        {"attested": "guessed"},
        {"ours": "0.85"},
        {"published": "0.85"},
        {"tolerance": None},
        {"published": "spam", "ours": "spam"},  # with a tolerance
    ],
)
def test_incomplete_claims_are_refused(changes):
    with pytest.raises(ClaimError, match="claim accuracy: "):
        Claim(**claim(**changes))


def test_a_result_needs_a_name_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("PROBML_OUTPUT", str(tmp_path))
    record = Record()
    record.metrics("accuracy", {"a": 1})
    with pytest.raises(ValueError, match=r"accuracy\.json is recorded twice"):
        record.metrics("accuracy", {"b": 2})
    with pytest.raises(ValueError, match="another name"):
        record.metrics("claims", {"a": 1})


def test_a_cell_with_a_claim_can_be_run_again_by_hand(monkeypatch):
    monkeypatch.delenv("PROBML_OUTPUT", raising=False)
    record = Record()
    for _ in range(2):
        record.claim("same", source="s", quantity="q", published=1.0, ours=1.0, tolerance=0.1)


# --- checks ---


def test_checks_are_written_sentence_by_sentence(folder, capsys):
    record = Record()
    record.check("Two is more than one.", np.True_)
    record.check("This draw came out positive.", True, this_run=True)
    assert json.loads((folder / "checks.json").read_text(encoding="utf-8")) == [
        {"sentence": "Two is more than one.", "holds": True},
        {"sentence": "This draw came out positive.", "holds": True, "this run": True},
    ]
    assert capsys.readouterr().out == "✓ Two is more than one.\n✓ This draw came out positive.\n"


def test_a_false_sentence_ends_the_run(either):
    with pytest.raises(AssertionError, match="no longer true: One is more than two"):
        Record().check("One is more than two.", 1 > 2)


def test_false_sentences_are_collected_where_the_runner_says_so(folder, monkeypatch, capsys):
    monkeypatch.setenv(COLLECT, "1")
    Record().check("One is more than two.", 1 > 2)
    assert capsys.readouterr().out == "✗ One is more than two.\n"
    assert json.loads((folder / "checks.json").read_text(encoding="utf-8"))[0]["holds"] is False


def test_a_check_takes_one_truth_value(either):
    with pytest.raises(TypeError, match=r"received an array of shape \(2,\)"):
        Record().check("All are positive.", np.array([True, True]))


def test_a_sentence_is_checked_once(folder):
    record = Record()
    record.check("Two is more than one.", True)
    with pytest.raises(ValueError, match="checked twice"):
        record.check("Two is more than one.", True)


def test_a_picture_brings_its_name_and_its_text(folder):
    shown = Record().figure(figures.Picture(drawing(), "squares", "The squares of 0, 1, 2"))
    assert (folder / "squares.png").read_bytes() == shown.data
    assert shown.alt == "The squares of 0, 1, 2"


def test_a_figure_needs_alternative_text(either):
    with pytest.raises(ValueError, match="'squares' has no alternative text"):
        Record().figure(figures.Picture(drawing(), "squares", " "))
