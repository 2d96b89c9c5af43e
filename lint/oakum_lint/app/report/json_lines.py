"""The JSON lines report: the objects of the JSON report, one a line, for programs that read as they
go.
"""

import json

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.json import described
from oakum_lint.app.report.places import Lines


def render(result: CheckResult, colour: bool) -> str:
    """One line for each finding; nothing where there is none."""
    lines = Lines(result.texts)
    return "".join(f"{json.dumps(described(finding, lines))}\n" for finding in result.findings)
