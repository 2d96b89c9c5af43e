"""Tests of the project that run what is reported to fail: their authors have seen them pass.

Where a finding says that code raises an error whenever it runs, and a test runs it, one of the two
is wrong: on repositories that nobody here had seen it was mostly the finding, but for code that was
written for an older JAX.
"""

from collections.abc import Iterator

from oakum_lint.analyses.closed_world.surroundings import Doubt
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import location_of
from oakum_lint.models.habits import is_test_file
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.names import any_word


def tests_that_run(machine: Machine, frame: Frame, node: nodes.Node) -> Iterator[Doubt]:
    """Yields a test that leads to a place, or one that uses a function on the way there; none where
    a test traces what is there: that may be what the new test is about.
    """
    if any(_is_of_test(each.site.unit) for each in traces(frame.trace)):
        return
    at = frame.site(node)
    for each in frame.callers():
        if _is_of_test(each.unit):
            yield location_of(at), "a test runs this: it would fail"
            return
        at = each.called.site or at
    names = {name for each in frame.callers() if (name := _tested_name(each))}
    used = machine.project.units_that_say(frame.module, any_word(names)) if names else ()
    for unit in used:
        if _is_of_test(unit):
            place = unit.location(*unit.first_line, str(unit.module.source.path))
            yield place, "tests use the function, and would fail"
            return


def _tested_name(frame: Frame) -> str:
    """The name by which a test gets at the code of an activation: a method's is that of its class,
    as methods of many classes have the same.
    """
    function = frame.called.function
    if function is None:
        return ""
    if function.cls is not None:
        return function.cls.name
    return function.name if function.scope.kind == "module" else ""


def _is_of_test(unit: UnitFacts) -> bool:
    return is_test_file(unit.module.source.path)
