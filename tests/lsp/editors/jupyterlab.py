"""What JupyterLab with jupyterlab-lsp shows of a notebook, in Chromium without a screen, as JSON.

Run by the Python of an environment that has jupyterlab, jupyterlab-lsp and playwright.
`OAKUM_FILE` names the notebook, `OAKUM_PYTHON` the Python of the server, `OAKUM_REPORT` what is
written, and `OAKUM_PICTURE`, if it is set, where a picture of the window is put.
"""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

from browser import PATIENCE, opened, wait
from playwright.sync_api import Page

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
        wait(f"{address}/api?token={token}", "JupyterLab")
        with opened(f"{address}/lab/tree/{file.name}?token={token}&reset") as page:
            report = look(page)
            Path(os.environ["OAKUM_REPORT"]).write_text(json.dumps(report))
    finally:
        lab.terminate()
        lab.wait()


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
