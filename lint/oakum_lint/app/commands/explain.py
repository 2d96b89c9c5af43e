"""`oakum explain`: prints the page of one code."""

import argparse

from oakum_lint.app import selectors
from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN
from oakum_lint.rules import catalogue, page


def run(options: argparse.Namespace) -> int:
    """Prints the page; a word that is no code or name is a usage error with a suggestion."""
    code = catalogue.find(options.code)
    if code is None:
        hint = selectors.suggestion(options.code)
        raise ConfigurationError(f"`{options.code}` is not a code or a name of oakum{hint}")
    emit(page.text(code))
    return CLEAN
