"""The dealer's panel, the register of people, escalation and commands over MQTT, as the file sets them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from felt_daemon.config import EmbeddedBroker, Escalation, Panel, People, parse

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.config import Problem

    Mistakes = Callable[[str], list[Problem]]
    WithValue = Callable[[str, str], tuple[int, str]]

ABSOLUTE = 'must be an absolute path in quotes (it begins with "/")'
BETS = 'must be one of "told", "start-position", "advice"'
ROUND_END = 'must be one of "told", "shoe-loaded"'
FLOOR = "must be a whole number from 10 to 3600 (seconds)"
SHIFT = "must be a whole number from 11 to 7200 (seconds)"
SWITCH = "must be true or false"

# Appended to the valid configuration, whose last line is 38.
PANEL = '[devices.panel-1]\nfamily = "dealers-panel"\nport = "/dev/ttyS3"\n'
SECOND_PANEL = '[devices.panel-2]\nfamily = "dealers-panel"\nport = "/dev/ttyS4"\n'


def _found(problems: list[Problem]) -> list[tuple[int, str, str]]:
    return [(one.line, one.key, one.text) for one in problems]


def test_a_file_that_says_nothing_of_people_gets_the_cautious_defaults(valid: str) -> None:
    config = parse(valid.encode(), "table.toml")
    assert config.panel == Panel(no_more_bets="told", round_end="told")
    assert config.people == People(register=None)
    assert config.escalation == Escalation(floor_after_s=60, shift_manager_after_s=300)
    assert config.broker.commands is False


def test_what_the_file_says_of_people_holds_and_is_shown_with_its_line(valid: str) -> None:
    text = f"""{valid}commands = true
[people]
register = "/etc/feltd/people.json"
[panel]
no_more_bets = "start-position"
round_end = "shoe-loaded"
[escalation]
floor_after_s = 10
shift_manager_after_s = 11
"""
    config = parse(text.encode(), "table.toml")
    assert config.people.register == Path("/etc/feltd/people.json")
    shown = [(one.key, one.value, one.source) for one in config.effective()]
    assert [one for one in shown if one[0].split(".")[0] in {"panel", "people", "escalation"}] == [
        ("panel.no_more_bets", '"start-position"', "table.toml:43"),
        ("panel.round_end", '"shoe-loaded"', "table.toml:44"),
        ("people.register", '"/etc/feltd/people.json"', "table.toml:41"),
        ("escalation.floor_after_s", "10", "table.toml:46"),
        ("escalation.shift_manager_after_s", "11", "table.toml:47"),
    ]
    assert ("broker.commands", "true", "table.toml:39") in shown


def test_defaults_are_shown_as_defaults_and_a_register_that_is_not_named_is_not_shown(valid: str) -> None:
    shown = {one.key: (one.value, one.source) for one in parse(valid.encode(), "t").effective()}
    assert shown["panel.no_more_bets"] == ('"told"', "default")
    assert shown["escalation.shift_manager_after_s"] == ("300", "default")
    assert shown["broker.commands"] == ("false", "default")
    assert "people.register" not in shown


@pytest.mark.parametrize(("key", "value"), [("floor_after_s", 3600), ("shift_manager_after_s", 7200)])
def test_the_longest_times_of_escalation_are_valid(valid: str, key: str, value: int) -> None:
    text = f"{valid}[escalation]\nshift_manager_after_s = 7200\n".replace(f"{key} = 7200\n", "")
    config = parse(f"{text}{key} = {value}\n".encode(), "table.toml")
    assert config.escalation.model_dump()[key] == value


@pytest.mark.parametrize(
    ("key", "given", "text"),
    [
        ("panel.no_more_bets", '"start-positon"', f'{BETS}; nearest: "start-position"'),
        ("panel.no_more_bets", "true", BETS),
        ("panel.no_more_bets", "told", f'text stands in quotes: "told"; {BETS}'),
        ("panel.round_end", '"start-position"', ROUND_END),
        ("panel.round_end", '"Shoe-Loaded"', f'{ROUND_END}; nearest: "shoe-loaded"'),
        ("people.register", '"people.json"', ABSOLUTE),
        ("people.register", '""', ABSOLUTE),
        ("people.register", "true", ABSOLUTE),
        ("people.register", '"/etc/feltd\\n"', ABSOLUTE),
        ("escalation.floor_after_s", "9", FLOOR),
        ("escalation.floor_after_s", "3601", FLOOR),
        ("escalation.floor_after_s", "true", FLOOR),
        ("escalation.floor_after_s", "60.0", FLOOR),
        ("escalation.floor_after_s", '"60"', FLOOR),
        ("escalation.floor_after_s", "60s", f"a number stands alone, without its unit; {FLOOR}"),
        ("escalation.shift_manager_after_s", "10", SHIFT),
        ("escalation.shift_manager_after_s", "7201", SHIFT),
        ("escalation.shift_manager_after_s", "true", SHIFT),
        ("escalation.shift_manager_after_s", "00:05:00", SHIFT),
        ("broker.commands", '"yes"', SWITCH),
        ("broker.commands", "1", SWITCH),
        ("broker.commands", "yes", f'yes is neither a truth value (true, false) nor text ("yes"); {SWITCH}'),
    ],
)
def test_a_value_about_people_that_is_not_valid_is_refused_as_it_was_written(
    with_value: WithValue, mistakes: Mistakes, key: str, given: str, text: str
) -> None:
    line, spoiled = with_value(key, given)
    (problem,) = mistakes(spoiled)
    assert (problem.line, problem.key, problem.value, problem.text) == (line, key, given, text)


@pytest.mark.parametrize(
    ("added", "mistake"),
    [
        ("[pannel]\n", (39, "pannel", "unknown key; nearest valid key: panel")),
        (
            "[people]\nregistry = 1\n",
            (40, "people.registry", "unknown key; nearest valid key: register"),
        ),
        (
            "[escalation]\nfloor_after = 60\n",
            (40, "escalation.floor_after", "unknown key; nearest valid key: floor_after_s"),
        ),
        (
            "floor_after_s = 60\n",
            (39, "broker.floor_after_s", "no key of [broker]; it belongs under [escalation]"),
        ),
        (
            '[escalation]\nround_end = "told"\n',
            (40, "escalation.round_end", "no key of [escalation]; it belongs under [panel]"),
        ),
    ],
)
def test_a_key_about_people_that_is_misspelt_or_misplaced_names_the_one_that_was_meant(
    valid: str, mistakes: Mistakes, added: str, mistake: tuple[int, str, str]
) -> None:
    assert _found(mistakes(valid + added)) == [mistake]


def test_a_table_may_have_one_panel(valid: str, mistakes: Mistakes) -> None:
    assert mistakes(valid + PANEL) == []
    third = '[devices.a]\nfamily = "dealers-panel"\nport = "/dev/ttyS5"\n'
    assert _found(mistakes(valid + PANEL + SECOND_PANEL + third)) == [
        (
            43,
            "devices.panel-2.family",
            "[devices.panel-1] (line 40) is the dealer's panel already; a table has one",
        ),
        (
            46,
            "devices.a.family",
            "[devices.panel-1] (line 40) is the dealer's panel already; a table has one",
        ),
    ]


def test_beside_a_panel_nothing_is_inferred_and_nothing_is_advice_only(
    valid: str, mistakes: Mistakes
) -> None:
    told = '[panel]\nno_more_bets = "told"\nround_end = "told"\n'
    assert mistakes(valid + PANEL + told) == []
    inferred = '[panel]\nno_more_bets = "advice"\nround_end = "shoe-loaded"\n'
    assert mistakes(valid + inferred) == []
    why = '[devices.panel-1] (line 40) is a dealer\'s panel, which tells it; beside it only "told" is valid'
    assert _found(mistakes(valid + PANEL + inferred)) == [
        (43, "panel.no_more_bets", why),
        (44, "panel.round_end", why),
    ]


def test_a_word_that_is_not_valid_beside_a_panel_is_one_mistake(valid: str, mistakes: Mistakes) -> None:
    found = mistakes(valid + PANEL + '[panel]\nno_more_bets = "advise"\n')
    assert _found(found) == [(43, "panel.no_more_bets", f'{BETS}; nearest: "advice"')]


@pytest.mark.parametrize("mode", ["external", "embedded"])
def test_commands_over_mqtt_need_a_register_of_people(valid: str, mistakes: Mistakes, mode: str) -> None:
    text = valid + "commands = true\n"
    if mode == "embedded":
        text = text.replace('"external"', '"embedded"').replace('host = "broker.floor.example"\n', "")
    line = {"external": 39, "embedded": 38}[mode]
    assert _found(mistakes(text)) == [
        (line, "broker.commands", "needs people.register, which has the keys and says who may do what")
    ]
    assert mistakes(text + '[people]\nregister = "/etc/feltd/people.json"\n') == []
    assert mistakes(text.replace("commands = true", "commands = false")) == []


def test_the_embedded_broker_takes_commands_where_it_says_so(valid: str) -> None:
    text = valid.replace('"external"\nhost = "broker.floor.example"', '"embedded"\ncommands = true')
    config = parse(f'{text}[people]\nregister = "/p"\n'.encode(), "table.toml")
    assert config.broker == EmbeddedBroker(mode="embedded", port=0, keepalive_s=10, commands=True)


def test_a_register_that_cannot_be_read_from_the_file_is_not_missed_as_well(
    valid: str, mistakes: Mistakes
) -> None:
    unquoted = f"{valid}commands = true\n[people]\nregister = /etc/feltd/people.json\n"
    assert [(one.line, one.key) for one in mistakes(unquoted)] == [(41, "people.register")]
    relative = f'{valid}commands = true\n[people]\nregister = "people.json"\n'
    assert _found(mistakes(relative)) == [(41, "people.register", ABSOLUTE)]


@pytest.mark.parametrize(
    ("settings", "mistake"),
    [
        (
            "shift_manager_after_s = 60\n",
            (
                40,
                "escalation.shift_manager_after_s",
                "must be more than escalation.floor_after_s = 60 (its default); the floor hears of it first",
            ),
        ),
        (
            "floor_after_s = 301\n",
            (
                40,
                "escalation.floor_after_s",
                (
                    "must be less than escalation.shift_manager_after_s = 300 (its default);"
                    " the floor hears of it first"
                ),
            ),
        ),
        (
            "shift_manager_after_s = 119\nfloor_after_s = 120\n",
            (
                40,
                "escalation.shift_manager_after_s",
                "must be more than escalation.floor_after_s = 120 (line 41); the floor hears of it first",
            ),
        ),
    ],
)
def test_the_shift_manager_hears_of_a_hold_after_the_floor(
    valid: str, mistakes: Mistakes, settings: str, mistake: tuple[int, str, str]
) -> None:
    assert _found(mistakes(f"{valid}[escalation]\n{settings}")) == [mistake]


@pytest.mark.parametrize("given", ["3601", "true", "5 min"])
def test_a_time_that_is_not_valid_is_not_compared(valid: str, mistakes: Mistakes, given: str) -> None:
    found = mistakes(f"{valid}[escalation]\nfloor_after_s = {given}\nshift_manager_after_s = 11\n")
    assert [(one.line, one.key) for one in found] == [(40, "escalation.floor_after_s")]


def test_contradictions_about_people_are_listed_together_in_one_run(valid: str, mistakes: Mistakes) -> None:
    settings = """commands = true
[panel]
no_more_bets = "start-position"
round_end = "shoe-loaded"
[escalation]
floor_after_s = 600
[journal]
directory = "journal"
"""
    assert [(one.line, one.key) for one in mistakes(valid + settings + PANEL + SECOND_PANEL)] == [
        (39, "broker.commands"),
        (41, "panel.no_more_bets"),
        (42, "panel.round_end"),
        (44, "escalation.floor_after_s"),
        (46, "journal.directory"),
        (51, "devices.panel-2.family"),
    ]
