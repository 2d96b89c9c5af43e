"""`oakum check --shard I/N`: the share of one machine in a run on several (see `merge`)."""

import argparse
from pathlib import Path
from typing import Final

from oakum_lint.app import runner
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.distribution.shards import Shard
from oakum_lint.app.exit_status import CLEAN
from oakum_lint.app.settings import Settings

_OWN: Final = frozenset({"command", "jobs", "no_cache", "output_file", "shard", "watch"})
"""Options that need not be the same for all shards of a run."""


def write(options: argparse.Namespace, settings: Settings) -> int:
    """Analyses one shard, and writes what is found to the output file."""
    number, count = _numbers(options.shard)
    if options.fix or options.diff or "-" in options.paths:
        raise ConfigurationError("--shard reports on files: no --fix, --diff or standard input")
    if options.output_file is None:
        raise ConfigurationError("--shard needs --output-file: `oakum merge` takes these files")
    shard = Shard(number, count)
    try:
        runner.analyse_shard(options.paths, settings, options.project, shard)
    except runner.MissingPathError as error:
        raise ConfigurationError(str(error)) from None
    except Exception:  # the merge runs into it, too, and says which file it is
        shard.parts.clear()
    stated = {name: value for name, value in vars(options).items() if name not in _OWN}
    try:
        Path(options.output_file).write_text(shard.to_json(stated), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{options.output_file}: {error.strerror}") from None
    return CLEAN


def _numbers(stated: str) -> tuple[int, int]:
    first, _, second = stated.partition("/")
    if all(part.isascii() and part.isdigit() for part in (first, second)):
        number, count = int(first), int(second)
        if 0 < number <= count:
            return number, count
    raise ConfigurationError(f"--shard {stated}: 2/4 is the second of four")
