"""`oakum check --show-settings` and `--show-files`: what a run would do, without doing it."""

import argparse
import json
from collections.abc import Iterable

from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.discover import discover
from oakum_lint.app.settings import DEFAULT_EXCLUDE, Settings
from oakum_lint.models.habits import CALL_COUNTERS, DRAW_FLAGS, STILL_FLAGS, TRACE_COUNTERS
from oakum_lint.text.lines import one_line


def show(options: argparse.Namespace, settings: Settings) -> None:
    """Prints the settings as a table of TOML, or the files, one a line."""
    if options.show_settings:
        emit("".join(f"{line}\n" for line in _lines(settings)))
    if options.show_files:
        found = discover(options.paths, settings)
        if found.missing:
            raise ConfigurationError(f"no such file or directory: {', '.join(found.missing)}")
        emit("".join(f"{one_line(file)}\n" for file in found.files))


def _lines(settings: Settings) -> list[str]:
    exclude, more = settings.exclusion
    listed: dict[str, object] = {
        "select": settings.select,
        "ignore": settings.ignore,
        "baseline": settings.baseline,
        "exclude": DEFAULT_EXCLUDE if exclude is None else exclude,
        "extend-exclude": more,
        "documents": settings.documents,
        "force-exclude": settings.force_exclude,
        "respect-gitignore": settings.respect_gitignore,
        "output-format": settings.output_format,
        "min-confidence": settings.min_confidence,
        "min-severity": settings.min_severity,
        "assume-traced": settings.assume_traced,
        "entry-points": settings.entry_points,
        "trace-counters": _either(settings.trace_counters, TRACE_COUNTERS),
        "call-counters": _either(settings.call_counters, CALL_COUNTERS),
        "draw-flags": _either(settings.draw_flags, DRAW_FLAGS),
        "still-flags": _either(settings.still_flags, STILL_FLAGS),
        "max-seconds-per-root": settings.max_seconds_per_root,
    }
    lines = [f"# patterns are relative to {settings.root}", "[tool.oakum]"]
    for key, value in listed.items():
        # TOML has no word for what is not set.
        lines.append(f"# {key} is not set" if value is None else f"{key} = {_toml(value)}")
    if settings.per_file_ignores:
        lines += ["", "[tool.oakum.per-file-ignores]"]
        lines += [
            f"{_toml(pattern)} = {_toml(selectors)}"
            for pattern, selectors in settings.per_file_ignores.items()
        ]
    return lines


def _either(chosen: tuple[str, ...] | None, default: Iterable[str]) -> list[str]:
    return sorted(default) if chosen is None else list(chosen)


def _toml(value: object) -> str:
    """A string, number, truth value or list of strings as TOML spells it, which is as in JSON."""
    return json.dumps(value, ensure_ascii=False)
