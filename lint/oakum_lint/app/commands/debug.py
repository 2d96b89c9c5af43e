"""`oakum debug`: shows what the analysis makes of a line, for authors of rules."""

import argparse
from pathlib import Path

from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN


def run(options: argparse.Namespace) -> int:
    """Prints the tree, the values or the events of the line `FILE:LINE`."""
    from oakum_lint.app import inspection

    file, _, number = options.place.rpartition(":")
    if not file or not number.isdecimal():
        raise ConfigurationError(f"`{options.place}` is not of the form FILE:LINE")
    try:
        line = inspection.find_line(Path(file), int(number))
        match options.what:
            case "tree":
                shown = list(inspection.tree_at(line))
            case "values":
                shown = inspection.values_at(line)
            case _:
                shown = inspection.events_at(line)
    except inspection.NothingThereError as error:
        raise ConfigurationError(str(error)) from None
    emit("".join(f"{text}\n" for text in shown) or f"No {options.what} at {options.place}.\n")
    return CLEAN
