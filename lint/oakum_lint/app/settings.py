"""Settings: what one run does, and which files it leaves out.

Invariants:
- Patterns are those of `.gitignore`, relative to `Settings.root`.
- Without configuration a path is excluded by looking its name up in a set: no pattern is made.
"""

import os
from collections.abc import Sequence

from oakum_lint.domain.limits import SECONDS_PER_ROOT
from oakum_lint.text.globs import PatternSet

DEFAULT_EXCLUDE = (
    "__pycache__",
    "__pypackages__",
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".hg",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".oakum_cache",
    ".pyenv",
    ".pytest_cache",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "_build",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)
FORMATS = ("full", "concise", "html", "github", "gitlab", "junit", "sarif", "json", "json-lines")
COLOURS = ("auto", "always", "never")
CONFIDENCES = ("likely", "proved")
SEVERITIES = ("information", "warning")
ASSUMPTIONS = ("none", "annotated")


class Settings:
    """The options of a run: which codes, which files, which output. `config.load` makes it.

    A plain class: this module is imported on every start, and `dataclasses` would double its cost.
    """

    __slots__ = (
        "_default_exclude",
        "_exclude",
        "_extend_exclude",
        "_more_patterns",
        "_patterns",
        "_per_file",
        "assume_traced",
        "baseline",
        "call_counters",
        "documents",
        "draw_flags",
        "entry_points",
        "force_exclude",
        "ignore",
        "jobs",
        "max_seconds_per_root",
        "min_confidence",
        "min_severity",
        "output_format",
        "per_file_ignores",
        "respect_gitignore",
        "root",
        "select",
        "still_flags",
        "trace_counters",
    )

    def __init__(self, root: str) -> None:
        self.root = root
        """What patterns are relative to: where the pyproject.toml is, or the working directory."""
        self.select: tuple[str, ...] = ("OAK",)
        self.ignore: tuple[str, ...] = ()
        self.per_file_ignores: dict[str, tuple[str, ...]] = {}
        self.baseline: str | None = None
        """The file of the findings that are known and not reported; None: there is none."""
        self.output_format = "full"
        self.min_confidence: str | None = None
        """The least confidence that is reported and fails the run; None: likely findings are
        reported, and only proved ones fail."""
        self.min_severity = "warning"
        """The least severity that is reported: below a warning is information."""
        self.assume_traced = "none"
        """What is taken as traced though nobody is seen to trace it: nothing, or what is annotated
        as an array."""
        self.entry_points: tuple[str, ...] = ()
        """Dotted names of functions that users of the code trace; `*` stands for any part of one.
        """
        self.trace_counters: tuple[str, ...] | None = None
        """Names of what is meant to change while tracing; None: those of `models.habits`."""
        self.call_counters: tuple[str, ...] | None = None
        """Names of what follows calls or numbers what is made; None: those of `models.habits`."""
        self.draw_flags: tuple[str, ...] | None = None
        """Names of arguments without which a module draws nothing; None: those of `models.habits`.
        """
        self.still_flags: tuple[str, ...] | None = None
        """Names of arguments with which a module draws nothing; None: those of `models.habits`."""
        self.max_seconds_per_root = SECONDS_PER_ROOT
        """What the analysis of one function may take."""
        self.jobs = 1
        """How many processes share the analysis; nothing that is found depends on it."""
        self.documents = False
        """Whether the blocks of Python in Markdown and reStructuredText are checked."""
        self.force_exclude = False
        self.respect_gitignore = True
        self._patterns: tuple[str, ...] | None = None
        self._more_patterns: tuple[str, ...] = ()
        self._exclude: PatternSet | None = None
        self._extend_exclude: PatternSet | None = None
        self._default_exclude = frozenset(DEFAULT_EXCLUDE)
        self._per_file: list[tuple[PatternSet, bool, tuple[str, ...]]] | None = None

    def set_exclude(self, patterns: Sequence[str]) -> None:
        """Replaces the default excludes."""
        self._patterns = tuple(patterns)
        self._exclude = PatternSet(patterns)

    def set_extend_exclude(self, patterns: Sequence[str]) -> None:
        """Adds patterns to the excludes."""
        self._more_patterns = tuple(patterns)
        self._extend_exclude = PatternSet(patterns)

    @property
    def exclusion(self) -> tuple[tuple[str, ...] | None, tuple[str, ...]]:
        """The patterns of `exclude`, None for the default, and those of `extend-exclude`."""
        return self._patterns, self._more_patterns

    def excludes_entry(self, path: str, is_directory: bool) -> bool:
        """Whether this very entry of a directory is excluded (its parents are not asked)."""
        if self._exclude is None:
            if path.rpartition(os.sep)[2] in self._default_exclude:
                return True
        elif self._exclude.decide(self._relative(path), is_directory):
            return True
        return self._extend_exclude is not None and bool(
            self._extend_exclude.decide(self._relative(path), is_directory)
        )

    def excludes(self, path: str) -> bool:
        """Whether a file is excluded, itself or by one of the directories that hold it."""
        shown = self._relative(path)
        exclude = self._exclude or PatternSet(DEFAULT_EXCLUDE)
        return exclude.covers(shown) or (
            self._extend_exclude is not None and self._extend_exclude.covers(shown)
        )

    def ignores_for(self, path: str) -> tuple[str, ...]:
        """The selectors that `per-file-ignores` switches off in a file."""
        if not self.per_file_ignores:
            return ()
        if self._per_file is None:
            self._per_file = [
                (PatternSet([key.removeprefix("!")]), key.startswith("!"), selectors)
                for key, selectors in self.per_file_ignores.items()
            ]
        shown = self._relative(os.path.abspath(path))
        return tuple(
            selector
            for patterns, negated, selectors in self._per_file
            if patterns.covers(shown) != negated
            for selector in selectors
        )

    def _relative(self, path: str) -> str:
        path = path.removeprefix(self.root.rstrip(os.sep) + os.sep)
        return path.lstrip("/") if os.sep == "/" else path.replace(os.sep, "/")
