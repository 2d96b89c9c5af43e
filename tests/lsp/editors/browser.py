"""A page in Chromium without a screen, for editors that are served to a browser.

Imported by drivers beside it, which are run by a Python that has playwright.
"""

import shutil
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

PATIENCE = 120_000


def wait(address: str, name: str) -> None:
    """Waits until a server, which has a name, answers."""
    for _ in range(PATIENCE // 500):
        try:
            urllib.request.urlopen(address).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit(f"{name} does not answer")


@contextmanager
def opened(address: str) -> Iterator[Page]:
    """Opens a page, and closes it after the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.goto(address)
        yield page
        browser.close()
