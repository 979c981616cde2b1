"""The map of the course shows every note and everything that a note needs, and its tracks do not cross."""

from itertools import pairwise

import pytest

from course.outline import notes
from course.outline.paths import paths
from course.studies.course_map import figures, tables, tracks


def test_every_note_has_a_place():
    assert [name[:2] for name in notes()] == list(tracks.LANES)
    assert {note.part for note in notes().values()} == set(figures.PARTS)


def test_what_the_tracks_leave_out_follows_from_them():
    drawn = tracks.direct(notes())
    for name, note in notes().items():
        for needed in note.needs:
            assert reachable(needed, name, drawn), (needed, name)
    assert all(needed in notes()[name].needs for needed, name in drawn)


def reachable(start, end, drawn):
    return start == end or any(reachable(after, end, drawn) for before, after in drawn if before == start)


def test_tracks_do_not_cross():
    assert tracks.crossings(tracks.tracks(notes())) == []


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        ([(0, 0), (0, 4)], [(-1, 2), (1, 2)], True),
        ([(0, 0), (0, 4)], [(0, 3), (0, 6)], True),
        ([(0, 0), (0, 4)], [(1, 0), (1, 4)], False),
        ([(0, 0), (0, 4)], [(-1, 5), (1, 5)], False),
    ],
)
def test_crossings_are_found(one, other, meet):
    assert bool(tracks.crossings({("01", "02"): one, ("03", "04"): other})) == meet


def test_no_track_runs_through_another_station():
    row = {name: number for number, name in enumerate(notes())}
    for pair, corners in tracks.tracks(notes()).items():
        for name in set(notes()) - set(pair):
            station = (tracks.LANES[name[:2]], row[name])
            assert tracks.crossings({("", "track"): corners, ("station", name): [station, station]}) == [], (pair, name)


def test_the_alternative_text_names_every_note_and_path():
    alt = figures.the_map().alt
    assert all(name[:2] in alt for name in notes())
    assert all(path.title in alt for path in paths().values())


def test_tables_have_rows_as_wide_as_their_headers():
    made = [tables.path_overview(), tables.shortcuts(), tables.the_notes(), tables.the_topics(["F1"])]
    made += [tables.stages_of(path) for path in paths().values()]
    made.append(tables.formulas_by_lecture({"A": "a lecture"}, [("A", "holds"), ("A", "erratum")]))
    for header, rows in made:
        assert rows
        assert {len(row) for row in rows} == {len(header)}


def test_formulas_are_counted_by_lecture_and_in_all():
    _, rows = tables.formulas_by_lecture({"A": "one", "B": "two"}, [("A", "holds"), ("B", "holds"), ("B", "erratum")])
    assert rows == [["one", "0", "1", "0", "0"], ["two", "0", "1", "0", "1"], ["all", "0", "2", "0", "1"]]


def test_the_places_of_the_map_lie_on_the_titles():
    """Each title begins within the place of its note, and no two places overlap."""
    picture = figures.the_map()
    width, height = picture.fig.get_size_inches()
    drawn = {text.get_text(): text.get_position() for text in picture.fig.axes[0].texts}
    found = figures.places()
    for name, note in notes().items():
        left, top, wide, high = found[name]
        x, y = drawn[note.title]
        assert left <= x / width <= left + wide
        assert top < y / height < top + high
    tops = [top for _, top, _, _ in found.values()]
    assert all(below - above >= high - 1e-9 for above, below in pairwise(tops))
