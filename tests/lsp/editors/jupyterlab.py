"""What JupyterLab with jupyterlab-lsp shows of a notebook, in Chromium without a screen, as JSON.

Run by the Python of an environment that has jupyterlab, jupyterlab-lsp and playwright.
`OAKUM_FILE` names the notebook, `OAKUM_PYTHON` the Python of the server, `OAKUM_REPORT` what is
written, and `OAKUM_PICTURE`, if it is set, where a picture of the window is put.
"""

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

SERVER = {
    "argv": [os.environ["OAKUM_PYTHON"], "-P", "-m", "oakum_lint", "lsp"],
    "languages": ["python"],
    "version": 2,
    "mime_types": ["text/x-python"],
    "display_name": "oakum",
}
MARKED = """
() => [...document.querySelectorAll('.jp-Notebook .jp-Cell')].flatMap((cell, number) =>
  [...cell.querySelectorAll('.cm-lintRange')].map(mark => {
    const lines = [...cell.querySelectorAll('.cm-line')];
    const line = lines.findIndex(each => each.contains(mark)) + 1;
    return [number + 1, line, mark.textContent];
  }))
"""
PATIENCE = 120_000


def main() -> None:
    file = Path(os.environ["OAKUM_FILE"])
    settings = {
        "LanguageServerManager": {"autodetect": False, "language_servers": {"oakum": SERVER}}
    }
    config = file.parent / "config"
    config.mkdir()
    (config / "jupyter_server_config.json").write_text(json.dumps(settings))
    token, port = secrets.token_hex(8), 20_000 + secrets.randbelow(20_000)
    options = ("--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0")
    lab = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", *options),
            *(f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={file.parent}"),
        ],
        env={**os.environ, "JUPYTER_CONFIG_DIR": str(config)},
    )
    try:
        address = f"http://localhost:{port}"
        wait(f"{address}/api?token={token}")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.goto(f"{address}/lab/tree/{file.name}?token={token}&reset")
            report = look(page)
            Path(os.environ["OAKUM_REPORT"]).write_text(json.dumps(report))
            browser.close()
    finally:
        lab.terminate()
        lab.wait()


def wait(address: str) -> None:
    for _ in range(PATIENCE // 500):
        try:
            urllib.request.urlopen(address).close()
        except OSError:
            time.sleep(0.5)
        else:
            return
    raise SystemExit("JupyterLab does not answer")


def look(page: Page) -> dict[str, object]:
    """The marks of the cells (cell, line, text), and what is shown where the mouse is."""
    page.wait_for_selector(".jp-Notebook .cm-lintRange", timeout=PATIENCE)
    place = page.locator(".cm-lintRange").first
    # jupyterlab-lsp asks for the hover of what is below the mouse where Ctrl is held.
    page.keyboard.down("Control")
    shown = page.locator(".lsp-tooltip")
    box = place.bounding_box()
    assert box is not None
    for turn in range(60):
        page.mouse.move(box["x"] + 5 + turn % 7, box["y"] + box["height"] / 2)
        page.wait_for_timeout(500)
        if shown.count():
            break
    hover = shown.first.inner_text(timeout=1000) if shown.count() else ""
    page.keyboard.up("Control")
    if picture := os.environ.get("OAKUM_PICTURE"):
        page.screenshot(path=picture)
    return {"marked": page.evaluate(MARKED), "hover": hover}


main()
