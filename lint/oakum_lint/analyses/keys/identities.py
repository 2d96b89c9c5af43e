"""Which random key an array is, and that it was used up."""

from collections.abc import Sequence

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.callables import Site
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import CallChain
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import HeapObject, Mark
from oakum_lint.text.names import has_word


@dataclass(frozen=True, slots=True)
class KeyIdentity:
    """One random key of the program, or the keys of one array.

    `owner` stands for the call that made it, `part` is the position in its result (and behind
    it the stream of a module that draws from it), and `level` the depth of the trace that handed it
    to its code.
    """

    owner: HeapObject
    part: tuple[int | str, ...]
    level: int


class _KeyFacet(Facet[KeyIdentity]):
    """Which random key an array is, where that is known."""

    __slots__ = ()
    identifies = True

    def words(self, content: KeyIdentity) -> str:
        part = "".join(f"[{each!r}]" for each in content.part)
        within = f", in a trace of level {content.level}" if content.level else ""
        return f"key {content.owner.uid}{part}{within}"

    def joined(self, first: KeyIdentity, second: KeyIdentity) -> KeyIdentity | None:
        return first if first == second else None

    def of_row(self, content: KeyIdentity, index: int | None) -> KeyIdentity | None:
        if index is None or content.part:
            return None
        return KeyIdentity(content.owner, (index,), content.level)

    def lifted(self, content: KeyIdentity, border: Border) -> KeyIdentity | None:
        return replace(content, level=border.level)

    def lowered(
        self, content: KeyIdentity, level: int, mapped: bool, derivative: bool
    ) -> KeyIdentity | None:
        return None if mapped else replace(content, level=level)

    def held(self, content: KeyIdentity) -> tuple[HeapObject, ...]:
        return (content.owner,)

    def kind(self, content: KeyIdentity) -> object:
        return content.part, content.level

    def with_held(self, content: KeyIdentity, held: Sequence[HeapObject]) -> KeyIdentity:
        return replace(content, owner=held[0])

    def is_same(self, first: KeyIdentity, second: KeyIdentity) -> bool:
        return first.owner is second.owner and first.part == second.part


KEY = _KeyFacet("random key")


@dataclass(frozen=True, slots=True)
class Consumption(Mark):
    """A key has been used up. `chain` are the calls that led there, innermost first: the scope of
    each and the place in it; `branches` the branches of `cond` that it stands in.
    """

    chain: tuple[tuple[int, Site], ...]
    branches: tuple[tuple[Site, int], ...] = ()
    certain: bool = True
    """Whether it is known that the program has come here, not that a loop may have."""
    rearranges: tuple[str, ...] = ()
    """The array, in the user's words, in which order or of which elements the key decided, and what
    else decided; nothing where it did more."""
    skipped: bool = False
    """Whether a path leads past it."""
    root: Site | None = field(default=None, compare=False)
    """The first use of the key, where this one is a reuse that was reported."""
    splits: bool = field(default=False, compare=False)
    """Whether it makes other keys of the key."""

    def moved(self, before: CallChain, now: CallChain) -> "Consumption":
        """The use in a call like the one that it was in."""
        inside = len(self.chain) - len(before.calls)
        if inside <= 0 or self.chain[inside:] != before.calls:
            return self  # by a call before
        branches = self.branches[: len(self.branches) - len(before.branches)]
        return replace(
            self, chain=self.chain[:inside] + now.calls, branches=branches + now.branches
        )

    def is_of_other_program(self, other: "Consumption") -> bool:
        """Whether two files use the key, of which neither names the other, or each does so where it
        is run itself: one process runs one.
        """
        mine, others = self.chain[-1][1], other.chain[-1][1]
        if mine.module is others.module:
            return False
        scripts = all(site.unit.text.lstrip().startswith(SCRIPT) for site in (mine, others))
        return scripts or not (
            _names(mine.module, others.module) or _names(others.module, mine.module)
        )

    def joined(self, other: Mark) -> Mark | None:
        """The use that is certain where either of two is there, or may have been skipped."""
        if isinstance(other, Unused):
            return replace(self, skipped=True)
        if not isinstance(other, Consumption):
            return None
        rearranges = self.rearranges and other.rearranges
        return replace(
            self,
            certain=self.certain and other.certain,
            rearranges=rearranges,
            skipped=self.skipped or other.skipped,
            root=self.root or other.root,
        )


def _names(module: Module, other: Module) -> bool:
    """Whether a file says the name of another, as it does where it imports it."""
    return has_word(module.facts.source.text, other.path.stem)


@dataclass(frozen=True, slots=True)
class Unused(Mark):
    """A key has not been used yet."""

    def joined(self, other: Mark) -> Mark | None:
        """The use that may have been skipped."""
        return other.joined(self) if isinstance(other, Consumption) else None


UNUSED = Unused()
SCRIPT = "if __name__"
"""How the statement begins that runs only where its file is the program."""


def used_cell(key: KeyIdentity) -> str:
    """The name under which the owner of a key holds whether that was used."""
    return "used" + "".join(f"[{index}]" for index in key.part)
