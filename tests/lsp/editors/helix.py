"""What Helix shows of a file, in a terminal of tmux, and its text after a fix, as JSON.

`OAKUM_FILE` names the file, which is saved, `OAKUM_PYTHON` the Python of the server, `OAKUM_HELIX`
the command of Helix, `OAKUM_STATE` a folder for the editor, and `OAKUM_REPORT` what is written.
"""

import json
import os
import shlex
import subprocess
import time
from pathlib import Path

PATIENCE_S = 100
LANGUAGES = """\
[language-server.oakum]
command = "{python}"
args = ["-P", "-m", "oakum_lint", "lsp"]

[[language]]
name = "python"
language-servers = ["oakum"]
"""


def main() -> None:
    file, state = Path(os.environ["OAKUM_FILE"]), Path(os.environ["OAKUM_STATE"])
    (state / "helix").mkdir(parents=True)
    languages = LANGUAGES.format(python=os.environ["OAKUM_PYTHON"])
    (state / "helix" / "languages.toml").write_text(languages)
    os.environ |= {"XDG_CONFIG_HOME": str(state), "XDG_CACHE_HOME": str(state / "cache")}
    editor = f"{os.environ['OAKUM_HELIX']} {shlex.quote(str(file))}"
    tmux("new-session", "-d", "-x", "150", "-y", "50", editor)
    try:
        report = look(file, state)
        Path(os.environ["OAKUM_REPORT"]).write_text(json.dumps(report))
    finally:
        tmux("kill-server")


def tmux(*words: str) -> str:
    socket = f"{os.environ['OAKUM_STATE']}/tmux"
    done = subprocess.run(["tmux", "-S", socket, *words], capture_output=True, text=True)
    return done.stdout


def keys(*pressed: str) -> None:
    for key in pressed:
        tmux("send-keys", key)
        if key == "Escape":  # with a key right behind it, it is Alt
            time.sleep(0.5)


def shown(text: str) -> str:
    """The screen, once it has a text."""
    for _ in range(PATIENCE_S * 5):
        screen = tmux("capture-pane", "-p")
        if text in screen:
            return screen
        time.sleep(0.2)
    raise SystemExit(f"{text!r} is not shown:\n{tmux('capture-pane', '-p')}")


def written(file: Path, before: str) -> str:
    """The text of a file, once it is another one."""
    for _ in range(PATIENCE_S * 5):
        if file.exists() and (text := file.read_text()) != before:
            return text
        time.sleep(0.2)
    raise SystemExit(f"{file} is not written:\n{tmux('capture-pane', '-p')}")


def look(file: Path, state: Path) -> dict[str, object]:
    """The text of each mark, what is shown on hover, and the file after the first action."""
    shown("●")
    keys("Space", "d")
    listed = [line for line in shown("2/2").splitlines() if "OAK" in line]
    keys("Escape")
    keys("g", "g")
    marked: list[str] = []
    for number in range(len(listed)):
        keys("]", "d")
        copy = state / f"mark{number}"
        keys(f":pipe-to cat > {copy}", "Enter")
        marked.append(written(copy, ""))
    keys(":8", "Enter", "g", "h", "f", "*", "Space", "k")
    hover = shown("tracer f32[3]")
    keys("Escape", "Space", "a")
    shown("Call `jnp.sin`")
    before = file.read_text()
    keys("Enter")
    keys(":w", "Enter")
    return {"marked": marked, "hover": hover, "text": written(file, before)}


main()
