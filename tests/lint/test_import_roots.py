"""The folders that build back ends, test runners and checkers import modules from."""

from pathlib import Path

import pytest

from oakum_lint.text.imports.import_roots import find_import_roots

STATED = {
    "pyproject.toml": {
        "setuptools, found": '[tool.setuptools.packages.find]\nwhere = ["code"]',
        "setuptools, by package": '[tool.setuptools.package-dir]\n"" = "code"',
        "pdm": '[tool.pdm.build]\npackage-dir = "code"',
        "uv": '[tool.uv.build-backend]\nmodule-root = "code"',
        "maturin": '[tool.maturin]\npython-source = "code"',
        "scikit-build": '[tool.scikit-build]\nwheel.packages = ["code/acme"]',
        "hatch, sources": '[tool.hatch.build.targets.wheel]\nsources = ["code"]',
        "hatch, packages": '[tool.hatch.build.targets.wheel]\npackages = ["code/acme"]',
        "hatch, development": '[tool.hatch.build]\ndev-mode-dirs = ["code"]',
        "poetry": '[tool.poetry]\npackages = [{ include = "acme", from = "code" }]',
        "pytest": '[tool.pytest.ini_options]\npythonpath = ["code"]',
        "mypy": '[tool.mypy]\nmypy_path = "code"',
        "pyright": '[tool.pyright]\nextraPaths = ["code"]',
        "ruff": '[tool.ruff]\nsrc = ["code"]',
    },
    "setup.cfg": {
        "found": "[options.packages.find]\nwhere = code",
        "found, below": "[options.packages.find]\nwhere =\n    code",
        "by package": "[options]\npackage_dir =\n    = code",
        "by package, in a line": "[options]\npackage_dir = = code",
    },
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(name, text, id=f"{name}: {what}")
        for name, stated in STATED.items()
        for what, text in stated.items()
    ],
)
def test_modules_are_imported_from_where_the_configuration_says(
    name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "code" / "acme").mkdir(parents=True)
    (tmp_path / "code" / "acme" / "__init__.py").touch()
    file = tmp_path / name
    file.touch()
    assert find_import_roots([str(tmp_path)], [str(file)]) == [str(tmp_path)]
    file.write_text(text)
    assert find_import_roots([str(tmp_path)], [str(file)]) == [
        str(tmp_path),
        str(tmp_path / "code"),
    ]
