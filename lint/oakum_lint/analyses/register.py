"""The register: the guests that the files of this folder and the folders in it define, put together
in an order in which each hears what it needs.
"""

import os
from collections.abc import Iterator, Sequence
from importlib import import_module

from oakum.values.records import fields
from oakum_lint.domain.moments import Guest, Moments


def guests() -> tuple[Guest, ...]:
    """The analyses, in the order of their names."""
    found = (getattr(import_module(name), "GUEST", None) for name in _modules())
    return tuple(sorted((each for each in found if isinstance(each, Guest)), key=_name))


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


def _name(guest: Guest) -> str:
    return guest.name


def _modules() -> Iterator[str]:
    package = __name__.rpartition(".")[0]
    root = os.path.dirname(__file__)
    for folder, _, files in os.walk(root):
        inner = os.path.relpath(folder, root).replace(os.sep, ".").strip(".")
        for file in files:
            stem, suffix = os.path.splitext(file)
            if suffix == ".py" and stem not in ("__init__", "register"):
                yield ".".join(filter(None, (package, inner, stem)))
