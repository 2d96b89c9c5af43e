"""The first look. What it passes is never analysed, so it must pass nothing with a finding."""

import os
import tokenize
from collections.abc import Callable
from pathlib import Path

import pytest

from oakum_lint.app.analysis import analyse
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.text import sieve


@pytest.fixture
def write(tmp_path: Path) -> Callable[[bytes], str]:
    def put(data: bytes) -> str:
        file = tmp_path / "a.py"
        file.write_bytes(data)
        return str(file)

    return put


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x = 1\n",
        b"import numpy as np\nx = np.zeros(3)  # noqa\n",
        b"x = 1  # noqa: E501, F401\n",
        "s = 'é\U0001f600'\n".encode(),
        b"# -*- coding: utf-8 -*-\nx = 1\n",
        b"x = 1\r\ny = 2\rz = '\\d'\n",
    ],
)
def test_ordinary_files_pass(data: bytes, write: Callable[[bytes], str]) -> None:
    assert sieve.all_pass([write(data)])


@pytest.mark.parametrize(
    "data",
    [
        b"import jax\n",
        b"from flax import linen\n",
        b"import importlib\nimportlib.import_module(name)\n",
        b"x = 1  # noqa: OAK201\n",
        b"x = 1  # noqa: tracer-in-branch\n",
        b"x = 1  # OAKUM: ignore\n",
        b"def f(:\n",
        b"x = '\xff'\n",
        b"# coding: latin-1\nx = '\xe9'\n",
        b"# coding: no-such-codec\nx = 1\n",
        b"x = 1\0\n",
        b"\xef\xbb\xbfx = 1\n",
        b"x = " + b"(" * 1000 + b")" * 1000,
        b"# " + b"x" * sieve._LARGEST,  # pyright: ignore[reportPrivateUsage]
    ],
)
def test_whatever_is_doubtful_goes_to_the_analysis(
    data: bytes, write: Callable[[bytes], str]
) -> None:
    assert not sieve.all_pass([write(data)])


def test_what_is_no_regular_file_goes_to_the_analysis(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "link.py").symlink_to("nowhere.py")
    for name in ("pipe.py", "link.py", "missing.py", "nul\0.py"):
        assert not sieve.all_pass([str(tmp_path / name)])


def test_one_doubtful_file_sends_all_to_the_analysis(tmp_path: Path) -> None:
    for name, text in (("a.py", "x = 1\n"), ("b.py", "import jax\n")):
        (tmp_path / name).write_text(text)
    assert not sieve.all_pass([str(tmp_path / "a.py"), str(tmp_path / "b.py")])


def test_the_analysis_has_nothing_to_say_of_what_passes() -> None:
    """Compared on files of the standard library, which nobody here wrote."""
    library = Path(tokenize.__file__).parent
    files = [str(file) for file in sorted(library.glob("*.py"))[:40] if sieve.all_pass([str(file)])]
    assert len(files) > 20
    for report in analyse([Path(file) for file in files]):
        assert report.findings == ()
    assert check_files(files, Settings(str(library))).findings == []
