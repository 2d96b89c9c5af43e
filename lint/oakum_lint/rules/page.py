"""Pages: the explanation of each code, made from the catalogue and the docstring of its rule.

`oakum explain`, `rules.md`, the metadata in SARIF and the links in an editor all come from here, so
that what a rule says of itself stands in one place: its class.

Invariants:
- A rule's docstring has the sections of `SECTIONS`, in that order, each under a `## ` heading;
  `Fix` only where the rule has one.
- A code that only a run can tell has no rule; its page is title, cause and hint of the catalogue.
"""

import inspect
from collections.abc import Mapping

from oakum.values.code_row import Code, Family
from oakum.values.records import dataclass
from oakum_lint.rules import catalogue
from oakum_lint.rules.register import rule_of
from oakum_lint.rules.rule import AnyRule

SECTIONS = (
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "Known limits",
    "Fix",
    "At run time",
)

_FAMILY_TITLES: Mapping[Family, str] = {
    Family.TOOL: "What oakum says of files and of itself",
    Family.ESCAPE: "Values that escape their trace, and side effects",
    Family.CONCRETIZATION: "Uses that need a concrete value",
    Family.TRANSFORM: "Transforms and static arguments",
    Family.KEY: "Random keys",
    Family.SHAPE: "Shapes and dtypes",
    Family.GRADIENT: "Gradients",
    Family.DEVICE: "Devices, timing and speed",
}


@dataclass(frozen=True, slots=True)
class Page:
    """One code explained: its row of the catalogue, and the sections of its rule if it has one."""

    code: Code
    sections: Mapping[str, str]
    since: str | None
    fixes: str = "none"
    severity: str = ""
    confidence: str = ""
    not_in_uncalled: str = ""
    bad: tuple[str, ...] = ()
    good: tuple[str, ...] = ()

    @property
    def is_checked(self) -> bool:
        """Whether `oakum check` makes findings with this code."""
        return bool(self.sections)


def page_of(rule: type[AnyRule]) -> Page:
    """The page of a rule, from its docstring."""
    fixes = " or ".join(safety.value for safety in rule.fixes) or "none"
    return Page(
        rule.code,
        _sections(rule),
        rule.since,
        fixes,
        rule.severity.value,
        rule.confidence,
        rule.not_in_uncalled,
        rule.bad,
        rule.good,
    )


def page(code: Code) -> Page:
    """The page of a code, with the sections of its rule where it has one.

    >>> from oakum.values import codes
    >>> page(codes.TRACER_IN_BRANCH).sections["What it does"].startswith("Finds")
    True
    >>> page(codes.VARYING_TRACE).sections
    {}
    """
    rule = rule_of(code.code)
    return Page(code, {}, None) if rule is None else page_of(rule)


def _sections(rule: type[AnyRule]) -> dict[str, str]:
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in inspect.cleandoc(rule.__doc__ or "").splitlines():
        if line.startswith("## "):
            current = sections.setdefault(line[3:].strip(), [])
        elif current is not None:
            current.append(line)
    return {title: "\n".join(lines).strip() for title, lines in sections.items()}


def text(code: Code) -> str:
    """The page for a terminal, as `oakum explain` prints it."""
    subject = page(code)
    parts = [f"{code.code} {code.name}", "", f"{code.title}.", ""]
    if subject.sections:
        for title, body in subject.sections.items():
            parts += [f"## {title}", body, ""]
        parts += [_verdict(subject), f"Fix: {subject.fixes}.", ""]
        for title, examples in _examples(subject):
            parts += [f"## {title}", *(part for text in examples for part in (text, ""))]
    else:
        parts += [code.cause, "", code.hint, ""]
    return "\n".join(parts)


def _verdict(subject: Page) -> str:
    """How a finding is reported: its severity, how sure it is, and where it is not looked for."""
    where = subject.not_in_uncalled
    not_found = f" Not found in a function that nobody is seen to call: {where}" if where else ""
    return f"Severity: {subject.severity}. Confidence: {subject.confidence}.{not_found}"


def _examples(subject: Page) -> list[tuple[str, tuple[str, ...]]]:
    """The whole programs that tests prove: those that are found, and their like that are not."""
    titles = ("More examples: found", subject.bad), ("More examples: right", subject.good)
    return [(title, examples) for title, examples in titles if examples]


def markdown() -> str:
    """All pages, as `rules.md` holds them and `oakum rules --markdown` prints them."""
    parts = [
        "# Rules",
        "",
        "<!-- Made by `oakum rules --markdown` from the rules themselves; do not edit. -->",
        "",
        "`oakum explain CODE` prints one of these pages, `oakum rules` the list. In notes,",
        "`f32[8,3]` is an array of float32 numbers, `f32[?]` one of unknown size, `f32[...]` one",
        "of unknown shape, and `~f32[]` is weakly typed, as Python numbers are: it takes the dtype",
        "of what it meets. A finding of any rule is *likely*, and a warning, behind a test that is",
        "not decided, and in code of which only a convention says that it is traced.",
        "",
        "| code | name | what was found | fix |",
        "| --- | --- | --- | --- |",
    ]
    parts += [
        f"| [{code.code}](#{code.code.lower()}) | {code.name} | {code.title} | {page(code).fixes} |"
        for code in catalogue.rows()
    ]
    family: Family | None = None
    for code in catalogue.rows():
        if code.family is not family:
            family = code.family
            parts += ["", f"# {_FAMILY_TITLES[family]}"]
        parts += ["", *markdown_page(page(code))]
    return "\n".join(parts) + "\n"


def markdown_page(subject: Page) -> list[str]:
    """The lines of one page in Markdown, at the second level of headings."""
    code = subject.code
    # The anchor is spelled out: editors and SARIF link to `rules.md#oak201`, without the name.
    lines = [f'<a id="{code.code.lower()}"></a>', "", f"## {code.code} {code.name}", ""]
    lines += [f"{code.title}.", ""]
    if not subject.sections:
        lines += [f"{code.cause} {code.hint}"]
        if not subject.is_checked:
            lines += ["", "Reported when the program runs; `oakum check` does not look for it."]
        return lines
    for title, body in subject.sections.items():
        lines += [f"### {title}", "", _indented_fences(body), ""]
    for title, examples in _examples(subject):
        lines += ["<details>", f"<summary>{title}</summary>", ""]
        for example in examples:
            lines += ["```python", example.rstrip(), "```", ""]
        lines += ["</details>", ""]
    lines += [_verdict(subject), "", f"Fix: {subject.fixes}. Since {subject.since}."]
    return lines


def _indented_fences(body: str) -> str:
    """Puts blank lines around each block of code, as readers of Markdown want it."""
    out: list[str] = []
    inside = False
    for line in body.splitlines():
        if line.startswith("```"):
            if not inside and out and out[-1]:
                out.append("")
            inside = not inside
            out.append(line)
            if not inside:
                out.append("")
        elif line or not out or out[-1]:
            out.append(line)
    return "\n".join(out).strip()


def listing() -> str:
    """The list that `oakum rules` prints: one line for each code that a check can find."""
    lines = [
        f"{code.code}  {code.name:<28}  {code.title}"
        for code in catalogue.rows()
        if page(code).is_checked
    ]
    return "".join(f"{line}\n" for line in lines)
