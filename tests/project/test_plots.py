"""`dvc plots show` needs no network: its page holds all that it shows."""

import json
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from html.parser import HTMLParser
from pathlib import Path

import pytest
import vl_convert

ROOT = Path(__file__).parents[2]
OUTSIDE = re.compile(r"^\s*(\w+:)?//")
LOADS = {"src", "href", "srcset", "data", "poster", "action"}


class Loaded(HTMLParser):
    """What the elements of a page load, and its scripts."""

    def __init__(self):
        super().__init__()
        self.names, self.scripts, self.script = [], [], None

    def handle_starttag(self, tag, attributes):
        self.names += [value for name, value in attributes if name in LOADS]
        if tag == "script":
            self.script = ""

    def handle_data(self, data):
        if self.script is not None:
            self.script += data

    def handle_endtag(self, tag):
        if tag == "script":
            self.scripts.append(self.script)
            self.script = None


def configured():
    config = ConfigParser()
    config.read(ROOT / ".dvc" / "config")
    return (ROOT / ".dvc" / config["plots"]["html_template"]).resolve()


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The page of a project with a curve and a picture, and the settings of this one."""
    folder = tmp_path_factory.mktemp("plots of a project")
    for name, content in {
        ".dvc/config": f"[core]\nanalytics = false\nno_scm = true\n[plots]\nhtml_template = {configured()}\n",
        "curve.csv": "m,error\n1,0.5\n2,0.25\n4,0.2\n",
        "dvc.yaml": "plots:\n  - curve.csv:\n      x: m\n      y: error\n  - picture.png\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(content)
    shutil.copy(next((ROOT / "results").glob("*/*.png")), folder / "picture.png")
    command = [sys.executable, "-m", "dvc", "plots", "show", "--out", "shown"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = Loaded()
    loaded.feed((folder / "shown" / "index.html").read_text(encoding="utf-8"))
    return folder / "shown", loaded


def test_the_page_is_part_of_the_environment():
    assert configured() == Path(sys.prefix, "share", "plots.html").resolve()
    assert ".ci/plots.py" in (ROOT / ".ci" / "setup").read_text()


def test_nothing_is_loaded_from_outside(page):
    folder, loaded = page
    assert not [name for name in loaded.names if OUTSIDE.match(name)]
    assert [name for name in loaded.names if (folder / name).is_file()] == loaded.names != []
    assert not re.search(r"@import|url\(\s*['\"]?(\w+:)?//", (folder / "index.html").read_text(encoding="utf-8"))


def test_what_draws_the_curves_is_in_the_page(page):
    _, loaded = page
    vega, *plots = loaded.scripts
    assert all(f"window.{name}=" in vega for name in ("vega", "vegaLite", "vegaEmbed"))
    assert len(plots) == 1
    assert "vegaEmbed(" in plots[0]
    spec = json.JSONDecoder().raw_decode(plots[0].partition("spec = ")[2])[0]
    assert '"url"' not in json.dumps(spec)
    drawn = vl_convert.vegalite_to_svg(spec, allowed_base_urls=[])
    assert "error" in drawn
    assert drawn.count("<path") > 5
