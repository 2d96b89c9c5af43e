"""Configuration: reads the `[tool.oakum]` table of a pyproject.toml into settings.

Invariants:
- One run has one configuration: that of the nearest pyproject.toml with a `[tool.oakum]` table, at
  or above the directory that all checked paths share.
- An unknown key or code and a value of the wrong type are errors that name the file and the key.
- A pyproject.toml without the word "oakum" is never parsed: that keeps the start short.
"""

import os
from collections.abc import Callable, Mapping, Sequence

from oakum_lint.app.settings import ASSUMPTIONS, CONFIDENCES, FORMATS, SEVERITIES, Settings


class ConfigurationError(Exception):
    """A setting that cannot be used; the message names the file and the key."""


def load(paths: Sequence[str], config: str | None = None, *, isolated: bool = False) -> Settings:
    """The settings for a run over `paths`: from `config` if it is set, else the nearest table's."""
    if isolated:
        return Settings(os.getcwd())
    if config is not None:
        table = _read(config)
        if table is None:
            raise ConfigurationError(f"{config}: it has no [tool.oakum] table")
        return _settings(table, config)
    directory = _common_directory(paths)
    while True:
        file = os.path.join(directory, "pyproject.toml")
        table = _read(file) if os.path.isfile(file) else None
        if table is not None:
            return _settings(table, file)
        parent = os.path.dirname(directory)
        if parent == directory:
            return Settings(os.getcwd())
        directory = parent


def set_inline(settings: Settings, item: str) -> None:
    """Takes one setting that a command line spells in TOML: `min-confidence = "proved"`."""
    import tomllib

    try:
        table: Mapping[str, object] = tomllib.loads(item)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"--config {item}: it is not valid TOML: {error}") from None
    for key, value in table.items():
        _set(settings, key, value, f"--config {key}")


def _common_directory(paths: Sequence[str]) -> str:
    absolute = [os.path.abspath(path) for path in paths] or [os.getcwd()]
    try:
        common = os.path.commonpath(absolute)
    except ValueError:  # different drives on Windows
        return os.getcwd()
    return common if os.path.isdir(common) else os.path.dirname(common)


def _read(file: str) -> Mapping[str, object] | None:
    """The table `[tool.oakum]` of a file; None where there is none."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None
    if b"oakum" not in data:
        return None
    import tomllib

    try:
        document: Mapping[str, object] = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file}: it is not UTF-8, which TOML must be") from None
    except (ValueError, RecursionError) as error:  # also of numbers that are too long
        raise ConfigurationError(f"{file}: it is not valid TOML: {error}") from None
    tool = document.get("tool")
    table = tool.get("oakum") if isinstance(tool, dict) else None  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{file}: tool.oakum: expected a table")
    return table  # pyright: ignore[reportUnknownVariableType]


def _settings(table: Mapping[str, object], file: str) -> Settings:
    settings = Settings(os.path.dirname(os.path.abspath(file)))
    for key, value in table.items():
        _set(settings, key, value, f"{file}: tool.oakum.{key}")
    return settings


def _set(settings: Settings, key: str, value: object, where: str) -> None:
    setter = _SETTERS.get(key)
    if setter is None:
        raise ConfigurationError(f"{where}: unknown key{_did_you_mean(key, _SETTERS)}")
    setter(settings, value, where)


def _did_you_mean(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    import difflib

    matches = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean `{matches[0]}`?" if matches else f"; the keys are {', '.join(known)}"


def check_selectors(selectors: Sequence[str], where: str) -> tuple[str, ...]:
    """The selectors as they are, once each names a code, a rule or the beginning of a code."""
    from oakum_lint.app import selectors as resolution

    for selector in selectors:
        if not resolution.codes_of(selector):
            raise ConfigurationError(
                f"{where}: unknown code `{selector}`{resolution.suggestion(selector)}"
            )
    return tuple(selectors)


def check_choice(value: object, choices: Sequence[str], where: str) -> str:
    """The value, once it is one of the choices."""
    if not isinstance(value, str):
        raise ConfigurationError(f"{where}: expected a string, found {_kind(value)}")
    if value not in choices:
        raise ConfigurationError(f"{where}: `{value}` is not one of {', '.join(choices)}")
    return value


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigurationError(f"{where}: expected a list of strings, found {_kind(value)}")
    strings: list[str] = []
    for item in value:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(item, str):
            raise ConfigurationError(
                f"{where}: expected a list of strings, found {_kind(item)} in it"  # pyright: ignore[reportUnknownArgumentType]
            )
        strings.append(item)
    return tuple(strings)


def _boolean(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigurationError(f"{where}: expected true or false, found {_kind(value)}")
    return value


def check_seconds(value: object, where: str) -> float:
    """The value, once it is a number of seconds above zero."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigurationError(f"{where}: expected a number, found {_kind(value)}")
    if not value > 0:
        raise ConfigurationError(f"{where}: `{value}` is not above 0")
    return float(value)


def _kind(value: object) -> str:
    match value:
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a float"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _set_select(settings: Settings, value: object, where: str) -> None:
    settings.select = check_selectors(_strings(value, where), where)


def _set_ignore(settings: Settings, value: object, where: str) -> None:
    settings.ignore = check_selectors(_strings(value, where), where)


def _set_per_file_ignores(settings: Settings, value: object, where: str) -> None:
    if not isinstance(value, dict):
        raise ConfigurationError(f"{where}: expected a table, found {_kind(value)}")
    for pattern, selectors in value.items():  # pyright: ignore[reportUnknownVariableType]
        place = f'{where}."{pattern}"'
        checked = check_selectors(_strings(selectors, place), place)  # pyright: ignore[reportUnknownArgumentType]
        settings.per_file_ignores[str(pattern)] = checked  # pyright: ignore[reportUnknownArgumentType]


def _set_exclude(settings: Settings, value: object, where: str) -> None:
    settings.set_exclude(_strings(value, where))


def _set_extend_exclude(settings: Settings, value: object, where: str) -> None:
    settings.set_extend_exclude(_strings(value, where))


def _set_force_exclude(settings: Settings, value: object, where: str) -> None:
    settings.force_exclude = _boolean(value, where)


def _set_documents(settings: Settings, value: object, where: str) -> None:
    settings.documents = _boolean(value, where)


def _set_respect_gitignore(settings: Settings, value: object, where: str) -> None:
    settings.respect_gitignore = _boolean(value, where)


def _set_baseline(settings: Settings, value: object, where: str) -> None:
    if not isinstance(value, str) or not value:
        raise ConfigurationError(f"{where}: expected the name of a file, found {_kind(value)}")
    settings.baseline = os.path.join(settings.root, value)


def _set_output_format(settings: Settings, value: object, where: str) -> None:
    settings.output_format = check_choice(value, FORMATS, where)


def _set_min_confidence(settings: Settings, value: object, where: str) -> None:
    settings.min_confidence = check_choice(value, CONFIDENCES, where)


def _set_min_severity(settings: Settings, value: object, where: str) -> None:
    settings.min_severity = check_choice(value, SEVERITIES, where)


def _set_assume_traced(settings: Settings, value: object, where: str) -> None:
    settings.assume_traced = check_choice(value, ASSUMPTIONS, where)


def _set_entry_points(settings: Settings, value: object, where: str) -> None:
    settings.entry_points = _strings(value, where)


def _set_trace_counters(settings: Settings, value: object, where: str) -> None:
    settings.trace_counters = _strings(value, where)


def _set_call_counters(settings: Settings, value: object, where: str) -> None:
    settings.call_counters = _strings(value, where)


def _set_draw_flags(settings: Settings, value: object, where: str) -> None:
    settings.draw_flags = _strings(value, where)


def _set_still_flags(settings: Settings, value: object, where: str) -> None:
    settings.still_flags = _strings(value, where)


def _set_max_seconds_per_root(settings: Settings, value: object, where: str) -> None:
    settings.max_seconds_per_root = check_seconds(value, where)


_SETTERS: dict[str, Callable[[Settings, object, str], None]] = {
    "select": _set_select,
    "ignore": _set_ignore,
    "per-file-ignores": _set_per_file_ignores,
    "baseline": _set_baseline,
    "exclude": _set_exclude,
    "extend-exclude": _set_extend_exclude,
    "documents": _set_documents,
    "force-exclude": _set_force_exclude,
    "respect-gitignore": _set_respect_gitignore,
    "output-format": _set_output_format,
    "min-confidence": _set_min_confidence,
    "min-severity": _set_min_severity,
    "assume-traced": _set_assume_traced,
    "entry-points": _set_entry_points,
    "trace-counters": _set_trace_counters,
    "call-counters": _set_call_counters,
    "draw-flags": _set_draw_flags,
    "still-flags": _set_still_flags,
    "max-seconds-per-root": _set_max_seconds_per_root,
}
KEYS = tuple(_SETTERS)
"""The keys of `[tool.oakum]`; `per-file-ignores` is a table, all the rest are values."""
