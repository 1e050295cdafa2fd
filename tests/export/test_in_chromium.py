"""The page in a real browser: what it lays out. Skipped where there is no Chromium."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.export.sessions import SECRETS, with_secrets

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

FACTS = """
const style = (selector) => getComputedStyle(document.querySelector(selector));
const parts = (colour) => colour.match(/[0-9]+/g).slice(0, 3).map(Number);
const light = (colour) => parts(colour).reduce((sum, part) => sum + part) / 765;
document.body.dataset.facts = JSON.stringify({
  wide: document.documentElement.scrollWidth - innerWidth,
  paper: light(style("body").backgroundColor),
  ink: light(style("body").color),
  verdict: document.querySelector(".verdict").getBoundingClientRect().top,
  folded: document.querySelectorAll("details").length,
  open: document.querySelectorAll("details[open]").length,
  cards: [...document.querySelectorAll(".card")].map((card) => card.getBoundingClientRect().height),
  bars: [...document.querySelectorAll(".bar")].map((bar) => bar.getBoundingClientRect().width),
});
"""


def shown(url: str, folder: Path, *options: str) -> str:
    """The document as Chromium has it when it has loaded."""
    assert CHROMIUM is not None
    profile = f"--user-data-dir={folder / 'profile'}"
    common = ("--no-sandbox", "--headless", "--disable-gpu", "--no-first-run", profile, "--dump-dom")
    done = subprocess.run([CHROMIUM, *common, *options, url], capture_output=True, timeout=120, check=False)
    return done.stdout.decode()


def with_facts(page: Path) -> Path:
    """The page with a script that measures it, which the page itself would not let run."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text())
    measured = page.with_name("measured.html")
    measured.write_text(text.replace("</body>", f"<script>{FACTS}</script></body>"))
    return measured


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    assert main(["export", with_secrets(tmp_path / "a.jsonl"), "-o", str(path)]) == 0
    return path


def test_it_fits_a_narrow_window_in_the_dark_and_a_wide_one_by_day(page, tmp_path):
    measured = with_facts(page).as_uri()
    for size, scheme, is_dark in (("500,900", 0, True), ("1200,900", 1, False)):
        options = (f"--window-size={size}", f"--blink-settings=preferredColorScheme={scheme}")
        found = re.search('data-facts="([^"]*)"', shown(measured, tmp_path, *options))
        facts = json.loads(found[1].replace("&quot;", '"'))
        assert facts["wide"] <= 0
        dark, light = (facts["paper"], facts["ink"]) if is_dark else (facts["ink"], facts["paper"])
        assert dark < 0.2 < 0.8 < light
        assert 0 < facts["verdict"] < 300
        assert facts["folded"] > 5
        assert facts["open"] == 0
        assert min(facts["cards"]) > 60
        assert min(facts["bars"]) > 40


def test_nothing_recorded_runs_and_no_secret_is_in_it(page, tmp_path):
    text = shown(page.as_uri(), tmp_path)
    assert "alert(1)" in text
    assert "<script" not in text
    assert not [secret for secret in SECRETS if secret in text]
