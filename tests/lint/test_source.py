"""Reading a file answers with its text or with one sentence, whatever lies at the path."""

import codecs
import os
import socket
import tokenize
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oakum_lint.text import regular_files, source
from oakum_lint.text.source import LineTable, Source, Undecodable, Unreadable, decode, read_source


def refusal(path: Path) -> str:
    answer = read_source(path)
    assert isinstance(answer, Unreadable)
    assert answer.path == path
    return answer.message


def text_of(path: Path) -> str:
    answer = read_source(path)
    assert isinstance(answer, Source)
    return answer.text


# --- what lies at a path


def test_a_missing_file_is_named_missing(tmp_path: Path) -> None:
    assert refusal(tmp_path / "absent.py") == "it does not exist"


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "it is a directory, not a regular file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    assert refusal(tmp_path / "pipe.py") == "it is a named pipe, not a regular file"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no such sockets here")
def test_a_socket_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.py")
        assert refusal(Path("s.py")) == "it is a socket, not a regular file"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
def test_an_endless_device_is_refused() -> None:
    assert refusal(Path("/dev/zero")) == "it is a device, not a regular file"


def test_a_link_to_nothing_and_a_link_to_itself_are_refused(tmp_path: Path) -> None:
    (tmp_path / "dangling.py").symlink_to("nowhere.py")
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert refusal(tmp_path / "dangling.py") == "it is a symbolic link to nothing"
    assert refusal(tmp_path / "loop.py").startswith("it cannot be read: ")


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x = 1\n")
    (tmp_path / "link.py").symlink_to("real.py")
    assert text_of(tmp_path / "link.py") == "x = 1\n"


def test_a_file_without_permission_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "secret.py").write_text("x = 1\n")
    monkeypatch.setattr(os, "open", refuse)  # the user may be root, whom no mode keeps out
    assert refusal(tmp_path / "secret.py") == "permission to read it is denied"


def test_a_file_swapped_for_a_pipe_while_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file.py").write_text("x = 1\n")
    read_end, write_end = os.pipe()

    def opened(*_: object) -> int:
        return read_end

    monkeypatch.setattr(os, "open", opened)
    assert refusal(tmp_path / "file.py") == "it is a named pipe, not a regular file"
    os.close(write_end)


def test_a_name_that_no_file_can_have_is_refused() -> None:
    assert refusal(Path("a\0b.py")) == "its name is not a valid path"


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    largest = 1 << 20
    monkeypatch.setattr(source, "LARGEST_FILE", largest)
    (tmp_path / "large.py").write_bytes(b"#" * (largest + 1))
    (tmp_path / "small.py").write_bytes(b"#" * largest)
    assert refusal(tmp_path / "large.py") == "it is larger than 1 MiB"
    assert text_of(tmp_path / "small.py") == "#" * largest


def test_a_file_that_grew_after_the_look_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "LARGEST_FILE", 1 << 20)
    (tmp_path / "growing.py").write_bytes(b"#" * ((1 << 20) + 20))

    def pretend(_: os.stat_result, _largest: int) -> None:
        """Finds nothing wrong with what the file was before."""

    monkeypatch.setattr(regular_files, "_refuse", pretend)
    assert refusal(tmp_path / "growing.py") == "it is larger than 1 MiB"


# --- decoding


def undecodable(data: bytes) -> str:
    answer = decode(data)
    assert isinstance(answer, Undecodable)
    return answer.message


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n"),
        (codecs.BOM_UTF8 + b"# coding: utf-8\n", "# coding: utf-8\n"),
        (codecs.BOM_UTF8 + b"# coding: utf_8\n", "# coding: utf_8\n"),
        ("é = '😀'\n".encode(), "é = '😀'\n"),
        (b"# -*- coding: latin-1 -*-\n'\xe9'\n", "# -*- coding: latin-1 -*-\n'é'\n"),
        (
            b"#!/bin/sh\n# vim: fileencoding=cp1252 :\n'\x80'",
            "#!/bin/sh\n# vim: fileencoding=cp1252 :\n'€'",
        ),
        (b"\n# coding: latin-1\n'\xe9'", "\n# coding: latin-1\n'é'"),
        (b"# coding: utf-8-unix\n'\xc3\xa9'", "# coding: utf-8-unix\n'é'"),
        (b"# coding: iso-latin-1-dos\n'\xe9'", "# coding: iso-latin-1-dos\n'é'"),
        (b"# coding: latin_1-unix\n'\xe9'", "# coding: latin_1-unix\n'é'"),
        (b"# coding: iso-8859-15\n'\xa4'", "# coding: iso-8859-15\n'€'"),
        (b"x = 1\n# coding: latin-1\n", "x = 1\n# coding: latin-1\n"),
        (b"a\r\nb\rc\n\x0cd\te", "a\r\nb\rc\n\x0cd\te"),
    ],
)
def test_text_is_decoded_as_python_decodes_it(data: bytes, text: str) -> None:
    assert decode(data) == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x = '\xff'\n", "line 1 holds bytes that are not utf-8 text (0xff)"),
        (b"x = 1\n# caf\xe9\n", "line 2 holds bytes that are not utf-8 text (0xe9)"),
        (b"x = 1\n# coding: latin-1\n\xe9", "line 3 holds bytes that are not utf-8 text (0xe9)"),
        (b"# coding: no-such\n", "its coding comment names the unknown encoding 'no-such'"),
        (b"# coding: rot13\n", "its bytes are not text in the encoding 'rot13'"),
        (b"# coding: hex\n", "its bytes are not text in the encoding 'hex'"),
        (b"# coding: punycode\n", "source in the encoding 'punycode' is not supported"),
        (
            codecs.BOM_UTF8 + b"# coding: latin-1\n",
            "it begins with a UTF-8 mark but declares the encoding 'latin-1'",
        ),
        (b"x = 1\ny = '\x00'\n", "line 2 holds a null byte"),
        (
            "x = 1\n".encode("utf-16"),
            "it is UTF-16 text; Python source has to be UTF-8 or declare its encoding",
        ),
    ],
)
def test_bytes_that_are_no_source_are_refused_with_the_reason(data: bytes, message: str) -> None:
    assert undecodable(data) == message


@given(st.binary(max_size=200))
def test_decoding_any_bytes_gives_text_or_a_reason(data: bytes) -> None:
    answer = decode(data)
    assert isinstance(answer, (str, Undecodable))


@given(
    st.sampled_from(["utf-8", "latin-1", "cp1252", "ascii", "iso8859-15", "koi8-r", "nothing"]),
    st.sampled_from(
        ["# coding: {}", "#coding={}", "# -*- coding: {} -*-", "x = 1", "", "\f# coding:{}"]
    ),
    st.booleans(),
)
def test_the_declared_encoding_is_the_one_that_python_sees(
    encoding: str, comment: str, on_second_line: bool
) -> None:
    data = ("\n" * on_second_line + comment.format(encoding) + "\nx = 1\n").encode()
    lines = iter(data.splitlines(keepends=True))
    try:
        expected, _ = tokenize.detect_encoding(lambda: next(lines))
    except SyntaxError:
        assert isinstance(decode(data), Undecodable)
    else:
        assert decode(data) == data.decode(expected)


# --- places


@given(st.text(alphabet="ab\r\n\t\f😀", max_size=30), st.data())
def test_places_and_offsets_are_inverse(text: str, data: st.DataObject) -> None:
    """A finding whose place is off by one line end sends the user to the wrong line."""
    table = LineTable(text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = table.place(offset)
    assert table.offset(line, column) == offset
    before = text[:offset]
    if not (before.endswith("\r") and text[offset : offset + 1] == "\n"):
        assert line == len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))


def test_columns_count_code_points_from_one() -> None:
    text = Source.from_text("s = '😀'; t = s\n")
    assert text.location(10, 11, "f.py").column == 11
    assert text.place(0) == (1, 1)


def test_an_editors_text_loses_its_byte_order_mark() -> None:
    assert Source.from_text("\ufeffx = 1\n").text == "x = 1\n"


def test_a_place_outside_the_text_is_the_nearest_one_inside() -> None:
    table = LineTable("ab\nc")
    assert (table.offset(0, 0), table.offset(9, 1), table.offset(2, 99)) == (0, 4, 4)
    assert table.line_count == 2
