"""The page of `dvc plots show` in a real browser: every curve is drawn, and nothing comes from outside."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DRAWN = "[...document.querySelectorAll('.vega-embed')].map(each => each.querySelectorAll('svg .mark-line path').length)"
BROKEN = "[...document.images].filter(each => !each.naturalWidth).map(each => each.src)"


def test_curves_are_drawn_without_a_network(browser, tmp_path):
    command = [sys.executable, "-m", "dvc", "plots", "show", "--out", tmp_path / "a folder with spaces"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    page, asked, errors = browser.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((tmp_path / "a folder with spaces" / "index.html").as_uri())
    page.wait_for_function(f"{DRAWN}.length && {DRAWN}.every(Boolean)")
    assert page.evaluate("document.images.length") > 0
    assert page.evaluate(BROKEN) == []
    assert [url for url in asked if not url.startswith("file:")] == []
    assert errors == []
    page.close()
