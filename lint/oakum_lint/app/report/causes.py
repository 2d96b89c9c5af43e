"""Findings that have one cause: one value that is used wrongly at many places is one mistake, and
so is a trace from which many tracers escape.
"""

from collections.abc import Sequence

from oakum.values.records import dataclass

TYPE_CHECKING = False  # not from `typing`, which the start does without
if TYPE_CHECKING:
    from oakum_lint.text.finding import Finding


@dataclass(frozen=True, slots=True)
class Cause:
    """The findings of one cause: the first in the order of the report, and the others."""

    first: "Finding"
    more: "tuple[Finding, ...]" = ()


def by_cause(findings: "Sequence[Finding]", each: bool = False) -> list[Cause]:
    """The findings as a report shows them: what has one code and one cause is one entry, at the
    first place that is proved, if one is; with `each` all stand alone.
    """
    places: dict[object, list[Finding]] = {}
    for finding in findings:
        places.setdefault(_identity(finding), []).append(finding)
    shown: list[Cause] = []
    for finding in findings:
        same = places[_identity(finding)]
        first = next((one for one in same if not one.weak), same[0])
        if each or len(same) == 1:
            shown.append(Cause(finding))
        elif finding is first:
            shown.append(Cause(finding, tuple(one for one in same if one is not first)))
    return shown


def _identity(finding: "Finding") -> object:
    """What findings of one cause have in common; without a known cause, each its own: two mistakes
    of which a file says the same are changed in two places.
    """
    if finding.cause is None:
        return id(finding)
    return finding.code, finding.cause
