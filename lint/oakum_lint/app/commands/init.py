"""`oakum init`: what a project needs to use oakum, shown first, and written with `--write`.

Invariants:
- Nothing that is there is changed: files are made, or something is put behind what they hold. What
  has oakum already, or cannot be extended so, is left as it is, and a note says why.
"""

import argparse
import os
import sys
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.commands.output import emit
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.exit_status import CLEAN, FAILED
from oakum_lint.app.report.origin import Origin, origin
from oakum_lint.app.rewriting import difference, rewrite
from oakum_lint.text.lines import one_line

_TABLE = """\
[tool.oakum]
# Known findings: `oakum check --write-baseline .` writes them, then
# baseline = "oakum-baseline.json"
# What is neither checked nor looked at:
# extend-exclude = ["third_party"]
"""
_LOCAL_HOOK = """\
- repo: local
  hooks:
    - id: oakum
      name: oakum
      entry: oakum check --force-exclude
      language: system
      types_or: [python, jupyter]
      require_serial: true
"""
_HOOK = """\
- repo: {url}
  rev: {commit}
  hooks:
    - id: oakum
"""
_GITHUB = """\
name: oakum
on:
  push:
    branches: [{branch}]
  pull_request:
permissions:
  contents: read
jobs:
  oakum:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install "{requirement}"
      - run: oakum check --output-format github .
"""
_GITLAB = """\
oakum:
  image: python:3.12
  script:
    - pip install "{requirement}"
    - oakum check --output-format gitlab --output-file oakum.json .
  artifacts:
    when: always
    reports:
      codequality: oakum.json
"""


@dataclass(frozen=True, slots=True)
class Step:
    """What becomes of one file, or in `note` why nothing does."""

    file: str
    before: str = ""
    after: str = ""
    note: str = ""


def run(options: argparse.Namespace) -> int:
    """Shows the steps as a diff, or takes them."""
    root = Path(options.path)
    if not root.is_dir():
        raise ConfigurationError(f"{options.path}: there is no such directory")
    steps = _steps(root, options)
    for step in steps:
        if step.note:
            print(f"oakum: note: {step.file} {step.note}", file=sys.stderr)
    changes = [step for step in steps if not step.note]
    if not options.write:
        emit("".join(difference(step.file, step.before, step.after) for step in changes))
        if changes:
            print("Nothing is written yet: `oakum init --write` does.", file=sys.stderr)
        return CLEAN
    failed = False
    for step in changes:
        problem = _write(root / step.file, step)
        if problem:
            print(f"oakum: {one_line(step.file)} is not written: {problem}", file=sys.stderr)
            failed = True
        else:
            print(f"wrote {step.file}", file=sys.stderr)
    return FAILED if failed else CLEAN


def _steps(root: Path, options: argparse.Namespace) -> list[Step]:
    steps = [_configuration(root), _hook(root, origin())]
    if options.github or options.gitlab:
        requirement = options.requirement or _requirement(origin())
        if options.github:
            steps.append(_workflow(root, requirement))
        if options.gitlab:
            steps.append(_job(root, requirement))
    return steps


def _requirement(found: Origin | None) -> str:
    if found is None:
        raise ConfigurationError(
            "where CI installs oakum from is not known: this installation came from no https URL; "
            "name it by --requirement 'git+<URL>#subdirectory=lint'"
        )
    return found.requirement


def _configuration(root: Path) -> Step:
    name = "pyproject.toml"
    text = _text(root / name)
    import tomllib

    try:
        tools = tomllib.loads(text).get("tool", {})
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{name}: it is not valid TOML: {error}") from None
    if "oakum" in tools:
        return Step(name, note="has a table [tool.oakum] already")
    after = _behind(text, _TABLE, apart=True)
    try:
        tomllib.loads(after)
    except ValueError:  # `tool = {...}` is closed to tables that follow
        return Step(name, note="takes no table [tool.oakum] behind what it holds")
    return Step(name, text, after)


def _hook(root: Path, found: Origin | None) -> Step:
    name = ".pre-commit-config.yaml"
    text = _text(root / name)
    hook = _LOCAL_HOOK if found is None else _HOOK.format(url=found.url, commit=found.commit)
    if "oakum" in text:
        return Step(name, note="speaks of oakum already")
    if not text.strip():
        return Step(name, text, "repos:\n" + _indented(hook, "  "))
    lines = text.splitlines()
    keys = [line.partition(":")[0] for line in lines if line[:1].isalpha() and ":" in line]
    items = [line for line in lines if line.lstrip().startswith("- repo:")]
    if not keys or keys[-1] != "repos" or not items:
        return Step(name, note=f"does not end with its `repos`; put there:\n{hook}".rstrip())
    indent = items[0].partition("-")[0]
    return Step(name, text, _behind(text, _indented(hook, indent)))


def _workflow(root: Path, requirement: str) -> Step:
    name = ".github/workflows/oakum.yml"
    if (root / name).exists():
        return Step(name, note="is there already")
    return Step(name, after=_GITHUB.format(branch=_branch(root), requirement=requirement))


def _job(root: Path, requirement: str) -> Step:
    name = ".gitlab-ci.yml"
    text = _text(root / name)
    if "oakum" in text:
        return Step(name, note="speaks of oakum already")
    return Step(name, text, _behind(text, _GITLAB.format(requirement=requirement), apart=True))


def _branch(root: Path) -> str:
    """The branch that the repository is on, which a new project pushes to."""
    try:
        head = (root / ".git" / "HEAD").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "main"
    return head.strip().removeprefix("ref: refs/heads/") if head.startswith("ref: ") else "main"


def _text(file: Path) -> str:
    """The text of a file; "" where there is none yet."""
    try:
        return file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file}: it is not UTF-8") from None


def _behind(text: str, more: str, *, apart: bool = False) -> str:
    """A text with more behind it, with the ends of lines that it has."""
    end = "\r\n" if "\r\n" in text else "\n"
    closed = text if not text or text.endswith("\n") else text + end
    blank = end if apart and closed.strip() else ""
    return closed + blank + more.replace("\n", end)


def _indented(block: str, indent: str) -> str:
    return "".join(indent + line for line in block.splitlines(keepends=True))


def _write(file: Path, step: Step) -> str:
    """Writes a step; "" or why it could not be written."""
    if os.path.lexists(file):
        return rewrite(os.fspath(file), step.before, step.after)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="") as stream:
            stream.write(step.after)
    except OSError as error:
        return error.strerror or type(error).__name__
    return ""
