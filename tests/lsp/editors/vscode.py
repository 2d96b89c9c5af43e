"""What VS Code (code-server in Chromium, without a screen) shows of a file, and its text after all
safe fixes, as JSON.

Run by a Python that has playwright. `OAKUM_FILE` names the file, which is saved, `OAKUM_PYTHON`
the Python of the server, `OAKUM_CODE_SERVER` the command of code-server, `OAKUM_VSIX` the
extension, `OAKUM_STATE` a folder for the editor, `OAKUM_REPORT` what is written, and
`OAKUM_PICTURE`, if it is set, where a picture of the window is put.
"""

import json
import os
import secrets
import shlex
import subprocess
from pathlib import Path

from browser import PATIENCE, opened, wait
from playwright.sync_api import Page

SETTINGS = {
    "oakum.interpreter": os.environ["OAKUM_PYTHON"],
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "editor.codeActionsOnSave": {"source.fixAll.oakum": "explicit"},
    "editor.inlayHints.enabled": "off",
}
MARKED = """
() => [...document.querySelectorAll('.squiggly-error, .squiggly-warning')].map(mark => {
  const box = mark.getBoundingClientRect();
  return [box.left, box.top, box.height];
})
"""


def main() -> None:
    file = Path(os.environ["OAKUM_FILE"])
    state = Path(os.environ["OAKUM_STATE"])
    user = state / "User"
    user.mkdir(parents=True)
    (user / "settings.json").write_text(json.dumps(SETTINGS))
    server = shlex.split(os.environ["OAKUM_CODE_SERVER"])
    folders = [f"--user-data-dir={state}", f"--extensions-dir={state / 'extensions'}"]
    install = [*server, *folders, "--install-extension", os.environ["OAKUM_VSIX"]]
    subprocess.run(install, check=True, timeout=300)
    port = 20_000 + secrets.randbelow(20_000)
    options = ["--auth=none", f"--bind-addr=127.0.0.1:{port}", "--disable-telemetry"]
    running = subprocess.Popen([*server, *folders, *options, str(file.parent)])
    try:
        address = f"http://127.0.0.1:{port}"
        wait(f"{address}/healthz", "code-server")
        files = json.dumps([["openFile", f"vscode-remote://127.0.0.1:{port}{file}"]])
        with opened(f"{address}/?folder={file.parent}&payload={files}") as page:
            report = look(page, file)
            Path(os.environ["OAKUM_REPORT"]).write_text(json.dumps(report))
    finally:
        running.terminate()
        running.wait()


def look(page: Page, file: Path) -> dict[str, object]:
    """The listed problems, what is shown where the mouse is, and the text as it is saved."""
    page.wait_for_selector(".squiggly-error", timeout=PATIENCE)
    page.wait_for_timeout(2000)
    page.keyboard.press("Control+Shift+M")
    problems = page.locator(".markers-panel .monaco-list-row")
    problems.first.wait_for(timeout=PATIENCE)
    listed = [row.inner_text() for row in problems.all()]
    left, top, height = min(page.evaluate(MARKED), key=lambda box: box[1])
    hover = ""
    for turn in range(20):
        page.mouse.move(left + 40 + turn % 5, top + height / 2)
        page.wait_for_timeout(700)
        shown = page.locator(".monaco-hover:not(.hidden)")
        hover = "\n".join(each.inner_text() for each in shown.all())
        if "tracer" in hover:
            break
    if picture := os.environ.get("OAKUM_PICTURE"):
        page.screenshot(path=picture)
    before = file.read_text()
    page.locator(".monaco-editor .view-lines").first.click(position={"x": 5, "y": 5})
    page.keyboard.press("Control+S")
    for _ in range(PATIENCE // 500):
        if file.read_text() != before:
            break
        page.wait_for_timeout(500)
    page.wait_for_timeout(1000)
    return {"problems": listed, "hover": hover, "text": file.read_text()}


main()
