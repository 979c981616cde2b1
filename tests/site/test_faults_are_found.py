"""Every check can fail: on a small site with a fault on each page, each is found, and no other."""

import faulty
import pytest
from fault import listed
from faulty import FAULTS, FIGURE_FAULTS, SCRIPTLESS_FAULTS
from files import Site, differences
from interactive import operate
from notes import Note
from visit import Visit, context, inspect


@pytest.fixture(scope="session")
def faulty_site(tmp_path_factory):
    return faulty.build(tmp_path_factory.mktemp("faulty"))


def compare(found, expected):
    assert {fault.kind for fault in found} == expected.keys(), listed(found)
    for kind, place in expected.items():
        assert any(place in fault.place for fault in found if fault.kind == kind), listed(found)


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_pages(faulty_site, browser, name):
    page = f"{name}.html"
    found = [*inspect(faulty_site, page, browser)[0], *faulty_site.broken(page)]
    compare(found, FAULTS[name][1])
    assert all(str(fault).startswith(f"{page}: ") for fault in found)


@pytest.mark.parametrize("name", FIGURE_FAULTS)
def test_faults_of_figures(faulty_site, browser, name):
    with context(browser, has_touch=True) as profile:
        visit = Visit(faulty_site, f"{name}.html", profile.new_page())
        visit.load()
        operate(visit)
    compare(visit.faults, FIGURE_FAULTS[name][1])


@pytest.mark.parametrize("name", [*SCRIPTLESS_FAULTS, "sound", "figure"])
def test_faults_without_scripts(faulty_site, browser, name):
    with context(browser, java_script_enabled=False) as profile:
        visit = Visit(faulty_site, f"{name}.html", profile.new_page())
        visit.read_without_scripts()
    compare(visit.faults, SCRIPTLESS_FAULTS.get(name, ("", {}))[1])


def test_what_a_page_lost_of_its_note_is_found(faulty_site, browser, tmp_path):
    faults, _ = inspect(faulty_site, "note.html", browser, Note(faulty.note(tmp_path)))
    assert {fault.kind: fault.place for fault in faults} == faulty.LOST


def test_a_file_that_differs_is_found(tmp_path):
    for folder in ("one", "other"):
        (tmp_path / folder / "sub").mkdir(parents=True)
        (tmp_path / folder / "sub/same").write_text("same")
        (tmp_path / folder / "differs").write_text(folder)
    (tmp_path / "one/sub/alone").touch()
    assert differences(tmp_path / "one", tmp_path / "other") == ["differs", "sub/alone"]
    assert Site(tmp_path).size() == 2 * len("same") + len("oneother")
