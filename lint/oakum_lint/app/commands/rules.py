"""`oakum rules`: lists the rules, or prints all their pages."""

import argparse

from oakum_lint.app.commands.output import emit
from oakum_lint.app.exit_status import CLEAN
from oakum_lint.rules import page


def run(options: argparse.Namespace) -> int:
    """Prints the list, or with `--markdown` the text of rules.md."""
    emit(page.markdown() if options.markdown else page.listing())
    return CLEAN
