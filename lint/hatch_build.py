"""Takes what the linter shares with the engine and the server into its distributions.

In a checkout these packages lie beside this folder, in a source distribution within it.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHARED = {"oakum": "engine", "oakum_lsp": "lsp"}
"""The packages, and the folders of the checkout that have them."""


class SharedPackages(BuildHookInterface[Any]):
    """Called by hatchling for each distribution that it builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the packages, and the license."""
        root = Path(self.root)
        for package, folder in SHARED.items():
            inside = root / package
            found = inside if inside.is_dir() else root.parent / folder / package
            build_data["force_include"][str(found)] = package
        if self.target_name == "sdist" and not (root / "LICENSE").exists():
            build_data["force_include"][str(root.parent / "LICENSE")] = "LICENSE"
