"""A real browser without a window, for tests of pages. Where there is none, tests that ask for it skip and say so."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_DRIVER = "chromedriver"


class NoBrowserError(Exception):
    """There is no browser; the message says what was looked for."""


@contextmanager
def browser(width: int = 1400, height: int = 900) -> Iterator[WebDriver]:
    """A browser with a window of so many pixels, which keeps what pages write to their console.

    Raises NoBrowserError.
    """
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which(_DRIVER)
    if program is None or driver is None:
        raise NoBrowserError(f"no browser to test the page in: needs {_DRIVER} and one of {', '.join(_BROWSERS)}")
    options = Options()
    options.binary_location = program
    # Without a sandbox, which a container or root does not get: only pages of these tests are opened.
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


def open_page(opened: WebDriver, page: Path) -> None:
    """Open a page from the disk; what an earlier one wrote to the console is forgotten."""
    console(opened)
    opened.get(page.as_uri())


def console(opened: WebDriver) -> list[str]:
    """What pages have written to the console since this was last asked."""
    return [str(entry["message"]) for entry in opened.get_log("browser")]
