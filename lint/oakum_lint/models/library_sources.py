"""Classes of libraries that are declared by Python source, which the analysis follows as it follows
a program's own. A row of a table does for a function; what a class does to values is its fields,
its methods and what classes of programs take from it.

Invariants:
- A source says what the library's class does to values: its fields, which of them are leaves, and
  what its methods return. Tests hold its names and parameters against the library.
- Nothing is reported in one, and no note leads there.
- A file of the project by the same name comes first: a check of the library reads its own code.
"""

from functools import cache
from pathlib import Path
from typing import Final

SOURCES: Final = {
    "brax.envs": "brax_envs.py",
    "brax.envs.base": "brax_envs.py",
    "flax.training.train_state": "flax_train_state.py",
    "gymnax.environments.environment": "gymnax_environment.py",
    "jraph": "jraph_graphs.py",
    "jumanji.types": "jumanji_types.py",
    "mujoco_playground": "playground_env.py",
    "mujoco_playground._src.mjx_env": "playground_env.py",
}
"""The files of the modules that have one, which need not have all that is in the module."""


def source_of(module: str) -> Path:
    """The file of the source of one of these modules.

    >>> source_of("flax.training.train_state").name
    'flax_train_state.py'
    """
    return Path(__file__).parent / "sources" / SOURCES[module]


@cache
def library_sources() -> dict[Path, str]:
    """The modules that have a source, by its real path: of several the one that defines it."""
    return {source_of(name).resolve(): name for name in sorted(SOURCES)}
