"""No browser, an old one, or one that does not start: what the tests of the site say, and what CI does about it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STARTS_NOT = "chrome: error while loading shared libraries: libnss3.so: cannot open shared object file"


@pytest.fixture
def answer(tmp_path):
    """What is said of a browser that is a shell script of this text."""

    def ask(text=None, **variables):
        if text is not None:
            browser = tmp_path / "chromium"
            browser.write_text(f"#!/bin/sh\n{text}\n")
            browser.chmod(0o755)
        return subprocess.run(
            [sys.executable, ROOT / "tests/site/browser.py"],
            env={**os.environ, "CHROMIUM": "", "PATH": str(tmp_path), **variables},
            capture_output=True,
            text=True,
        )

    return ask


def one_message(answer):
    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("error: ")
    assert answer.stderr.count("\n") == 1
    return answer.stderr


def test_no_browser(answer):
    message = one_message(answer())
    assert "none was found (tried chromium, chromium-browser, google-chrome" in message
    assert "apt install chromium" in message
    assert "make CHROMIUM=/path/to/chrome site-test" in message


def test_a_browser_that_is_named_and_not_there(answer):
    assert "names '/no/such/chrome', which is no program" in one_message(answer(CHROMIUM="/no/such/chrome"))


def test_an_outdated_browser_is_named_with_its_version(answer):
    message = one_message(answer("echo Chromium 98.0.4758.102 built on Debian 11.2"))
    assert "Chromium 98.0.4758.102, which is too old" in message
    assert "version 123 or newer" in message


def test_a_browser_of_the_other_name(answer):
    assert "Google Chrome 99.0.4844.51, which is too old" in one_message(answer("echo Google Chrome 99.0.4844.51"))


@pytest.mark.parametrize("text", ["echo Usage: chromium FILE", f"echo {STARTS_NOT} >&2; exit 127", "exit 3"])
def test_a_program_that_is_no_browser(answer, text):
    message = one_message(answer(text))
    assert "is no Chromium that runs" in message
    assert "apt install chromium" in message


def test_a_browser_that_does_not_start(answer):
    text = f'case "$*" in --version) echo Chromium 150.0.1.2 ;; *) echo "{STARTS_NOT}" >&2; exit 127 ;; esac'
    message = one_message(answer(text))
    assert "(Chromium 150.0.1.2) does not start: error while loading shared libraries: libnss3.so" in message


@pytest.fixture
def run_ci(tmp_path):
    """What .ci/run calls, on a machine with these programs, of which each tells that it was called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ["bash", "dirname"]:
        (folder / tool).symlink_to(shutil.which(tool))

    def run(**programs):
        for name, text in {"make": "", **programs}.items():
            (folder / name).write_text(f'#!{shutil.which("sh")}\necho "{name} $*" >> {tmp_path}/calls\n{text}\n')
            (folder / name).chmod(0o755)
        environment = {"PATH": str(folder)}
        done = subprocess.run(["bash", ROOT / ".ci/run"], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        calls = (tmp_path / "calls").read_text().splitlines()
        commands = ["make reproduce", "make test", "make site-test", "make claims-sample"]
        assert [call for call in calls if call.startswith("make")] == commands
        return [call for call in calls if call.startswith("apt-get")], done.stderr

    return run


INSTALLS = ["apt-get update -qq", "apt-get install -qq --no-install-recommends chromium"]


def test_ci_installs_a_browser_where_it_may(run_ci):
    assert run_ci(**{"apt-get": "", "id": "echo 0"}) == (INSTALLS, "Installing Chromium ...\n")


def test_ci_uses_the_browser_that_is_there(run_ci):
    assert run_ci(**{"apt-get": "", "id": "echo 0", "google-chrome": ""}) == ([], "")


def test_ci_installs_nothing_as_somebody_else_than_root(run_ci):
    assert run_ci(**{"apt-get": "", "id": "echo 1000"}) == ([], "")


def test_ci_installs_nothing_where_there_is_no_apt(run_ci):
    assert run_ci(id="echo 0") == ([], "")


def test_ci_goes_on_if_the_browser_cannot_be_installed(run_ci):
    calls, said = run_ci(**{"apt-get": "echo no network >&2; exit 100", "id": "echo 0"})
    assert calls == INSTALLS[:1]
    assert said == (
        "Installing Chromium ...\nno network\nwarning: apt-get could not install chromium (messages above)\n"
    )
