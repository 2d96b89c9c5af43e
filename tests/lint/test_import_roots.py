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
        "one package": "[options]\npackage_dir =\n    acme = code/acme",
    },
    "setup.py": {
        "found": "setup(packages=find_packages(where='code'))",
        "by package": "setup(package_dir={'': 'code'})",
        "one package": "setup(package_dir={'acme': 'code/acme'})",
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
    file.write_text("setup()" if name == "setup.py" else "")
    assert find_import_roots([str(tmp_path)], [str(file)]) == [str(tmp_path)]
    file.write_text(text)
    assert find_import_roots([str(tmp_path)], [str(file)]) == [
        str(tmp_path),
        str(tmp_path / "code"),
    ]


@pytest.mark.parametrize("is_installed", [True, False])
def test_what_is_installed_is_at_the_top_where_its_folder_is_called_a_package(
    is_installed: bool, tmp_path: Path
) -> None:
    """An `__init__.py` in `src` is mostly left there by mistake: what is installed from it is
    imported without it. A folder that no build names is the package that it says.
    """
    (tmp_path / "src" / "acme").mkdir(parents=True)
    (tmp_path / "src" / "__init__.py").touch()
    where = 'where = ["src"]' if is_installed else ""
    (tmp_path / "pyproject.toml").write_text(f"[tool.setuptools.packages.find]\n{where}")
    found = find_import_roots([str(tmp_path)], [str(tmp_path / "pyproject.toml")])
    assert (str(tmp_path / "src") in found) == is_installed
