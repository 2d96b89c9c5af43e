"""The first look at files: which runs need no analysis at all.

Most files that a hook or a mixed repository hands over have nothing to do with JAX. They are
answered here, in the time that Python takes to start: nothing but `os` and the compiler is used,
and none of the modules that an analysis needs is imported.

Invariants:
- What passes is plain UTF-8, valid for the running Python, and names no library of the JAX family
  and no suppression of ours. Whatever is doubtful goes to the analysis, which decides.
- A file that passes gets the same answer, nothing, from the analysis.
"""

import gc
import re
import warnings
from collections.abc import Iterable

from oakum_lint.text.notebook.names import is_joined
from oakum_lint.text.regular_files import read_regular

TRACER_LIBRARIES = (
    "brax", "chex", "diffrax", "distrax", "dm_haiku", "e3nn_jax", "elegy", "equinox", "evosax",
    "flashbax", "flax", "gymnax", "haiku", "jax", "jax_md", "jaxlib", "jaxopt", "jaxtyping",
    "jraph", "lineax", "numpyro", "oakum", "objax", "optax", "optimistix", "orbax", "oryx",
    "penzai", "rlax", "tinygp", "trax",
)  # fmt: skip
"""Libraries whose import may bring traced values into a file."""

_WORDS = tuple(word.encode() for word in (*TRACER_LIBRARIES, "import_module", "__import__"))
_LARGEST = 1024 * 1024
_NAMED_SUPPRESSION = re.compile(rb"noqa\s*:[^\r\n]*[a-z]-[a-z]")
_ONLY_TREE = 0x400  # ast.PyCF_ONLY_AST, without the cost of importing ast


def all_pass(files: Iterable[str]) -> bool:
    """Whether there is nothing to find or to say in any of the files."""
    texts: list[bytes] = []
    for file in files:
        data = None if is_joined(file) else _read(file)
        if data is None or not _is_foreign(data):
            return False
        texts.append(data)
    # Only now: compiling costs more than all other tests, and one file that fails them is enough.
    return all(python_accepts(data.decode()) for data in texts)


def names_library(text: str) -> bool:
    """Whether a text has the name of a library of the JAX family in it."""
    return any(name in text for name in TRACER_LIBRARIES)


def _read(file: str) -> bytes | None:
    """The bytes of a regular file of ordinary size, or None."""
    try:
        return read_regular(file, _LARGEST)
    except (OSError, ValueError):
        return None


def _is_foreign(data: bytes) -> bool:
    if any(word in data for word in _WORDS):
        return False
    lowered = data.lower()
    if b"oak" in lowered or b"\0" in data or data.startswith(b"\xef\xbb\xbf"):
        return False
    if b"noqa" in lowered and _NAMED_SUPPRESSION.search(lowered):
        return False
    head = b"".join(data[:1000].splitlines()[:2]).lower()
    if b"coding" in head and b"utf-8" not in head:
        return False
    if data.isascii():
        return True
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def python_accepts(text: str) -> bool:
    """Whether the running Python compiles a text to a syntax tree.

    >>> python_accepts("x = 1\\n"), python_accepts("x = = 1\\n")
    (True, False)
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            # Of invalid escapes; where warnings are errors, they would be syntax errors.
            warnings.simplefilter("ignore")
            compile(text, "<source>", "exec", _ONLY_TREE, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    finally:
        if collects:
            gc.enable()
    return True
