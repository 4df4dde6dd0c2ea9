"""Unknown, misplaced and missing keys: each is refused with its line, its path and the key that was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.config import Problem

    Mistakes = Callable[[str], list[Problem]]
    OnlyMistake = Callable[[str, str], Problem]


def test_the_valid_configuration_has_no_mistake(valid: str, mistakes: Mistakes) -> None:
    assert mistakes(valid) == []


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (
            ("baud = 57600", "bauds = 57600"),
            (24, "devices.shoe-1.bauds", "57600", "unknown key; nearest valid key: baud"),
        ),
        (
            ("\nbaud = 57600", '\nPort2 = "x"'),
            (24, "devices.shoe-1.Port2", '"x"', "unknown key; nearest valid key: port"),
        ),
        (
            ('game = "659a"', 'game = "659a"\nbaud = 9600'),
            (
                5,
                "table.baud",
                "9600",
                (
                    "no key of [table]; it belongs under [devices.shuffler-1] or"
                    " [devices.shoe-1] or [devices.shaker-1]"
                ),
            ),
        ),
        (
            ("[rules_submission]", "keepalive_s = 10\n[rules_submission]"),
            (8, "table.keepalive_s", "10", "no key of [table]; it belongs under [broker]"),
        ),
        (
            ("[decks.red]", "[devices]\nbaud = 9600\n[decks.red]"),
            (
                31,
                "devices.baud",
                "9600",
                "belongs under [devices.shuffler-1] or [devices.shoe-1] or [devices.shaker-1]",
            ),
        ),
        (
            ("[decks.red]", "[journel]\n[decks.red]"),
            (30, "journel", "", "unknown key; nearest valid key: journal"),
        ),
        (
            ("[decks.red]", '[shoe-2]\nfamily = "shoe"\nport = "/dev/ttyS3"\n[decks.red]'),
            (30, "shoe-2", "", "no key of the top level of the file; it belongs under [devices.shoe-2]"),
        ),
        (
            ("[decks.red]", '[devices.shaker-1.journal]\ndirectory = "/var/lib/feltd"\n[decks.red]'),
            (30, "devices.shaker-1.journal", "", "no key of [devices.shaker-1]; it belongs under [journal]"),
        ),
        (
            ("[decks.red]", "expected_cards = 52\n[decks.red]"),
            (
                30,
                "devices.shaker-1.expected_cards",
                "52",
                ("unknown key; valid keys of [devices.shaker-1]: family, link, port, baud, serial, digest"),
            ),
        ),
        (
            (
                'mode = "external"\nhost = "broker.floor.example"',
                'mode = "embedded"\nhost = "broker.floor.example"',
            ),
            (38, "broker.host", '"broker.floor.example"', 'valid only with broker.mode = "external"'),
        ),
        (
            ('mode = "external"', 'mode = "external"\npassword = "hunter2"'),
            (38, "broker.password", "(not shown)", "unknown key; nearest valid key: password_file"),
        ),
        (
            ("deal =", "deals ="),
            (
                14,
                "elections.deals",
                '"automated-shoe"',
                'no election of this game; nearest valid key: "deal"',
            ),
        ),
    ],
)
def test_a_key_that_is_not_valid_where_it_stands_names_the_one_that_was_meant(
    valid: str, mistakes: Mistakes, change: tuple[str, str], mistake: tuple[int, str, str, str]
) -> None:
    found = mistakes(valid.replace(*change, 1))
    assert mistake in [(one.line, one.key, one.value, one.text) for one in found]
    # The only other mistake is that the key is missing where it was meant to stand.
    assert all("missing" in one.text for one in found if one.key != mistake[1])


def test_a_missing_key_names_its_table_what_must_be_there_and_why(only_mistake: OnlyMistake) -> None:
    problem = only_mistake('game = "659a"\n', "")
    assert (problem.line, problem.key, problem.value) == (1, "table.game", "")
    assert problem.text.startswith(
        'missing; must be the name of a rule pack in quotes, such as "659a". What is dealt here'
    )


def test_a_missing_table_says_which_header_is_wanted(only_mistake: OnlyMistake) -> None:
    problem = only_mistake('[broker]\nmode = "external"\nhost = "broker.floor.example"\n', "")
    assert (problem.line, problem.key) == (1, "broker")
    assert problem.text == "missing; the file needs a table [broker]"


def test_a_missing_table_of_tables_shows_that_each_needs_a_name(mistakes: Mistakes) -> None:
    texts = [one.text for one in mistakes("[table]\n") if one.key == "devices"]
    assert texts == ["missing; the file needs a table [devices.NAME]"]


def test_the_table_of_elections_must_be_there_even_if_defaults_would_do(only_mistake: OnlyMistake) -> None:
    text = '[elections]\ndecks = 2\ndeal = "automated-shoe"\nstart = "shaker"\n'
    problem = only_mistake(text, "")
    assert (problem.line, problem.key) == (1, "elections")
    assert problem.text == "missing; the file needs a table [elections]"


def test_a_table_that_stands_twice_names_the_first(only_mistake: OnlyMistake) -> None:
    problem = only_mistake("[devices.shaker-1]", "[devices.shoe-1]")
    assert (problem.line, problem.key) == (26, "devices.shoe-1")
    assert problem.text == "the table stands twice; it stands first on line 21"


def test_a_key_that_stands_twice_names_the_first(only_mistake: OnlyMistake) -> None:
    problem = only_mistake("decks = 2\n", "decks = 2\ndecks = 3\n")
    assert (problem.line, problem.key, problem.value) == (14, "elections.decks", "3")
    assert problem.text == "given twice; it stands first on line 13"


def test_every_mistake_of_a_file_is_listed_in_one_run_in_the_order_of_its_lines(
    valid: str, mistakes: Mistakes
) -> None:
    text = valid.replace('id = "asia-1"', "id = 010")
    text = text.replace("gaming_day_start = 06:00:00", "gaming_day_start = 06:00")
    text = text.replace("date = 2026-01-17", 'date = "2026-01-17"')
    text = text.replace("decks = 2", "dekcs = 2")
    text = text.replace('port = "/dev/ttyS1"', 'port = "/dev/ttyS0"')
    text = text.replace("baud = 57600", "baud = 96000")
    text = text.replace("[decks.red]", "[decks.floor]")
    text = text.replace('back = "blue"', "back = blue")
    text = text.replace('host = "broker.floor.example"', 'port = "1883"')
    assert [(one.line, one.key) for one in mistakes(text)] == [
        (2, "table.id"),
        (6, "table.gaming_day_start"),
        (10, "rules_submission.date"),
        (13, "elections.dekcs"),
        (23, "devices.shoe-1.port"),
        (24, "devices.shoe-1.baud"),
        (30, "decks.floor"),
        (34, "decks.blue.back"),
        (36, "broker.host"),
        (38, "broker.port"),
    ]


def test_a_mistake_is_told_on_one_line_that_an_editor_can_jump_to(only_mistake: OnlyMistake) -> None:
    assert only_mistake("baud = 57600", "baud = 57600.0").shown() == (
        "table.toml:24: devices.shoe-1.baud = 57600.0: must be one of 9600, 19200, 38400, 57600, 115200,"
        " 230400, 460800, 921600 (bits per second)"
    )


def test_a_placeholder_stands_where_the_file_has_no_entry_to_name(mistakes: Mistakes) -> None:
    (problem,) = [one for one in mistakes("baud = 9600\n") if one.key == "baud"]
    assert problem.text == "no key of the top level of the file; it belongs under [devices.<id>]"


def test_more_places_than_three_are_not_all_named(valid: str, mistakes: Mistakes) -> None:
    more = '[devices.shoe-2]\nfamily = "shoe"\nport = "/dev/ttyS7"\n'
    (problem,) = mistakes("digest = 1\n" + valid + more)
    assert problem.text == (
        "no key of the top level of the file; it belongs under [devices.shuffler-1] or [devices.shoe-1]"
        " or [devices.shaker-1] (or another of these)"
    )
