"""Messages of JSON-RPC 2.0: what a body says, and the bodies of answers.

Invariants:
- Every body is read as exactly one message; what is none is `Invalid`, with the error to answer.
- An answer has the id of its request exactly as it was written, or null where there is none.
"""

import enum
import json
from collections.abc import Mapping
from typing import Final, NoReturn, cast

from oakum.values.records import dataclass


class ErrorCode(enum.IntEnum):
    """The codes of errors of JSON-RPC and of the Language Server Protocol."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVER_NOT_INITIALIZED = -32002
    REQUEST_CANCELLED = -32800
    CONTENT_MODIFIED = -32801
    REQUEST_FAILED = -32803


Id = int | float | str


class ResponseError(Exception):
    """An error that a request is answered with."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True, slots=True)
class Request:
    """A message that asks for an answer."""

    id: Id
    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Notification:
    """A message that has no answer."""

    method: str
    params: object


@dataclass(frozen=True, slots=True)
class Response:
    """The client's answer to a request of ours; `result` is None where that is an error."""

    id: object
    result: object


@dataclass(frozen=True, slots=True)
class Invalid:
    """What is no message; `id` is that of the request it was meant to be, or None."""

    id: Id | None
    error: ResponseError


Message = Request | Notification | Response | Invalid


def parse(body: bytes) -> Message:
    """Reads a body.

    >>> parse(b'{"jsonrpc": "2.0", "id": 7, "method": "shutdown"}')
    Request(id=7, method='shutdown', params=None)
    >>> parse(b"[]").error.code
    <ErrorCode.INVALID_REQUEST: -32600>
    """
    try:
        data: object = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        return Invalid(None, ResponseError(ErrorCode.PARSE_ERROR, f"not JSON: {reason}"))
    if isinstance(data, list):
        return _invalid(None, "the protocol has no batches: send each message by itself")
    if not isinstance(data, dict):
        return _invalid(None, "a message is a JSON object")
    return _message(cast("dict[str, object]", data))


def _message(data: dict[str, object]) -> Message:
    stated = data.get("id")
    known = (
        stated if isinstance(stated, (int, float, str)) and not isinstance(stated, bool) else None
    )
    method = data.get("method")
    if data.get("jsonrpc") != "2.0":
        return _invalid(known, 'a message says "jsonrpc": "2.0"')
    if method is None and "method" not in data and ("result" in data or "error" in data):
        return Response(stated, data.get("result"))
    if not isinstance(method, str):
        return _invalid(known, "the method of a message is a string")
    params = data.get("params")
    if "id" not in data:
        return Notification(method, params)
    if known is None:
        return _invalid(None, "the id of a request is a number or a string")
    return Request(known, method, params)


def _invalid(known: Id | None, reason: str) -> Invalid:
    return Invalid(known, ResponseError(ErrorCode.INVALID_REQUEST, reason))


_LONGEST_REASON: Final = 500
"""Characters of an error's message: the name of a method can be as long as a message."""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def compact_json(value: object) -> str:
    """The text of a value in ASCII, on one line; lone surrogates stay escapes, as they came."""
    return json.dumps(value, separators=(",", ":"))


def encode(message: Mapping[str, object]) -> bytes:
    """The body of a message."""
    return compact_json({"jsonrpc": "2.0", **message}).encode("ascii")


def answer(request: Id, result: object) -> bytes:
    """The answer to a request.

    >>> answer("a", None)
    b'{"jsonrpc":"2.0","id":"a","result":null}'
    """
    return encode({"id": request, "result": result})


def answer_with(request: Id, result: str) -> bytes:
    """The answer to a request, whose result is JSON already.

    >>> answer_with(1, "[]")
    b'{"jsonrpc":"2.0","id":1,"result":[]}'
    """
    return b'%s,"result":%s}' % (encode({"id": request}).removesuffix(b"}"), result.encode("ascii"))


def error_answer(request: Id | None, error: ResponseError) -> bytes:
    """The answer that says what is wrong with a request."""
    message = error.message[:_LONGEST_REASON]
    return encode({"id": request, "error": {"code": int(error.code), "message": message}})


def cancellation(request: Id, reason: str) -> bytes:
    """The answer to a request that was cancelled."""
    return error_answer(request, ResponseError(ErrorCode.REQUEST_CANCELLED, reason))


def is_same_id(first: Id, second: Id) -> bool:
    """Whether two messages have one id.

    >>> is_same_id(1, 1), is_same_id(1, "1")
    (True, False)
    """
    return type(first) is type(second) and first == second


def client_request(identity: str, method: str, params: object) -> bytes:
    """A message that asks the client for an answer."""
    return encode({"id": identity, "method": method, "params": params})


def notification(method: str, params: object) -> bytes:
    """A message without an answer."""
    return encode({"method": method, "params": params})
