"""The concise report: one line for each finding, as compilers print them."""

from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.causes import by_cause
from oakum_lint.app.report.wording import and_more, folded, mark, summary, weak_links
from oakum_lint.text.lines import one_line


def render(result: CheckResult, colour: bool) -> str:
    """`file:line:column: CODE headline`, then the closing line."""
    lines: list[str] = []
    causes = by_cause(result.findings, result.each_place)
    for cause in causes:
        finding = cause.first
        place = finding.location
        code = f"\x1b[1;31m{finding.code}\x1b[0m" if colour else finding.code
        lines.append(
            f"{one_line(place.file)}:{place.line}:{place.column}: {code} "
            f"{mark(finding, result)}{one_line(finding.message)}{and_more(cause)}\n"
        )
        lines += [f"    {one_line(text)}\n" for text in weak_links(finding, result)]
    return "".join(lines) + summary(result) + "\n" + folded(causes)
