"""The catalogue of codes is complete, unique and finds what users write."""

import re

import pytest

from oakum.values import codes
from oakum.values.codes import CATALOGUE, Code, Family


def test_codes_and_names_are_unique_and_in_order() -> None:
    numbers = [code.code for code in CATALOGUE]
    assert numbers == sorted(set(numbers))
    assert len({code.name for code in CATALOGUE}) == len(CATALOGUE)


def test_every_constant_is_in_the_catalogue_under_its_name() -> None:
    constants = {name: value for name, value in vars(codes).items() if isinstance(value, Code)}
    assert set(constants.values()) == set(CATALOGUE)
    for name, code in constants.items():
        assert name == code.name.upper().replace("-", "_")


@pytest.mark.parametrize("code", CATALOGUE, ids=str)
def test_a_row_reads_as_sentences(code: Code) -> None:
    assert re.fullmatch(r"OAK\d{3}", code.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", code.name)
    assert code.command == f"oakum explain {code.code}"
    assert code.title[0].isupper()
    assert not code.title.endswith(".")
    assert code.cause.endswith(".")
    assert code.hint.endswith(".")


def test_families_follow_the_first_digit() -> None:
    assert codes.SYNTAX_ERROR.family is Family.TOOL
    assert codes.TRACER_IN_METADATA.family is Family.ESCAPE
    assert codes.TRACER_IN_BRANCH.family is Family.CONCRETIZATION
    assert codes.REUSED_KEY.family is Family.KEY
    assert codes.SHAPE_MISMATCH.family is Family.SHAPE


def test_codes_are_found_by_number_and_name_in_any_case() -> None:
    for code in CATALOGUE:
        for word in (code.code, code.code.lower(), code.name, code.name.upper()):
            assert codes.find(word) is code
    assert codes.find("OAK999") is None
    assert codes.find("") is None
