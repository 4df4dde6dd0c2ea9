"""Lines on the control socket: what is a request, what is not, and that neither does any harm."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from felt_daemon.control.messages import (
    LONGEST_LINE,
    Answer,
    Lines,
    Malformed,
    Request,
    Second,
    encode_answer,
    encode_request,
    parse_answer,
    parse_request,
)


def test_a_request_is_read_with_every_part() -> None:
    line = b'{"id":"7","command":"count","args":{"deck":"red","count":53},"role":"dealer","person":"B. 12"}'
    assert parse_request(line) == Request("7", "count", {"deck": "red", "count": 53}, "dealer", "B. 12")
    assert parse_request(b'{"id": "1", "command": "ping"}\r') == Request("1", "ping", {}, None, None)
    line = b'{"id":"1","command":"x","person":"ann","pin":"481516","second":{"person":"ben","pin":"902713"}}'
    assert parse_request(line) == Request(
        "1", "x", person="ann", pin="481516", second=Second("ben", "902713")
    )
    line = b'{"id":"1","command":"x","second":{"person":"Ben"}}'
    assert parse_request(line) == Request("1", "x", second=Second("Ben"))
    line = b'{"id":"1","table":"asia-1","command":"x"}'
    assert parse_request(line) == Request("1", "x", table="asia-1")


@pytest.mark.parametrize(
    ("line", "request_id", "why"),
    [
        (b"ping", None, "no JSON document: Expecting value: line 1 column 1 (char 0)"),
        (b"\xff\xfe", None, "no JSON document: 'utf-8' codec can't decode byte 0xff in position 0"),
        (b"[]", None, 'a request is an object, such as {"id": "1", "command": "ping"}'),
        (b'{"command":"ping"}', None, "id must be text of 1 to 64 visible ASCII characters"),
        (b'{"id":7,"command":"ping"}', None, "id must be text of 1 to 64 visible ASCII characters"),
        (b'{"id":"a b","command":"ping"}', None, "id must be text of 1 to 64 visible ASCII characters"),
        (b'{"id":"1"}', "1", "command must be a name such as no-more-bets"),
        (b'{"id":"1","command":"No More"}', "1", "command must be a name such as no-more-bets"),
        (b'{"id":"1","command":"ping","arg":{}}', "1", "unknown key 'arg'; nearest: 'args'"),
        (b'{"id":"1","command":"ping","args":[]}', "1", "args must be an object"),
        (b'{"id":"1","command":"ping","args":null}', "1", "args must be an object"),
        (
            b'{"id":"1","command":"ping","role":"boss"}',
            "1",
            "role must be one of dealer, floor, tech, finance, floor-system",
        ),
        (b'{"id":"1","command":"ping","role":[]}', "1", "role must be one of dealer, floor, tech, finance"),
        (
            b'{"id":"1","command":"ping","table":"A 1"}',
            "1",
            "table must be the id of a table, such as asia-1",
        ),
        (b'{"id":"1","command":"ping","table":7}', "1", "table must be the id of a table, such as asia-1"),
        (b'{"id":"1","command":"ping","person":""}', "1", "person must be text of 1 to 64 printable"),
        (b'{"id":"1","command":"ping","person":"a\\u001b"}', "1", "person must be text of 1 to 64 printable"),
        (b'{"id":"1","command":"x","pin":"481516"}', "1", "pin needs person: the id of an entry in the regi"),
        (b'{"id":"1","command":"x","person":"ann","pin":481516}', "1", "pin must be text of 1 to 64 char"),
        (b'{"id":"1","command":"x","person":"ann","pin":""}', "1", "pin must be text of 1 to 64 characters"),
        (b'{"id":"1","command":"x","second":"ben"}', "1", 'second must be an object, such as {"person": "b'),
        (b'{"id":"1","command":"x","second":{"pin":"481516"}}', "1", "second must be an object, such as"),
        (b'{"id":"1","command":"x","second":{"person":null}}', "1", "second must be an object, such as"),
        (
            b'{"id":"1","command":"x","second":{"person":""}}',
            "1",
            "second.person must be text of 1 to 64 pri",
        ),
        (
            b'{"id":"1","command":"x","second":{"person":"ben","pin":[]}}',
            "1",
            "second.pin must be text of 1 to 64 characters",
        ),
        (
            b'{"id":"1","command":"x","second":{"person":"ben","pni":"481516"}}',
            "1",
            "second: unknown key 'pni'; nearest: 'pin'",
        ),
        (b'{"id":"1","id":"2","command":"ping"}', None, "no JSON document: a key stands twice in one object"),
        (b'{"id":"1","command":"x","args":{"n":5.5}}', None, "no JSON document: 5.5 is no whole number"),
        (b'{"id":"1","command":"x","args":{"n":NaN}}', None, "no JSON document: NaN is no whole number"),
        (b'{"id":"1","command":"x","args":{"n":1e3}}', None, "no JSON document: 1e3 is no whole number"),
        (b'{"id":"1","command":"x","args":{"n":"\\ud800"}}', None, "no JSON document: 'utf-8' codec can't"),
        (b"[" * 60000, None, "no JSON document: nested too deeply"),
        (b'{"id":"1","command":"x","args":{"n":' + b"9" * 5000 + b"}}", None, "no JSON document: Exceeds"),
    ],
)
def test_a_line_that_is_no_request_has_a_reason_and_its_id(
    line: bytes, request_id: str | None, why: str
) -> None:
    found = parse_request(line)
    assert isinstance(found, Malformed)
    assert found.id == request_id
    assert found.why.startswith(why)


@given(st.binary(max_size=300))
def test_no_bytes_do_anything_but_be_refused(line: bytes) -> None:
    assert isinstance(parse_request(line), Malformed)


@given(st.lists(st.binary(max_size=12), max_size=8), st.lists(st.integers(1, 7), max_size=40))
def test_the_same_lines_come_out_however_the_stream_is_cut(parts: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(parts) + b"\n"
    whole = list(Lines(longest=8).receive(stream))
    lines, at = Lines(longest=8), 0
    cut: list[bytes | Malformed] = []
    for size in cuts:
        cut += list(lines.receive(stream[at : at + size]))
        at += size
    cut += list(lines.receive(stream[at:]))
    assert cut == whole


def test_a_line_may_have_64_kib_with_its_newline_and_no_byte_more() -> None:
    lines = Lines()
    longest = b"x" * (LONGEST_LINE - 1)
    assert list(lines.receive(longest + b"\n")) == [longest]
    assert list(lines.receive(longest + b"x")) == [Malformed(None, "a line has at most 65536 bytes")]
    assert list(lines.receive(b"x" * 1_000_000)) == []
    assert list(lines.receive(b"tail\nnext\n")) == [b"next"]


def test_empty_lines_are_nothing() -> None:
    assert list(Lines().receive(b"\n \n\r\n{}\n")) == [b"{}"]


def test_requests_and_answers_are_written_as_one_line_of_json() -> None:
    assert encode_request(Request("1", "count", {"deck": "r"}, "floor", "Müller")) == (
        '{"id":"1","command":"count","args":{"deck":"r"},"role":"floor","person":"Müller"}\n'.encode()
    )
    proven = Request("1", "x", person="ann", pin="481516", second=Second("ben", "902713"))
    assert encode_request(proven) == (
        b'{"id":"1","command":"x","args":{},"person":"ann","pin":"481516",'
        b'"second":{"person":"ben","pin":"902713"}}\n'
    )
    named = Request("1", "x", second=Second("Ben"))
    assert encode_request(named) == b'{"id":"1","command":"x","args":{},"second":{"person":"Ben"}}\n'
    placed = Request("1", "x", table="asia-1")
    assert encode_request(placed) == b'{"id":"1","command":"x","args":{},"table":"asia-1"}\n'
    assert encode_request(Request("1", "ping")) == b'{"id":"1","command":"ping","args":{}}\n'
    assert encode_answer(Answer("1", ok=True, data={"n": 1})) == b'{"id":"1","ok":true,"data":{"n":1}}\n'
    assert encode_answer(Answer(None, ok=False, code="busy", why="later")) == (
        b'{"id":null,"ok":false,"code":"busy","why":"later"}\n'
    )


@pytest.mark.parametrize(
    "answer",
    [
        Answer("1", ok=True, data={"state": {"round": 3}}),
        Answer("1", ok=False, code="refused", why="no round is open", data={"phase": "closed"}),
        Answer(None, ok=False, code="malformed", why="no JSON document"),
    ],
)
def test_an_answer_is_read_as_it_was_written(answer: Answer) -> None:
    assert parse_answer(encode_answer(answer)) == answer


@pytest.mark.parametrize("line", [b"", b"[]", b'{"id":1,"ok":true}', b'{"id":"1"}', b'{"id":"1","ok":1}'])
def test_what_is_no_answer_is_no_answer(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"answer|Expecting"):
        parse_answer(line)
