"""What users copy or install to have oakum in an editor says what the server takes and offers."""

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from oakum_lsp.capabilities import Capabilities, offered_to

ROOT = Path(__file__).parents[2]
VSCODE = ROOT / "lsp" / "editors" / "vscode"
PAGE = ROOT / "docs" / "pages" / "editors.md"
CLIENT = Capabilities("utf-16", False, False, False, True, True, True, True, ())


def manifest() -> dict[str, Any]:
    return json.loads((VSCODE / "package.json").read_text())


def sources() -> str:
    return "".join(file.read_text() for file in sorted((VSCODE / "src").glob("*.ts")))


def snippets(language: str) -> list[str]:
    """The blocks of the page on editors in a language."""
    text = PAGE.read_text()
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_each_setting_of_the_extension_is_read() -> None:
    settings = set(manifest()["contributes"]["configuration"]["properties"])
    server = (ROOT / "lsp/oakum_lsp/client_settings.py").read_text()
    server += (ROOT / "lsp/oakum_lsp/capabilities.py").read_text()
    for name in settings - {"oakum.trace.server"}:  # the client library reads that one
        first = name.split(".")[1]
        assert f'"{first}"' in server + sources(), f"nobody reads {name}"


def test_each_command_of_the_extension_is_there_and_none_is_the_servers() -> None:
    commands = {each["command"] for each in manifest()["contributes"]["commands"]}
    registered = set(re.findall(r'registerCommand\("([^"]+)"', sources()))
    assert commands == registered
    # The client library registers the server's commands itself: twice is an error at start.
    served: Any = offered_to(CLIENT)["executeCommandProvider"]
    assert commands.isdisjoint(served["commands"])


def test_the_extension_adds_reasons_to_the_servers_suppressions() -> None:
    pattern = re.search(r"const TITLE = /(.*)/;", sources())
    assert pattern is not None
    server = (ROOT / "lsp/oakum_lsp/features/actions.py").read_text()
    title = re.search(r'title = f"(Suppress .*)"', server)
    assert title is not None
    assert re.fullmatch(pattern[1], title[1].replace("{finding.code}", "OAK201"))


def test_the_extension_knows_the_modifiers_of_tokens() -> None:
    known = [each["id"] for each in manifest()["contributes"]["semanticTokenModifiers"]]
    offered: Any = offered_to(CLIENT)["semanticTokensProvider"]
    assert known == [*offered["legend"]["tokenModifiers"]]


def test_settings_of_helix_and_vs_code_parse() -> None:
    assert snippets("toml")
    for text in snippets("toml"):
        found = tomllib.loads(text)
        server = found["language-server"]["oakum"]
        assert [server["command"], *server["args"]] == ["oakum", "lsp"]
        assert any("oakum" in each["language-servers"] for each in found["language"])
    known = set(manifest()["contributes"]["configuration"]["properties"])
    assert snippets("json")
    for text in snippets("json"):
        found = json.loads(text)
        if "LanguageServerManager" in found:
            servers = found["LanguageServerManager"]["language_servers"]
            assert servers["oakum"]["argv"] == ["oakum", "lsp"]
            assert servers["oakum"]["version"] == 2
        else:
            assert {name for name in found if name.startswith("oakum.")} <= known


CHECKS = {
    "lua": ["nvim", "--headless", "-c", "lua assert(loadfile('{file}'))", "-c", "qa!"],
    "vim": ["vim", "-es", "-N", "-u", "NONE", "-S", "{file}", "-c", "qa!"],
    "lisp": ["emacs", "-Q", "--batch", "--eval",
             "(with-temp-buffer (insert-file-contents \"{file}\") (check-parens))"],
}  # fmt: skip


@pytest.mark.parametrize("language", CHECKS)
def test_configurations_of_editors_parse(language: str, tmp_path: Path) -> None:
    blocks = snippets(language)
    assert blocks, f"the page has no block in {language}"
    for number, text in enumerate(blocks):
        assert text.count('"oakum"') or text.count("'oakum'"), text
        assert text.count("(") == text.count(")"), text
        if shutil.which(CHECKS[language][0]) is None:
            continue
        file = tmp_path / f"{number}.{language}"
        file.write_text(text)
        command = [part.replace("{file}", str(file)) for part in CHECKS[language]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
