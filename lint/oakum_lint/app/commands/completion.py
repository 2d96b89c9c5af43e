"""`oakum completion`: prints what a shell completes the commands and options of oakum by.

The scripts are made from the parsers of the command line, so they know each option and choice.
"""

import argparse
from collections.abc import Iterator, Mapping
from shlex import quote

from oakum_lint.app.commands.output import emit
from oakum_lint.app.exit_status import CLEAN

_LIMIT = 60
"""Characters of a description."""


class Option:
    """An option as a shell has to know it."""

    __slots__ = ("choices", "flags", "takes_value", "text")

    def __init__(self, action: argparse.Action) -> None:
        self.flags = tuple(action.option_strings)
        self.takes_value = action.nargs != 0
        self.choices = tuple(map(str, action.choices or ()))
        words = (action.help or "").partition("(")[0].partition(";")[0].strip()
        self.text = words if len(words) <= _LIMIT else words[:_LIMIT].rpartition(" ")[0]


def write(shell: str, commands: Mapping[str, argparse.ArgumentParser]) -> int:
    """Prints the script for a shell."""
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    emit("".join(f"{line}\n" for line in lines(commands)))
    return CLEAN


def _options(parser: argparse.ArgumentParser) -> list[Option]:
    return [Option(each) for each in parser._actions if each.option_strings]


def _choices(parser: argparse.ArgumentParser) -> tuple[str, ...]:
    """What the first argument of a command can be, if that is one of a few words."""
    for each in parser._actions:
        if not each.option_strings:
            return tuple(map(str, each.choices or ()))
    return ()


def _described(parser: argparse.ArgumentParser) -> str:
    return (parser.description or "").partition(":")[0].partition(";")[0]


def _bash(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield '# bash completion of oakum: eval "$(oakum completion bash)"'
    yield "_oakum() {"
    yield '  local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" words='
    yield "  if (( COMP_CWORD == 1 )); then"
    yield f'    COMPREPLY=($(compgen -W {quote(" ".join(commands))} -- "$word")); return'
    yield "  fi"
    yield '  case "${COMP_WORDS[1]} $previous" in'
    for name, parser in commands.items():
        for option in _options(parser):
            if option.choices:
                cases = "|".join(quote(f"{name} {flag}") for flag in option.flags)
                words = quote(" ".join(option.choices))
                yield f'    {cases}) COMPREPLY=($(compgen -W {words} -- "$word")); return;;'
    yield "  esac"
    yield '  case "${COMP_WORDS[1]}" in'
    for name, parser in commands.items():
        flags = [flag for option in _options(parser) for flag in option.flags]
        yield f"    {name}) words={quote(' '.join((*flags, *_choices(parser))))};;"
    yield "  esac"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _oakum oakum"


def _zsh(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield "#compdef oakum"
    yield '# zsh completion of oakum: eval "$(oakum completion zsh)", or a file `_oakum` in $fpath'
    yield "_oakum() {"
    yield "  local -a commands=("
    for name, parser in commands.items():
        yield f"    {quote(f'{name}:{_described(parser)}')}"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "  local command=$words[2]"
    yield "  shift words; (( CURRENT-- ))"
    yield "  case $command in"
    for name, parser in commands.items():
        yield f"    {name}) _arguments \\"
        for option in _options(parser):
            text = option.text.replace("[", "(").replace("]", ")").replace(":", "\\:")
            value = f":value:({' '.join(option.choices)})" if option.choices else ":value:_files"
            for flag in option.flags:
                spec = f"*{flag}[{text}]{value if option.takes_value else ''}"
                yield f"      {quote(spec)} \\"
        words = _choices(parser)
        rest = f"*:argument:({' '.join(words)})" if words else "*:file:_files"
        yield f"      {quote(rest)};;"
    yield "  esac"
    yield "}"
    yield "compdef _oakum oakum"


def _fish(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    yield "# fish completion of oakum: oakum completion fish | source"
    for name, parser in commands.items():
        described = quote(_described(parser))
        yield f"complete -c oakum -n __fish_use_subcommand -f -a {name} -d {described}"
        seen = quote(f"__fish_seen_subcommand_from {name}")
        if _choices(parser):
            yield f"complete -c oakum -n {seen} -f -a {quote(' '.join(_choices(parser)))}"
        for option in _options(parser):
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            value = ""
            if option.choices:
                value = f" -x -a {quote(' '.join(option.choices))}"
            elif option.takes_value:
                value = " -r"
            yield f"complete -c oakum -n {seen} {flags}{value} -d {quote(option.text)}"
