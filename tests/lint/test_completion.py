"""`oakum completion`: the scripts are accepted by their shells, and complete what there is."""

import shutil
import subprocess
from pathlib import Path

import pytest

from oakum_lint.app.cli import main


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


def completed(text: str, *words: str) -> list[str]:
    """What bash offers for the last of the words."""
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    quoted = " ".join(f"'{word}'" for word in words)
    program = (
        f"{text}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}\n"
        'COMPREPLY=(); _oakum; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ran = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
    return ran.stdout.split()


def test_bash_completes_commands_options_and_choices(capsys: pytest.CaptureFixture[str]) -> None:
    text = script("bash", capsys)
    assert completed(text, "oakum", "ch") == ["check"]
    assert completed(text, "oakum", "check", "--write") == ["--write-baseline"]
    assert completed(text, "oakum", "check", "--output-format", "ju") == ["junit"]
    assert completed(text, "oakum", "completion", "f") == ["fish"]
    assert completed(text, "oakum", "merge", "--fix") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_accepts_its_script(
    shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script(shell, capsys)
    assert all(word in text for word in ("write-baseline", "sarif", "explain"))
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell}")
    file = tmp_path / "script"
    file.write_text(text)
    subprocess.run([shell, "-n", str(file)], check=True)
