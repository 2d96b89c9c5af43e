"""The HTML report: one file to send or to keep, which loads nothing and runs no script.

Findings stand under what causes them: the place from which the code is traced. Beside each is the
chain of calls that leads from there to it, as a drawing of the steps, with the line of each.
"""

from collections.abc import Mapping, Sequence
from html import escape

from oakum.version import __version__
from oakum_lint.app.check_result import CheckResult
from oakum_lint.app.report.frame import lines_of
from oakum_lint.app.report.origin import page_link
from oakum_lint.app.report.wording import statistics, summary, weak_links
from oakum_lint.rules import catalogue
from oakum_lint.rules import page as pages
from oakum_lint.text.finding import Confidence, Finding, Location, Related
from oakum_lint.text.lines import NOT_IN_XML, one_line

_AROUND = 2
"""How many lines are shown before and behind a finding."""

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --red: #c22; --amber: #a60; --soft: #8881; }
@media (prefers-color-scheme: dark) { :root { --red: #f77; --amber: #fb5; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
code, pre, .place { font: 13px/1.5 ui-monospace, monospace; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); font-size: 1.1rem; }
article { margin: 1rem 0 2rem; padding: .2rem 1rem 1rem; border-left: 4px solid var(--red); }
article.likely { border-color: var(--amber); }
article h3 { margin: .3rem 0; font-size: 1rem; }
.code { color: var(--red); } .likely .code { color: var(--amber); }
pre { overflow-x: auto; background: var(--soft); padding: .6rem; }
pre .n { opacity: .5; user-select: none; } mark { background: #f554; color: inherit; }
ol.chain { list-style: none; margin: .8rem 0; padding: 0; }
ol.chain li { position: relative; padding: 0 0 .7rem 1.6rem; border-left: 2px solid var(--line); }
ol.chain li::before { content: ""; position: absolute; left: -6px; top: .4rem; width: 10px;
  height: 10px; border-radius: 50%; background: var(--amber); }
ol.chain li:last-child { border-color: transparent; padding-bottom: 0; }
ol.chain li:last-child::before { background: var(--red); }
.place { opacity: .7; } .help { font-weight: 600; }
details > pre { white-space: pre-wrap; }
"""


def render(result: CheckResult, colour: bool) -> str:
    """The whole document."""
    lines = {file: lines_of(text) for file, text in result.texts.items()}
    causes: dict[tuple[str, str], list[Finding]] = {}
    for finding in result.findings:
        causes.setdefault(_cause(finding), []).append(finding)
    # What causes most stands first; the sort keeps the order of the rest.
    ordered = sorted(causes.items(), key=lambda cause: -len(cause[1]))
    body = [
        "<h1>oakum</h1>",
        *(f"<p>{_prose(line)}</p>" for line in summary(result).splitlines()),
        f"<pre>{_text(statistics(result), keep_lines=True)}</pre>" if result.findings else "",
    ]
    for (message, place), findings in ordered:
        at = f' <span class="place">{_text(place)}</span>' if place else ""
        body += ["<section>", f"<h2>{_prose(message)}{at}</h2>"]
        body += [_finding(finding, weak_links(finding, result), lines) for finding in findings]
        body.append("</section>")
    body += _explanations(sorted({finding.code for finding in result.findings}))
    head = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f'<meta name="generator" content="oakum {__version__}">\n'
        f"<title>oakum: {len(result.findings)} findings</title>\n<style>{_STYLE}</style>\n</head>"
    )
    return "\n".join((head, "<body>", *filter(None, body), "</body>", "</html>", ""))


def _cause(finding: Finding) -> tuple[str, str]:
    """What leads to a finding, and where it is: the first place that explains it."""
    if not finding.related:
        return "Without a trace", ""
    first = finding.related[0]
    return first.message, _place(first.location)


def _finding(finding: Finding, weak: Sequence[str], lines: Mapping[str, Sequence[str]]) -> str:
    likely = finding.confidence is Confidence.LIKELY
    sure = ", likely" if likely else ""
    level = f"{finding.severity.value}[<a href='#{finding.code}'>{finding.code}</a>{sure}]"
    return "\n".join(
        (
            f'<article class="{finding.confidence.value}">',
            f'<h3><span class="code">{level}</span> {_prose(finding.message)}</h3>',
            f'<div class="place">{_text(_place(finding.location))}</div>',
            _frame(finding.location, lines.get(finding.location.file, ())),
            _chain(finding, lines),
            *(f"<div>{_prose(note)}</div>" for note in (*finding.notes, *weak)),
            f'<p class="help">{_prose(finding.hint)}</p>' if finding.hint else "",
            "</article>",
        )
    )


def _frame(place: Location, lines: Sequence[str]) -> str:
    """The flagged lines and those around them, with the flagged text marked."""
    if not 0 < place.line <= len(lines):
        return ""
    last = min(place.end_line, len(lines), place.line + 2 * _AROUND)
    shown: list[str] = []
    for number in range(max(1, place.line - _AROUND), min(len(lines), last + _AROUND) + 1):
        line = lines[number - 1]
        start = place.column - 1 if number == place.line else 0
        end = place.end_column - 1 if number == place.end_line else len(line)
        if place.line <= number <= place.end_line:
            parts = (line[:start], line[start:end], line[end:])
            text = "{}<mark>{}</mark>{}".format(*map(_text, parts))
        else:
            text = _text(line)
        shown.append(f'<span class="n">{number:>5}  </span>{text}')
    return "<pre>{}</pre>".format("\n".join(shown))


def _chain(finding: Finding, lines: Mapping[str, Sequence[str]]) -> str:
    """The steps from the cause to the finding, each with its line of code."""
    if not finding.related:
        return ""
    steps = (*finding.related, Related(finding.location, finding.message))
    items: list[str] = []
    for step in steps:
        place = step.location
        known = lines.get(place.file, ())
        code = known[place.line - 1].strip() if 0 < place.line <= len(known) else ""
        quoted = f"<br><code>{_text(code)}</code>" if code else ""
        at = f'<span class="place">{_text(_place(place))}</span>'
        items.append(f"<li>{_prose(step.message)} {at}{quoted}</li>")
    return '<ol class="chain">\n{}\n</ol>'.format("\n".join(items))


def _explanations(found: Sequence[str]) -> list[str]:
    """The page of each code that was found, so that the report can be read on its own."""
    out = ["<h2>Codes</h2>"] if found else []
    for name in found:
        code = catalogue.find(name)
        if code is None:
            continue
        link = page_link(name)
        more = f' <a href="{escape(link)}">online</a>' if link else ""
        out.append(
            f'<details id="{name}"><summary>{name} {_prose(code.title)}{more}</summary>\n'
            f"<pre>{_text(pages.text(code), keep_lines=True)}</pre></details>"
        )
    return out


def _place(place: Location) -> str:
    return f"{place.file}:{place.line}:{place.column}"


def _text(text: str, *, keep_lines: bool = False) -> str:
    """A text of the program or about it, as HTML shows it and none of it is markup."""
    lines = text.split("\n") if keep_lines else [text]
    shown = "\n".join(one_line(line.expandtabs(4)) for line in lines)
    return escape(NOT_IN_XML.sub("\ufffd", shown))


def _prose(text: str) -> str:
    """A sentence in which backticks enclose code."""
    parts = _text(text).split("`")
    if not len(parts) % 2:  # one of them stands for itself
        return "`".join(parts)
    return "".join(f"<code>{part}</code>" if n % 2 else part for n, part in enumerate(parts))
