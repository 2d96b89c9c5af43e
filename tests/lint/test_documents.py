"""What README and the files around the code promise is what the code does."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from oakum_lint.app.cli import main
from oakum_lint.app.config import load

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, start: str) -> str:
    """The block of code of README that begins with a text."""
    found = re.search(rf"```{language}\n({re.escape(start)}.*?)```", README, flags=re.DOTALL)
    assert found is not None, f"README has no block that begins with {start!r}"
    return found[1]


def test_the_example_of_readme_is_what_a_user_sees(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    """After a change of a message: `pytest --update-golden`, which writes README's example too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "train.py").write_text(block("python", "import jax"))
    assert main(["check", "train.py"]) == 1
    seen = "$ oakum check train.py\n" + capsys.readouterr().out
    shown = block("text", "$ oakum check train.py")
    if request.config.getoption("--update-golden"):
        (ROOT / "README.md").write_text(README.replace(shown, seen), encoding="utf-8")
        shown = seen
    assert seen == shown


def test_the_error_that_readme_shows_is_what_a_user_sees(tmp_path: Path) -> None:
    """The same program on the engine, with a call."""
    program = block("python", "import jax").replace("import jax\nimport jax", "IMPORT", 1)
    assert "IMPORT.numpy as jnp" in program
    head = block("python", "import oakum as jax")
    program = program.replace("IMPORT.numpy as jnp\n", head)
    (tmp_path / "train.py").write_text(
        f"{program}\n\nstep(jnp.ones(3), jnp.ones((4, 3)), jnp.ones(4))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "engine")}
    command = [sys.executable, str(tmp_path / "train.py")]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    seen = ran.stderr.replace(str(tmp_path), "/home/me")
    assert seen[seen.index("oakum.errors.") :] == block("text", "oakum.errors.")


def test_readme_and_the_page_on_editors_have_one_setting_for_neovim() -> None:
    page = (ROOT / "docs" / "pages" / "editors.md").read_text(encoding="utf-8")
    assert f"```lua\n{block('lua', 'vim.lsp.config')}" in page


def test_readme_has_two_set_up_commands_and_ci_runs_the_second() -> None:
    """Both begin with an environment of their own, so both work in a clean clone."""
    commands = re.findall(r"^python3 -m venv .*$", README, flags=re.MULTILINE)
    assert len(commands) == 2
    assert commands[0].endswith("oakum check --exit-zero examples")
    pattern = re.search(r"sed -n '/(.*)/p'", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    assert pattern is not None
    assert [bool(re.search(pattern[1], command)) for command in commands] == [False, True]


def test_the_configuration_that_readme_shows_is_accepted_and_complete(tmp_path: Path) -> None:
    text = block("toml", "[tool.oakum]")
    (tmp_path / "pyproject.toml").write_text(text)
    load([str(tmp_path)])
    from oakum_lint.app import config

    shown = tomllib.loads(text)["tool"]["oakum"]
    assert set(shown) == set(config.KEYS)


def test_every_subcommand_and_format_is_in_readme(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    commands = re.findall(r"^    (\w+)(?: |$)", capsys.readouterr().out, flags=re.MULTILINE)
    assert commands == [
        "check",
        "clean",
        "completion",
        "init",
        "merge",
        "run",
        "report",
        "explain",
        "rules",
        "debug",
        "lsp",
    ]
    for command in commands:
        assert f"`oakum {command}" in README


def test_the_changelog_begins_with_what_is_not_yet_released() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert headings[0] == "Unreleased"
