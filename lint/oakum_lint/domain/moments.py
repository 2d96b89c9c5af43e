"""Moments: what the interpreter announces while it runs, to analyses that are its guests.

The evaluator says once what happens, and does not know who listens: `driver` puts the guests
together. A moment to which nobody listens is an empty tuple, and costs a look at it.

Invariants:
- A guest keeps its state in the machine under the class of that state (`Machine.state_of`), and
  what it knows of an array in a facet of its own (`facets`). Nobody else reads either.
- Guests hear a moment in the order in which `together` puts them: each after those that it names.
- A moment that gives a value hands each guest what the guest before it gave.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from oakum.values.declarations import Facts
from oakum.values.records import dataclass, fields
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import External, TimeStamp, Value
from oakum_lint.syntax import nodes

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine

Bound = Mapping[str, Value]
"""What the parameters of a function are bound to."""
Places = Mapping[str, nodes.Node]
"""Where that stands in the program."""


@dataclass(frozen=True, slots=True)
class Moments:
    """Who hears of which moment, in the order in which they do."""

    # --- operations -------------------------------------------------------------------------------
    elements_read: tuple[Callable[["Machine", Iterable[Value], Frame, nodes.Node], None], ...] = ()
    """An operation reads the elements of values: it needs their memory."""
    operands_met: tuple[Callable[["Machine", Iterable[Value], Frame, nodes.Node], None], ...] = ()
    """A device is to compute something of several values together."""
    dispatched: tuple[Callable[["Machine", str, Iterable[Value] | None, Frame], None], ...] = ()
    """Work was handed to the device, under a name for messages: an operation on values, or a
    compiled program (None). Python goes on before it is done."""
    host_waits: tuple[Callable[["Machine", tuple[Value, ...]], None], ...] = ()
    """Python reads values, and waits until they are computed; UNKNOWN: nobody knows of which."""

    # --- calls ------------------------------------------------------------------------------------
    library_call: tuple[
        Callable[["Machine", External, Arguments, Frame, nodes.Node], None], ...
    ] = ()
    """A name from outside the project is called: before it is known what does it."""
    method_call: tuple[Callable[["Machine", Method, Arguments, Frame, nodes.Node], None], ...] = ()
    """A method of a value is called whose class is not of the project."""
    public_call: tuple[
        Callable[["Machine", Facts, Bound, Places, str, Frame, nodes.Node], None], ...
    ] = ()
    """A function of JAX gives an array, by its declaration and what its parameters are bound to;
    the text is the function as the user wrote it."""
    clock_read: tuple[Callable[["Machine", TimeStamp], None], ...] = ()
    time_measured: tuple[
        Callable[["Machine", TimeStamp, TimeStamp, Frame, nodes.Node], None], ...
    ] = ()
    """The time between two readings is computed: the later one, and the one before."""


@dataclass(frozen=True, slots=True)
class Guest:
    """One analysis: what it is called, what it hears, and the guests that hear a moment before it,
    because it reads what they make of it.
    """

    name: str
    moments: Moments
    after: tuple[str, ...] = ()


def dispatch(machine: "Machine", name: str, values: Iterable[Value] | None, frame: Frame) -> None:
    """Announces work that is handed to the device."""
    for hears in machine.moments.dispatched:
        hears(machine, name, values, frame)


def together(guests: Sequence[Guest]) -> Moments:
    """The moments of guests as one, each guest after those that it names.

    >>> early, late = Guest("early", Moments()), Guest("late", Moments(), after=("early",))
    >>> [guest.name for guest in in_order((late, early))]
    ['early', 'late']
    """
    ordered = in_order(guests)
    return Moments(
        **{
            field.name: tuple(
                hears for guest in ordered for hears in getattr(guest.moments, field.name)
            )
            for field in fields(Moments)
        }
    )


def in_order(guests: Sequence[Guest]) -> list[Guest]:
    """Guests, each after those that it names, else as they come."""
    waiting, done = list(guests), list[Guest]()
    while waiting:
        names = {guest.name for guest in waiting}
        ready = next(guest for guest in waiting if names.isdisjoint(guest.after))
        waiting.remove(ready)
        done.append(ready)
    return done
