"""Reports: one module for each output format, each with one function `render`.

A report turns the result of a run into text; it neither changes nor sorts what it gets, and
no rule knows how its findings are printed.
"""

from collections.abc import Callable

from oakum_lint.app.check_result import CheckResult

Render = Callable[[CheckResult, bool], str]


def render(result: CheckResult, output_format: str, colour: bool = False) -> str:
    """The result in one of `settings.FORMATS`; the text ends with a line end, or is empty."""
    return _renderer(output_format)(result, colour)


def _renderer(output_format: str) -> Render:
    # Imported on demand: a run needs one of these, and a clean run none of what they import.
    match output_format:
        case "full":
            from oakum_lint.app.report.full import render as chosen
        case "concise":
            from oakum_lint.app.report.concise import render as chosen
        case "github":
            from oakum_lint.app.report.github import render as chosen
        case "sarif":
            from oakum_lint.app.report.sarif import render as chosen
        case "json":
            from oakum_lint.app.report.json import render as chosen
        case "json-lines":
            from oakum_lint.app.report.json_lines import render as chosen
        case "gitlab":
            from oakum_lint.app.report.gitlab import render as chosen
        case "html":
            from oakum_lint.app.report.html import render as chosen
        case "junit":
            from oakum_lint.app.report.junit import render as chosen
        case _:
            raise ValueError(f"there is no output format {output_format!r}")
    return chosen
