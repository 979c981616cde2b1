"""A site of a few notes, built once for all tests here: links, folds, alternative texts, sameness. Needs no browser."""

import filecmp
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from filelock import FileLock

from course.notebook.read import read_notebook
from course.site import redirects, staging
from course.site.build import build, place, write_zip
from course.site.cells import aside, solution, tags
from course.site.errors import SiteError

ROOT = Path(__file__).parents[2]
# The map, whose outputs have links; two that the ledgers lead to; one with tables and text that a reader may skip.
NOTES = ("00-course-map", "20-naive-bayes-by-hand", "46-perceptron-hinge-logistic", "68-which-protocol")
BUILD = f"""
from pathlib import Path
from course.site.build import build
build(Path({str(ROOT)!r}), Path("site").resolve(), only={NOTES!r})
"""
# What a page of a few notes cannot have: the notes that were left out.
LEFT_OUT = re.compile(r"(\.\./)?notes/|^\d\d-")


class Page(HTMLParser):
    """What of a page is looked at."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loaded, self.ids, self.images, self.summaries = [], [], [], [], []
        self.open_folds = 0
        self._summary = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "link" and found.get("rel") not in ("canonical", "next", "prev", "search", "index", "author"):
            self.loaded.append(found["href"])
        if tag in ("script", "img", "iframe", "source") and "src" in found:
            self.loaded.append(found["src"])
        if tag == "img":
            self.images.append(found.get("alt", ""))
        if tag == "details":
            self.open_folds += "open" in found
        if tag == "summary":
            self._summary = []

    def handle_data(self, data):
        if self._summary is not None:
            self._summary.append(data)

    def handle_endtag(self, tag):
        if tag == "summary":
            self.summaries.append("".join(self._summary).strip())
            self._summary = None


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site, built by another process with other hashes: what it prints and warns of is looked at, too."""
    folder = tmp_path_factory.getbasetemp()
    folder = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "site-of-tests"
    with FileLock(f"{folder}.lock"):
        if not (folder / "printed").is_file():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            ran = run(folder, "1")
            (folder / "printed").write_text(ran.stdout)
    return folder / "site"


def run(folder, seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Kathmandu"}
    ran = subprocess.run([sys.executable, "-c", BUILD], cwd=folder, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran


@cache
def read(path):
    return Page(path.read_text(encoding="utf-8"))


def pages(site):
    return sorted(site.rglob("*.html"))


def test_pages_that_must_be_there(site):
    for page in (
        "index",
        "data",
        "benchmarks",
        "bibliography",
        "sheets/naive-bayes",
        "api/index",
        "api/naive_bayes",
        "search",
    ):
        assert (site / f"{page}.html").is_file()
    for name in NOTES:
        assert (site / f"notes/{name}.html").is_file()
        assert (site / f"notes/{name}.ipynb").read_bytes() == (ROOT / f"results/{name}/notebook.ipynb").read_bytes()
    assert re.fullmatch(r"\d+ files, \d+\.\d MB, after \d+ s: .*index\.html\n", (site.parent / "printed").read_text())


def test_every_link_leads_somewhere(site):
    for path in pages(site):
        for link in read(path).links:
            parts = urlsplit(link)
            if parts.scheme or not (parts.path or parts.fragment):
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file() and LEFT_OUT.match(link):
                continue
            assert target.is_file(), f"{path.relative_to(site)}: {link}"
            if parts.fragment and target.suffix == ".html":
                assert unquote(parts.fragment) in read(target).ids, f"{path.relative_to(site)}: {link}"


def test_nothing_comes_from_outside(site):
    for path in pages(site):
        for address in read(path).loaded:
            assert not urlsplit(address).scheme or address.startswith("data:"), f"{path}: {address}"
            target = (path.parent / unquote(urlsplit(address).path)).resolve()
            assert address.startswith("data:") or target.is_file(), f"{path}: {address}"
    for path in site.rglob("*.css"):
        for address in re.findall(r"url\(\s*['\"]?(?!data:)([^'\")]+)", path.read_text(encoding="utf-8")):
            assert not urlsplit(address).scheme, f"{path}: {address}"
            assert (path.parent / urlsplit(address).path).is_file(), f"{path}: {address}"


def test_icons_are_of_the_font(site):
    """Of the script that draws them, no page asks for anything; the style sheet has a letter for each."""
    styles = (site / "_static/styles/pydata-sphinx-theme.css").read_text(encoding="utf-8")
    used = {
        icon
        for path in pages(site)
        for icon in re.findall(r'class="[^"]*\bfa-solid (fa-[\w-]+)', path.read_text(encoding="utf-8"))
    }
    assert {"fa-bars", "fa-magnifying-glass", "fa-sun"} <= used
    for icon in used:
        assert re.search(rf"\.{icon}(?:,[^{{}}]*)?{{--fa:", styles), icon
    assert not list(site.rglob("fontawesome*.js"))
    assert not [path for path in pages(site) if any("fontawesome" in each for each in read(path).loaded)]


@pytest.mark.parametrize("page", ["notes/20-naive-bayes-by-hand", "source/probml/naive_bayes/multinomial"])
def test_code_has_marks_for_its_colours_alone(site, page):
    text = (site / f"{page}.html").read_text(encoding="utf-8")
    code = "".join(re.findall(r'<div class="highlight"><pre>.*?</pre>', text, re.DOTALL))
    kinds = set(re.findall(r'<span class="(\w+)">', code))
    assert {"kn", "s2", "mi"} <= kinds
    assert not {"n", "nn", "p", "w"} & kinds


@pytest.mark.parametrize("name", NOTES)
def test_all_alternative_texts_arrive(site, name):
    outputs = [
        o for cell in read_notebook(ROOT / f"results/{name}/notebook.ipynb").cells for o in cell.get("outputs", [])
    ]
    texts = [o.metadata["image/png"]["alt"] for o in outputs if "image/png" in o.get("data", {})]
    assert texts
    found = read(site / f"notes/{name}.html").images
    assert sorted(texts) == sorted(" ".join(each.split()) if each not in texts else each for each in found)


def test_no_image_without_alternative_text(site):
    assert all(all(read(path).images) for path in pages(site))


@pytest.mark.parametrize("name", NOTES)
def test_all_solutions_are_folded(site, name):
    cells = read_notebook(ROOT / f"results/{name}/notebook.ipynb").cells
    titles = [found[0] for cell in cells if (found := solution(cell))]
    page = read(site / f"notes/{name}.html")
    assert [each for each in page.summaries if each.startswith("Solution")] == titles
    assert page.summaries[0] == "Set-up: parameters and imports"
    assert all(page.summaries)
    assert page.open_folds == 0


def test_tables_and_texts_that_are_tagged_aside_are_folded(site):
    tagged = [
        cell for cell in read_notebook(ROOT / "results/68-which-protocol/notebook.ipynb").cells if "aside" in tags(cell)
    ]
    titles = [aside(cell)[0] for cell in tagged if cell.cell_type == "markdown"]
    found = read(site / "notes/68-which-protocol.html").summaries
    assert [each for each in found if each in titles] == titles == ["How the sampler moves"]
    assert sum(each.startswith("Table, ") for each in found) == len(tagged) - len(titles) == 2
    text = (site / "notes/68-which-protocol.html").read_text(encoding="utf-8")
    assert len(re.findall(r'<details class="fold fold-table">(?:(?!</details>).)*<table', text, re.DOTALL)) == 2


def test_sections_have_the_names_that_the_ledgers_use(site):
    text = (site / "ledgers/equations.html").read_text(encoding="utf-8")
    used = set(re.findall(r'href="\.\./notes/20-naive-bayes-by-hand\.html#([^"]+)"', text))
    assert used
    assert used <= set(read(site / "notes/20-naive-bayes-by-hand.html").ids)


@pytest.mark.parametrize(("page", "file", "key"), [("equations",) * 3, ("published-numbers", "ledger", "claims")])
def test_ledgers_are_whole_without_a_script(site, page, file, key):
    entries = json.loads((ROOT / f"results/{file}.json").read_text(encoding="utf-8"))[key]
    found = read(site / f"ledgers/{page}.html").ids
    assert {each["id"] for each in entries} <= set(found)
    assert '<form class="filters" hidden' in (site / f"ledgers/{page}.html").read_text(encoding="utf-8")


def test_the_api_has_its_sources(site):
    text = (site / "api/naive_bayes.html").read_text(encoding="utf-8")
    number = next(
        k
        for k, line in enumerate((ROOT / "probml/naive_bayes/multinomial.py").read_text().splitlines(), 1)
        if line.startswith("class MultinomialNB")
    )
    assert f'href="../source/probml/naive_bayes/multinomial.html#L-{number}"' in text


def test_maths_is_loaded_where_there_is_some(site):
    for page in ("notes/20-naive-bayes-by-hand", "ledgers/equations"):
        assert any("mathjax" in each for each in read(site / f"{page}.html").loaded)
    assert not any("mathjax" in each for each in read(site / "index.html").loaded)


def test_two_builds_are_the_same_to_the_byte(site, tmp_path):
    run(tmp_path, "2")
    first, second = ({str(p.relative_to(s)) for p in s.rglob("*") if p.is_file()} for s in (site, tmp_path / "site"))
    assert first == second
    _, different, unread = filecmp.cmpfiles(site, tmp_path / "site", sorted(first), shallow=False)
    assert not different
    assert not unread


def test_the_zip_is_the_same_to_the_byte(site, tmp_path):
    for name in ("a.zip", "b.zip"):
        write_zip(site, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        assert "site/index.html" in archive.namelist()


def test_a_missing_result(tmp_path):
    with pytest.raises(
        SiteError, match=r"note 20-naive-bayes-by-hand: results/20-naive-bayes-by-hand/notebook\.ipynb is"
    ):
        staging.downloads(tmp_path, ["20-naive-bayes-by-hand"], tmp_path, student=True)


def test_a_missing_ledger(tmp_path):
    (tmp_path / "results").mkdir()
    with pytest.raises(
        SiteError, match=r"results/equations\.json is missing: write it by `python -m course equations`"
    ):
        staging.stage(tmp_path, tmp_path / "pages")


def test_a_failed_build_leaves_the_site_that_was_there(tmp_path):
    (tmp_path / "site").mkdir()
    with pytest.raises(SiteError):
        build(tmp_path, tmp_path / "site")
    assert (tmp_path / "site").is_dir()
    assert not list((tmp_path / ".work/site").glob("*"))


def test_warnings_of_sphinx_name_note_and_cell(tmp_path):
    line = f"{tmp_path}/notes/20-naive-bayes-by-hand.ipynb:70002: WARNING: 'myst' cross-reference target not found: 'x'"
    assert place(line, tmp_path) == (
        "note 20-naive-bayes-by-hand, cell 7 of the page: 'myst' cross-reference target not found: 'x'"
    )


def test_redirects(tmp_path, monkeypatch):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/new.html").write_text("new")
    monkeypatch.setattr(redirects, "table", lambda: {"notes/old": "notes/new"})
    redirects.write(tmp_path)
    assert 'content="0; url=../notes/new.html"' in (tmp_path / "notes/old.html").read_text()
    for wrong in ({"notes/new": "notes/new"}, {"notes/older": "notes/none"}):
        monkeypatch.setattr(redirects, "table", lambda wrong=wrong: wrong)
        with pytest.raises(SiteError, match=r"redirects\.toml"):
            redirects.write(tmp_path)
