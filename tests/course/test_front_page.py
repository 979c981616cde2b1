"""The front page of the site: findings with their pictures, the paths and the map, and links to what there is."""

import re
import shutil
from pathlib import Path

import pytest

from course.outline import MAP, notes
from course.outline.findings import demo, findings
from course.outline.paths import paths
from course.site import front
from course.site.errors import SiteError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page():
    return front.page(ROOT, [MAP, *notes()])


def test_every_finding_has_its_picture_with_the_alternative_text_of_the_note(page):
    for finding in findings():
        (alt,) = re.findall(rf'<img src="{front.FIGURES}/{finding.note[:2]}-{finding.figure}.png" alt="([^"]+)"', page)
        assert len(alt) > 60
        assert f'href="notes/{finding.note}.html"' in page


def test_the_demo_stands_after_the_picture_that_it_takes_the_place_of(page):
    picture, place = (page.index(text) for text in (f"{demo().figure}.png", 'class="probml-figure"'))
    assert picture < place
    assert page.count("<script") == 1


def test_every_path_says_its_time_and_its_notes(page):
    for path in paths().values():
        assert f"<h3>{path.title}</h3>" in page
    assert page.count('<p class="meta">') == len(findings()) + len(paths())


def test_links_lead_to_notes(page):
    assert set(re.findall(r'href="notes/([^".]+)\.html', page)) <= {MAP, *notes()}


def test_pictures_are_copied_to_where_the_page_looks_for_them(page, tmp_path):
    front.copy_figures(ROOT, tmp_path)
    assert all((tmp_path / source).is_file() for source in re.findall(r'src="([^"]+)"', page))


@pytest.fixture
def results(tmp_path):
    """A project with the results that the page needs."""
    for note in {MAP, *(finding.note for finding in (demo(), *findings()))}:
        shutil.copytree(ROOT / "results" / note, tmp_path / "results" / note)
    for ledger in ("equations", "ledger"):
        shutil.copy(ROOT / f"results/{ledger}.json", tmp_path / "results")
    return tmp_path


def test_a_missing_figure_is_named(results):
    (results / findings()[0].file).unlink()
    with pytest.raises(SiteError, match=f"{findings()[0].file} is missing. course/outline/findings.toml names it"):
        front.page(results, list(notes()))


def test_a_figure_that_the_note_does_not_show_is_named(results):
    shutil.copy(results / findings()[1].file, results / findings()[0].file)
    with pytest.raises(SiteError, match=f"note {findings()[0].note} does not show its figure {findings()[0].figure}"):
        front.page(results, list(notes()))


def test_a_missing_ledger_is_named(results):
    (results / "results/ledger.json").unlink()
    with pytest.raises(SiteError, match=r"results/ledger\.json is missing"):
        front.page(results, list(notes()))
