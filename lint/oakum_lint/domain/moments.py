"""Moments: what the interpreter announces while it runs, to analyses that are its guests.

The evaluator says once what happens, and does not know who listens: `driver` puts the guests
together. A moment to which nobody listens is an empty tuple, and costs a look at it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from oakum.values.declarations import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import External, Value
from oakum_lint.syntax import nodes

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine


class PublicCall(Protocol):
    """Hears that a function of JAX gives its result: by its declaration, with what its parameters
    are bound to, and where that stands; `spelled` is the function as the user wrote it.
    """

    def __call__(
        self,
        machine: "Machine",
        declared: Facts,
        bound: Mapping[str, Value],
        places: Mapping[str, nodes.Node],
        spelled: str,
        frame: Frame,
        node: nodes.Node,
        /,
    ) -> None: ...


class LibraryCall(Protocol):
    """Hears that a name from outside the project is called, before it is known what does it."""

    def __call__(
        self, machine: "Machine", function: External, frame: Frame, node: nodes.Node, /
    ) -> None: ...


class Dropped(Protocol):
    """Hears that an expression is a statement of its own, which drops its value."""

    def __call__(
        self, machine: "Machine", value: Value, frame: Frame, node: nodes.Node, /
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Moments:
    """Who hears of which moment, in the order in which they do."""

    library_call: tuple[LibraryCall, ...] = ()
    public_call: tuple[PublicCall, ...] = ()
    dropped: tuple[Dropped, ...] = ()


def together(*guests: Moments) -> Moments:
    """The moments of several guests as one."""
    return Moments(
        tuple(hears for guest in guests for hears in guest.library_call),
        tuple(hears for guest in guests for hears in guest.public_call),
        tuple(hears for guest in guests for hears in guest.dropped),
    )
