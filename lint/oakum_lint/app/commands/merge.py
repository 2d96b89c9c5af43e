"""`oakum merge`: the report of a run on several machines, each of which wrote a shard."""

import argparse
from pathlib import Path

from oakum_lint.app.commands import check
from oakum_lint.app.distribution.shards import Merged, read_shards


def run(options: argparse.Namespace) -> int:
    """Reports what all shards have found, as one run would."""
    shards = read_shards(options.shards, lambda file: Path(file).read_text(encoding="utf-8"))
    stated = argparse.Namespace(**shards[0]["options"])
    stated.output_file = options.output_file
    stated.output_format = options.output_format or stated.output_format
    stated.jobs, stated.no_cache, stated.shard, stated.watch = "1", True, "", False
    return check.run(stated, Merged(shards))
