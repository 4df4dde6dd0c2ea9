"""What a file may look like: encodings, line ends, statements that are no TOML, and what holds in the end."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from felt_daemon.config import (
    Config,
    ConfigError,
    EmbeddedBroker,
    UnreadableConfig,
    load,
    parse,
)
from felt_daemon.config.load import LARGEST_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.config import Problem

    Mistakes = Callable[[str], list[Problem]]

UNFINISHED = "the statement that begins here is not finished or goes wrong at"
DIRECTORY = 'must be an absolute path in quotes (it begins with "/")'
NAMES = 'must be a list of account names, such as ["anna", "ben"]'
EXAMPLE = Path(__file__).parents[2] / "examples" / "asia-poker.toml"


def _refused(data: bytes) -> tuple[int, str]:
    with pytest.raises(ConfigError) as caught:
        parse(data, "table.toml")
    (problem,) = caught.value.problems
    return problem.line, problem.text


def _values(config: Config) -> list[tuple[str, str, str]]:
    return [(value.key, value.value, value.source) for value in config.effective()]


def test_a_byte_order_mark_and_windows_line_ends_make_no_difference(valid: str) -> None:
    plain = parse(valid.encode(), "table.toml")
    for data in (
        b"\xef\xbb\xbf" + valid.encode(),
        valid.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + valid.replace("\n", "\r\n").encode(),
        valid.rstrip("\n").encode(),
    ):
        other = parse(data, "table.toml")
        assert other.digest == plain.digest
        assert _values(other) == _values(plain)


@pytest.mark.parametrize(
    ("encoding", "mark", "text"),
    [
        ("utf-16-le", b"\xff\xfe", "the file is UTF-16 (little endian), seen at byte 1; save it as UTF-8"),
        ("utf-16-be", b"\xfe\xff", "the file is UTF-16 (big endian), seen at byte 1; save it as UTF-8"),
        (
            "utf-32-le",
            b"\xff\xfe\0\0",
            "the file is UTF-32 (little endian), seen at byte 1; save it as UTF-8",
        ),
        (
            "utf-16-le",
            b"",
            "the file is UTF-16 (little endian, without a mark), seen at byte 2; save it as UTF-8",
        ),
        (
            "utf-16-be",
            b"",
            "the file is UTF-16 (big endian, without a mark), seen at byte 1; save it as UTF-8",
        ),
    ],
)
def test_a_file_in_wide_characters_is_refused_by_name(
    valid: str, encoding: str, mark: bytes, text: str
) -> None:
    assert _refused(mark + valid.encode(encoding)) == (1, text)


def test_a_file_in_latin_1_is_refused_with_the_byte_and_its_place(valid: str) -> None:
    line, text = _refused(valid.replace("\u2013", "-").encode("latin-1"))
    assert line == 3
    assert text == (
        'the file is not UTF-8: byte 0xFC at line 3, column 20 (byte 42), in Latin-1 it would be "ü";'
        " it is probably Latin-1 or Windows-1252: save it as UTF-8"
    )


def test_a_byte_order_mark_in_the_middle_is_refused_with_its_place(valid: str) -> None:
    line, text = _refused(valid.replace("[elections]", "\ufeff[elections]").encode())
    assert line == 12
    assert text.startswith("a byte order mark (U+FEFF) stands at line 12, column 1; only the first place")


def test_a_second_mark_at_the_beginning_is_in_the_middle_too(valid: str) -> None:
    assert _refused(b"\xef\xbb\xbf\xef\xbb\xbf" + valid.encode())[0] == 1


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_a_mistake_and_never_all_defaults(data: bytes) -> None:
    line, text = _refused(data)
    assert (line, text[:17]) == (1, "the file is empty")


def test_a_file_of_comments_misses_every_table_that_has_no_default(mistakes: Mistakes) -> None:
    assert sorted(one.key for one in mistakes("# nothing\n")) == [
        "broker",
        "decks",
        "devices",
        "elections",
        "rules_submission",
        "table",
    ]


def test_a_zero_byte_is_refused_with_its_place(valid: str) -> None:
    line, text = _refused(valid.replace("[elections]", "\0[elections]").encode())
    assert (line, text[:32]) == (12, "a zero byte stands at byte 191; ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[journal\n",
            [(1, "", "no valid TOML at column 9: Expected ']' at the end of a table declaration")],
        ),
        ("nonsense\n", [(1, "", "no valid TOML at column 9: Expected '=' after a key in a key/value pair")]),
        (
            '[journal]\ndirectory = """\nnever closed\n',
            [(2, "journal.directory", f"{UNFINISHED} the end of the file: Unterminated string; {DIRECTORY}")],
        ),
        (
            "[control.roles.floor]\nusers = [\n  anna,\n]\n[journal]\ndirectory = 3\n",
            [
                (2, "control.roles.floor.users", f"{UNFINISHED} line 3: Invalid value; {NAMES}"),
                (6, "journal.directory", DIRECTORY),
            ],
        ),
        (
            '[control.roles.floor]\nusers = ["anna"\n[journal]\ndirectory = 3\n',
            [
                (2, "control.roles.floor.users", f"{UNFINISHED} line 3: Unclosed array; {NAMES}"),
                (4, "journal.directory", DIRECTORY),
            ],
        ),
        (
            f"[journal]\ndirectory = {'[' * 3000}{']' * 3000}\n",
            [(1, "", "the file nests arrays or tables too deeply")],
        ),
    ],
)
def test_a_statement_that_is_no_toml_is_told_and_the_rest_is_checked(
    mistakes: Mistakes, text: str, expected: list[tuple[int, str, str]]
) -> None:
    found = [one for one in mistakes(text) if "the file needs a table" not in one.text]
    assert [(one.line, one.key, one.text) for one in found] == expected


def test_a_number_that_python_does_not_read_is_a_mistake_like_any_other(mistakes: Mistakes) -> None:
    found = mistakes(f"[broker]\nport = {'9' * 5000}\n")
    (problem,) = [one for one in found if one.key == "broker.port"]
    assert (problem.line, problem.value) == (2, "9" * 57 + "...")
    assert problem.text.startswith("no valid TOML: Exceeds the limit (4300 digits)")


def test_an_endless_run_of_nonsense_ends(mistakes: Mistakes) -> None:
    found = mistakes("nonsense\n" * 1000)
    assert len(found) == 51
    assert found[-1].text == "more than 50 lines are no TOML; nothing after this one was checked"


@given(st.binary(max_size=200))
def test_no_bytes_do_anything_but_be_refused(data: bytes) -> None:
    with pytest.raises(ConfigError):
        parse(data, "noise.toml")


# The first one reads the rule pack as well.
@settings(deadline=None)
@given(st.data())
@pytest.mark.long
def test_no_spoiled_file_does_anything_but_be_taken_or_refused(data: st.DataObject) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    at = data.draw(st.integers(0, len(text)))
    length = data.draw(st.integers(0, 12))
    put = data.draw(st.text(alphabet="ab10.=[]{},\"'#\n -:\\", max_size=6))
    try:
        parse((text[:at] + put + text[at + length :]).encode(), "spoiled.toml")
        problems = None
    except ConfigError as error:
        problems = error.problems
    if problems is not None:
        assert problems
        assert all(1 <= one.line <= text.count("\n") + 8 for one in problems)


def test_a_file_that_is_not_there_or_cannot_be_read_is_no_mistake_in_it(tmp_path: Path) -> None:
    with pytest.raises(UnreadableConfig, match=r"missing\.toml: cannot be read: No such file or directory"):
        load(tmp_path / "missing.toml")
    with pytest.raises(UnreadableConfig, match="cannot be read: Is a directory"):
        load(tmp_path)
    (tmp_path / "large.toml").write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(UnreadableConfig, match="larger than 262144 bytes"):
        load(tmp_path / "large.toml")


def test_every_value_that_holds_is_listed_with_its_origin(valid: str) -> None:
    values = _values(parse(valid.encode(), "table.toml"))
    assert values[:5] == [
        ("table.id", '"asia-1"', "table.toml:2"),
        ("table.name", '"Tisch 7 \u2013 Müller"', "table.toml:3"),
        ("table.game", '"659a"', "table.toml:4"),
        ("table.time_zone", '"America/New_York"', "table.toml:5"),
        ("table.gaming_day_start", "06:00:00", "table.toml:6"),
    ]
    assert ("rules_submission.date", "2026-01-17", "table.toml:10") in values
    assert ("elections.decks", "2", "table.toml:13") in values
    assert ("devices.shuffler-1.baud", "115200", "default") in values
    assert ("devices.shoe-1.baud", "57600", "table.toml:24") in values
    assert ("journal.directory", '"/var/lib/feltd"', "default") in values
    assert ("broker.port", "1883", "default") in values
    assert ("control.socket", '"/run/feltd/control"', "default") in values


def test_the_digest_is_of_the_values_and_not_of_how_they_are_written(valid: str) -> None:
    one = parse(valid.encode(), "one.toml")
    other = parse(("# a note\n" + valid.replace("57600", "57_600")).encode(), "two.toml")
    same = parse(valid.replace("57600", "57600\nlink = 'felt-link'").encode(), "three.toml")
    assert one.digest == other.digest == same.digest
    assert len(one.digest) == 64
    assert parse(valid.replace("57600", "115200").encode(), "four.toml").digest != one.digest


def test_the_digest_tells_which_deck_and_which_device_comes_first(valid: str) -> None:
    red, blue = '[decks.red]\nback = "red"\n', '[decks.blue]\nback = "blue"\n'
    shuffler = '[devices.shuffler-1]\nfamily = "shuffler"\nport = "/dev/ttyS0"\n'
    one = parse(valid.encode(), "one.toml")
    decks = parse(valid.replace(red + "\n" + blue, blue + "\n" + red).encode(), "two.toml")
    devices = parse((valid.replace(shuffler, "") + "\n" + shuffler).encode(), "three.toml")
    assert ([*decks.decks], [*devices.devices][-1]) == (["blue", "red"], "shuffler-1")
    assert len({one.digest, decks.digest, devices.digest}) == 3


def test_the_order_of_tables_that_decide_nothing_makes_no_difference(valid: str) -> None:
    rules = '[rules_submission]\nreference = "RS-2026-0117"\ndate = 2026-01-17\n'
    moved = parse((valid.replace(rules, "") + "\n" + rules).encode(), "two.toml")
    assert moved.digest == parse(valid.encode(), "one.toml").digest


def test_the_embedded_broker_needs_no_other_setting(valid: str) -> None:
    text = valid.replace('mode = "external"\nhost = "broker.floor.example"', 'mode = "embedded"')
    config = parse(text.encode(), "table.toml")
    assert config.broker == EmbeddedBroker(mode="embedded", port=0, keepalive_s=10)


def test_a_configuration_can_be_handed_to_another_process(valid: str) -> None:
    config = parse(valid.encode(), "table.toml")
    copy = pickle.loads(pickle.dumps(config))  # noqa: S301 - our own bytes
    assert isinstance(copy, Config)
    assert (copy.digest, _values(copy)) == (config.digest, _values(config))


def test_a_configuration_cannot_be_changed(valid: str) -> None:
    config = parse(valid.encode(), "table.toml")
    with pytest.raises(ValueError, match="frozen"):
        config.table.id = "other"  # pyright: ignore[reportAttributeAccessIssue] - the point


def test_the_example_is_valid_and_has_every_family() -> None:
    config = load(EXAMPLE)
    assert config.table.id == "asia-1"
    assert sorted(device.family for device in config.devices.values()) == ["shaker", "shoe", "shuffler"]
    assert sorted(config.control.roles) == ["dealer", "floor", "tech"]
