"""Findings as JSON: a form that is read without running anything."""

from oakum_lint.text.edits import Edit, Fix, FunctionName, Premise, Safety
from oakum_lint.text.finding import Finding, Location, Related, Severity

Place = tuple[str, int, int, int, int]
StoredPlaces = list[tuple[Place, str]]
StoredPremise = tuple[FunctionName, str, list[str]]
StoredFix = tuple[str, list[tuple[int, int, str]], str, bool, StoredPremise | None, int | None]
StoredFinding = tuple[
    Place,
    str,
    str,
    str,
    str,
    str,
    StoredPlaces,
    StoredPlaces,
    list[str],
    StoredFix | None,
    Place | None,
]


def stored(finding: Finding) -> StoredFinding:
    """The form in which a finding is kept."""
    fix = finding.fix
    return (
        _place(finding.location),
        finding.code,
        finding.name,
        finding.message,
        finding.hint,
        finding.severity.value,
        _places(finding.weak),
        _places(finding.related),
        list(finding.notes),
        None if fix is None else _stored_fix(fix),
        None if finding.cause is None else _place(finding.cause),
    )


def _stored_fix(fix: Fix) -> StoredFix:
    premise = fix.premise
    return (
        fix.title,
        [(edit.start, edit.end, edit.text) for edit in fix.edits],
        fix.safety.value,
        fix.everywhere,
        None if premise is None else (premise.function, premise.title, list(premise.words)),
        fix.takes,
    )


def _places(places: tuple[Related, ...]) -> StoredPlaces:
    return [(_place(related.location), related.message) for related in places]


def _place(place: Location) -> Place:
    return (place.file, place.line, place.column, place.end_line, place.end_column)


def restored(kept: StoredFinding) -> Finding:
    """The finding that was kept."""
    place, code, name, message, hint, severity, weak, related, notes, fix, cause = kept
    return Finding(
        Location(*place),
        code,
        name,
        message,
        hint,
        Severity(severity),
        _restored_places(weak),
        _restored_places(related),
        tuple(notes),
        None if fix is None else _fix(fix),
        None if cause is None else Location(*cause),
    )


def _restored_places(kept: StoredPlaces) -> tuple[Related, ...]:
    return tuple(Related(Location(*at), why) for at, why in kept)


def _fix(stored: StoredFix) -> Fix:
    title, edits, safety, everywhere, premise, takes = stored
    return Fix(
        title,
        tuple(Edit(*edit) for edit in edits),
        Safety(safety),
        everywhere,
        None if premise is None else _premise(premise),
        takes,
    )


def _premise(stored: StoredPremise) -> Premise:
    (file, unit, outer, inner, at), title, words = stored
    return Premise((file, unit, outer, inner, at), title, tuple(words))
