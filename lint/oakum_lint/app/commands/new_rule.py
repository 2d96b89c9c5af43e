"""`oakum new-rule`: begins a rule in a checkout of oakum, for authors of rules."""

import argparse
from pathlib import Path

from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN


def run(options: argparse.Namespace) -> int:
    """Writes the files that the rule begins with, below the working directory."""
    from oakum_lint.rules.scaffold import ScaffoldError, scaffold

    root = Path.cwd()
    try:
        files = scaffold(root, options.code, options.name)
        for path, text in files.items():
            (root / path).write_text(text, encoding="utf-8")
    except ScaffoldError as error:
        raise ConfigurationError(str(error)) from None
    except OSError as error:
        raise ConfigurationError(f"{error.filename}: {error.strerror}") from None
    written = "".join(f"{path}\n" for path in files)
    emit(f"{written}What is still yours to write is marked TODO; CONTRIBUTING.md says what.\n")
    return CLEAN
