"""`oakum clean`: removes what earlier runs have kept of a project."""

import argparse
import os
import sys

from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN
from oakum_lint.app.index.folder import clean
from oakum_lint.app.project_context import find_root


def run(options: argparse.Namespace) -> int:
    """Removes the cache of the project that a path lies in."""
    path: str = options.path
    if not os.path.lexists(path):
        raise ConfigurationError(f"no such file or directory: {path}")
    root = find_root(path)
    if root is None:
        raise ConfigurationError(f"{path} lies in no project: there is no root above it")
    try:
        removed = clean(root)
    except OSError as error:
        raise ConfigurationError(f"{error.filename}: {error.strerror}") from None
    print(f"removed {removed}" if removed else f"nothing is kept in {root}", file=sys.stderr)
    return CLEAN
