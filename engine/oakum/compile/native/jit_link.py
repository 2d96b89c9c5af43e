"""Native code: the text of a module becomes an object, and the object addresses.

No pass of LLVM's middle end is run: the text says already what is to be done with vectors, and
measurements found the same speed without them, at a fraction of the time.

Invariants:
- Nothing that LLVM would abort on is given to it: text that does not parse raises
  `CompilationError`, and its instructions are those that `llvm_function` writes.
- What was linked stays linked while the process lives, or while its `Library` is held.
- LLVM's objects are closed by `_close`, never by a destructor: to free code takes milliseconds, and
  Python drops a Ctrl-C that comes during a destructor.
"""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Final, Protocol

from oakum.compile.native import object_cache, target
from oakum.values import interruptible_work
from oakum.values.records import dataclass

PARALLEL: Final = "oakum_parallel"
"""The symbol of what runs chunks in parallel: `void (ptr kernel, ptr buffers, i64 chunks)`."""

_numbers: Final = itertools.count()


class _Closing(Protocol):
    """What LLVM keeps until it is closed."""

    def close(self) -> None: ...


class CompilationError(Exception):
    """LLVM refuses the text of a module."""


@dataclass(frozen=True, slots=True)
class Object:
    """Object code, and how it was had, in words."""

    code: bytes
    origin: str


MADE: Final = "made by LLVM"
_IN_MEMORY: Final = "found in memory"
_ON_DISK: Final = "found on disk"


class _Linker:
    """LLVM's linker, while one of its libraries lives, or it is the newest."""

    __slots__ = ("__weakref__", "jit")

    def __init__(self, jit: _Closing) -> None:
        self.jit = jit
        _owned[weakref.ref(self, _ended.append)] = (jit, None)


class Library:
    """Linked code, with the addresses of what it exports, its bytes, and how it was had."""

    __slots__ = ("__weakref__", "addresses", "nbytes", "origin")

    def __init__(
        self, tracker: _Closing, linker: _Linker, addresses: dict[str, int], made: Object
    ) -> None:
        _owned[weakref.ref(self, _ended.append)] = (tracker, linker)
        self.addresses = addresses
        self.nbytes = len(made.code)
        self.origin = made.origin

    def __getitem__(self, name: str) -> int:
        return self.addresses[name]


_ended: Final[deque[weakref.ref[Any]]] = deque()
"""References to owners that are gone: a method of a deque notes them, which nothing interrupts."""

_owned: Final[dict[weakref.ref[Any], tuple[Any, _Linker | None]]] = {}
"""An object of LLVM that each owner has, and the linker that has to outlive it."""

_closing: Final[dict[int, Any]] = {}
"""What is being closed; what was interrupted there stays: to close it twice would be fatal."""


def free_ended() -> None:
    """Frees the code of libraries that are gone."""
    while _ended:
        try:
            owner = _ended.popleft()
        except IndexError:  # another thread was faster
            return
        resource, linker = _owned.pop(owner)
        _close(resource)
        del resource, linker  # of the last library: now it has ended, too


def _close(resource: _Closing) -> None:
    _closing[id(resource)] = resource
    resource.close()
    del _closing[id(resource)]


_linkers: Final[list[_Linker]] = []
LINKED_TOGETHER: Final = 64
"""So many libraries share a linker, whose own records of them go only with all of them."""


def _linker(number: int) -> _Linker:
    """Returns the linker of a library."""
    if not _linkers or number % LINKED_TOGETHER == 0:
        # JITLink's memory for an object is one piece. LLVM's other linker takes one for each part,
        # wherever there is room, and aborts where code is further than 2 GiB from its constants; it
        # is the one for Windows all the same, whose unwinding tables JITLink does not know.
        one_piece = "windows" not in target.host().triple
        library = target.binding()
        jit = library.create_lljit_compiler(target.machine(2), use_jit_link=one_piece)
        _linkers[:] = [_Linker(jit)]
    return _linkers[0]


def emit_object(text: str, level: int = 2) -> Object:
    """Returns the object code of a module's text, if need be made now; raises
    `CompilationError`.
    """
    interruptible_work.enter()
    library, host = target.binding(), target.host()
    version = ".".join(str(part) for part in library.llvm_version_info)
    key = object_cache.key(
        text, triple=host.triple, cpu=host.cpu, features=host.features, level=level, llvm=version
    )
    origin = _IN_MEMORY if object_cache.memory().holds(key) else _ON_DISK
    code = object_cache.lookup(key)
    if code is None:

        def make() -> bytes:
            made = _compile(library, text, level)
            object_cache.store(key, made)  # also when the call that it was for has been given up
            return made

        code = interruptible_work.run(make) if interruptible_work.is_long_text(text) else make()
        origin = MADE
    return Object(code, origin)


def _compile(library: ModuleType, text: str, level: int) -> bytes:
    # Constants and types live as long as their context; the common one would grow for ever.
    context = library.create_context()
    try:
        module = library.parse_assembly(text, context)
        module.verify()
    except RuntimeError as error:
        raise CompilationError(str(error)) from None
    code: bytes = target.machine(level).emit_object(module)
    _close(module)
    _close(context)
    return code


def emit_assembly(text: str, level: int = 2) -> str:
    """Returns the assembly of a module's text, to be read."""
    library = target.binding()
    with library.parse_assembly(text, library.create_context()) as module:
        return target.machine(level).emit_assembly(module)


def _parallel() -> int:
    """Returns the address of what runs chunks in parallel; it is code that is linked here."""
    from oakum.compile.native import threads

    return threads.address()


def link_object(
    made: Object, exports: Sequence[str], imports: Mapping[str, int] | None = None
) -> Library:
    """Links object code; `imports` are the addresses of symbols that it needs.

    That of `oakum_parallel` is always known.
    """
    builder = target.binding().JITLibraryBuilder().add_object_img(made.code).add_current_process()
    known = dict(imports or {})
    if PARALLEL.encode() in made.code and PARALLEL not in exports:
        known.setdefault(PARALLEL, _parallel())
    for name, address in known.items():
        builder.import_symbol(name, address)
    for name in exports:
        builder.export_symbol(name)
    free_ended()
    number = next(_numbers)
    linker = _linker(number)
    tracker = builder.link(linker.jit, f"oakum{number}")
    return Library(tracker, linker, {name: tracker[name] for name in exports}, made)


def link(
    text: str, exports: Sequence[str], imports: Mapping[str, int] | None = None, level: int = 2
) -> Library:
    """Compiles and links a module."""
    return link_object(emit_object(text, level), exports, imports)
