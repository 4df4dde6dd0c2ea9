"""Values are taken exactly as written or refused with what was given and what would be right."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from felt_daemon.config import Config, ConfigError, Device, Effective, ExternalBroker, parse
from felt_daemon.rules import chapters
from felt_protocols.link.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_daemon.config import Problem

    Mistakes = Callable[[str], list[Problem]]
    WithValue = Callable[[str, str], tuple[int, str]]
    OnlyMistake = Callable[[str, str], Problem]

ID = (
    "an id: 1 to 32 of a to z, 0 to 9 and -, beginning with a letter or a figure,"
    ' and not "floor", which the topics of the floor system need'
)
PORT = "must be a whole number from 1 to 65535"
BAUD = "must be one of 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600 (bits per second)"
SECONDS = "must be a whole number from 5 to 60 (seconds)"
TIME = "must be a local time without quotes and on a whole minute, such as 06:00:00"
TEXT = "must be text in quotes, 1 to 64 characters, without control characters or outer spaces"
ABSOLUTE = 'must be an absolute path in quotes (it begins with "/")'
SHA = "must be a SHA-256 in quotes: 64 of 0 to 9 and a to f, small letters"
ZONE = 'must be a time zone of the IANA database in quotes, such as "America/New_York"'
FAMILY = (
    'must be one of "shuffler", "continuous-shuffler", "shoe", "hole-card-reader", "progressive-station",'
    ' "shaker", "rng", "dealers-panel"; nearest: "shoe"'
)
NEAREST = '; nearest: "659a"' if len(chapters()) > 1 else ""
GAMES = ("one of " if len(chapters()) > 1 else "") + ", ".join(f'"{chapter}"' for chapter in chapters())
HOST = "must be a host name or an IP address in quotes, without a scheme or a port"
DATE = "must be a local date without quotes, year first, such as 2026-01-17"
SOCKET = "must be an absolute path in quotes, at most 107 bytes, as sockets have it"
ZERO = "a number never begins with 0, and a name made of figures stands in quotes"
NAMES = 'must be a list of account names, such as ["anna", "ben"]'


@pytest.mark.parametrize(
    ("key", "given", "text"),
    [
        ("broker.port", '"1883"', PORT),
        ("broker.port", "1883.0", PORT),
        ("broker.port", "true", PORT),
        ("broker.port", "-1", PORT),
        ("broker.port", "0", PORT),
        ("broker.port", "65536", PORT),
        ("broker.port", "0x1_0000", PORT),
        ("broker.port", "01883", f'{ZERO}: "01883"; {PORT}'),
        ("broker.keepalive_s", "4", SECONDS),
        ("broker.keepalive_s", '"10s"', SECONDS),
        ("broker.keepalive_s", "50ms", f"a number stands alone, without its unit; {SECONDS}"),
        ("broker.keepalive_s", "1.5 %", f"a number stands alone, without its unit; {SECONDS}"),
        ("broker.keepalive_s", "NO", f'NO is neither a truth value (true, false) nor text ("NO"); {SECONDS}'),
        ("broker.keepalive_s", "True", f"a truth value is true or false, in small letters; {SECONDS}"),
        ("broker.host", '"mqtt://broker"', HOST),
        ("broker.host", "broker", f'text stands in quotes: "broker"; {HOST}'),
        ("broker.mode", '"extern"', 'must be one of "external", "embedded"; nearest: "external"'),
        ("broker.mode", "1", 'must be one of "external", "embedded"'),
        ("table.id", "10", f"must be {ID}"),
        ("table.id", '"floor"', f"must be {ID}"),
        ("table.id", '"Asia-1"', f"must be {ID}"),
        ("table.id", '"-a"', f"must be {ID}"),
        ("table.id", '"a\\n"', f"must be {ID}"),
        ("table.id", '"abcdefghijklmnopqrstuvwxyz0123456"', f"must be {ID}"),
        ("table.name", '""', TEXT),
        ("table.name", '"a\\u001b[31m"', TEXT),
        ("table.name", "7", TEXT),
        ("table.game", '"659A"', f"must be {GAMES}{NEAREST}"),
        ("table.game", "659", 'must be the name of a rule pack in quotes, such as "659a"'),
        ("table.time_zone", '"America/NewYork"', f'{ZONE}; nearest: "America/New_York"'),
        ("table.time_zone", '"../../etc/passwd"', ZONE),
        ("table.gaming_day_start", "06:00", f"a time of day has seconds: 06:00:00; {TIME}"),
        ("table.gaming_day_start", "6:30", f"a time of day has seconds: 06:30:00; {TIME}"),
        ("table.gaming_day_start", '"06:00:00"', TIME),
        ("table.gaming_day_start", "360", TIME),
        ("table.gaming_day_start", "06:00:01", TIME),
        ("table.gaming_day_start", "2026-01-17T06:00:00", TIME),
        ("rules_submission.date", '"2026-01-17"', DATE),
        ("rules_submission.date", "2026-01-17T00:00:00", DATE),
        ("devices.shoe-1.family", '"shoo"', FAMILY),
        ("devices.shoe-1.link", '"sas"', 'must be "felt-link"'),
        ("devices.shoe-1.port", '"ttyUSB0"', ABSOLUTE),
        ("devices.shoe-1.port", "/dev/ttyUSB0", f'text stands in quotes: "/dev/ttyUSB0"; {ABSOLUTE}'),
        ("devices.shoe-1.baud", "96000", BAUD),
        ("devices.shoe-1.baud", "57600.0", BAUD),
        ("devices.shoe-1.baud", '"57600"', BAUD),
        ("devices.shoe-1.serial", "510210600", TEXT),
        ("devices.shoe-1.serial", "0510210600", f'{ZERO}: "0510210600"; {TEXT}'),
        ("devices.shoe-1.digest", '"ABC"', SHA),
        ("decks.red.back", '"Red"', 'must be a colour in quotes and small letters, such as "red"'),
        ("journal.directory", '"journal"', ABSOLUTE),
        ("control.socket", f'"/{"a" * 107}"', SOCKET),
        ("elections.decks", '"2"', "must be one of 1, 2"),
        ("elections.decks", "2.0", "must be one of 1, 2"),
        ("elections.decks", "true", "must be one of 1, 2"),
        ("elections.start", '"dice"', 'must be one of "shaker", "generator", "button"'),
    ],
)  # fmt: skip
def test_a_value_that_is_not_valid_is_refused_as_it_was_written(
    with_value: WithValue, mistakes: Mistakes, key: str, given: str, text: str
) -> None:
    line, spoiled = with_value(key, f"{given}  # a note")
    found = {one.key: one for one in mistakes(spoiled)}
    assert (found[key].line, found[key].text) == (line, text)
    assert found[key].value == (given if len(given) <= 60 else given[:57] + "...")


def test_a_folder_of_the_time_zone_database_is_no_time_zone(only_mistake: OnlyMistake) -> None:
    problem = only_mistake('"America/New_York"', '"America"')
    assert (problem.line, problem.key, problem.value) == (5, "table.time_zone", '"America"')
    assert problem.text.startswith(f'{ZONE}; nearest: "America/')


def test_an_account_name_that_is_no_text_is_refused(valid: str, mistakes: Mistakes) -> None:
    (problem,) = mistakes(valid + '[control.roles.floor]\nusers = [\n  "anna",\n  1000,\n]\n')
    assert (problem.line, problem.key, problem.value) == (42, "control.roles.floor.users[1]", "1000")
    assert problem.text == NAMES


def test_a_role_that_does_not_exist_is_refused(valid: str, mistakes: Mistakes) -> None:
    (problem,) = mistakes(valid + '[control.roles.floorr]\nusers = ["anna"]\n')
    assert (problem.line, problem.key) == (39, "control.roles.floorr")
    assert problem.text == (
        'unknown role; must be one of dealer, floor, tech, finance, floor-system; nearest: "floor"'
    )


def test_a_table_in_place_of_a_value_and_a_value_in_place_of_a_table_are_refused(
    valid: str, mistakes: Mistakes
) -> None:
    (one,) = mistakes(valid.replace('game = "659a"', "game = { chapter = 1 }"))
    assert (one.line, one.key, one.text) == (
        4,
        "table.game",
        'must be the name of a rule pack in quotes, such as "659a"',
    )
    (two,) = mistakes("journal = 3\n" + valid)
    assert (two.line, two.key, two.text) == (1, "journal", "must be a table: [journal]")


def test_a_device_without_a_valid_name_is_refused(only_mistake: OnlyMistake) -> None:
    problem = only_mistake("[devices.shoe-1]", '[devices."Shoe 1"]')
    assert (problem.line, problem.key) == (21, 'devices."Shoe 1"')
    assert problem.text == f"the name must be {ID}"


@pytest.mark.parametrize(
    ("change", "mistake"),
    [
        (
            ("/dev/ttyS1", "/dev//./ttyS0"),
            (23, "devices.shoe-1.port", "[devices.shuffler-1] (line 19) has this port already"),
        ),
        (
            ('back = "blue"', 'back = "red"'),
            (
                34,
                "decks.blue.back",
                (
                    "[decks.red] (line 31) has this back colour (what alternates in and out of play"
                    " differs) already"
                ),
            ),
        ),
        (
            ("[decks.red]", '[decks.green]\nback = "green"\n[decks.red]'),
            (
                13,
                "elections.decks",
                (
                    "2 elected and [decks] has 3 (green, red, blue);"
                    " give one table, such as [decks.red], for each deck or batch of decks in use"
                ),
            ),
        ),
        (
            ('[devices.shaker-1]\nfamily = "shaker"', '[devices.shaker-1]\nfamily = "shoe"'),
            (
                15,
                "elections.start",
                'needs a device with family = "shaker", and there is none under [devices]',
            ),
        ),
        (
            ('[devices.shoe-1]\nfamily = "shoe"', '[devices.shoe-1]\nfamily = "shaker"'),
            (14, "elections.deal", 'needs a device with family = "shoe", and there is none under [devices]'),
        ),
        (
            ('mode = "external"', 'mode = "external"\npassword_file = "/etc/feltd/password"'),
            (38, "broker.password_file", "needs broker.user, whose password it is"),
        ),
    ],
)
def test_settings_that_contradict_each_other_are_refused(
    only_mistake: OnlyMistake, change: tuple[str, str], mistake: tuple[int, str, str]
) -> None:
    problem = only_mistake(*change)
    assert (problem.line, problem.key, problem.text) == mistake


def test_a_table_without_a_shuffler_has_one_deck_that_the_dealer_shuffles(
    valid: str, mistakes: Mistakes
) -> None:
    text = valid.replace('family = "shuffler"', 'family = "shaker"')
    words = 'needs a device with family = "shuffler", and there is none under [devices]'
    assert {(one.key, one.text) for one in mistakes(text)} == {
        ("elections.decks", words),
        ("elections.shuffle", f'its default, "device", {words}'),
    }
    by_hand = text.replace("decks = 2\n", 'decks = 1\nshuffle = "hand"\n')
    assert mistakes(by_hand.replace('[decks.blue]\nback = "blue"\n', "")) == []


def test_cards_are_dealt_from_the_hand_only_where_a_device_shuffles_them(
    valid: str, mistakes: Mistakes
) -> None:
    text = valid.replace('deal = "automated-shoe"', 'deal = "hand"\nshuffle = "hand"')
    found = [one for one in mistakes(text) if one.text.endswith("a device shuffles them (659a.9(a)(1))")]
    assert {one.key for one in found} == {"elections.shuffle", "elections.deal"}


def test_two_devices_with_one_serial_number_are_refused(valid: str, mistakes: Mistakes) -> None:
    text = valid.replace('family = "shoe"', 'family = "shoe"\nserial = "0510"')
    (problem,) = mistakes(text.replace('family = "shaker"', 'family = "shaker"\nserial = "0510"'))
    assert (problem.line, problem.key) == (29, "devices.shaker-1.serial")
    assert problem.text == "[devices.shoe-1] (line 23) has this serial number already"


def test_valid_values_are_taken_exactly_as_written(valid: str) -> None:
    config = parse(valid.encode(), "table.toml")
    assert config.table.id == "asia-1"
    assert config.table.name == "Tisch 7 \u2013 Müller"
    assert config.table.gaming_day_start == dt.time(6, 0)
    assert config.table.zone.key == "America/New_York"
    assert config.rules_submission.date == dt.date(2026, 1, 17)
    assert config.elections == {
        "decks": 2,
        "deal": "automated-shoe",
        "start": "shaker",
        "shuffle": "device",
        "self_reshuffling": "no",
    }
    assert config.devices["shoe-1"].baud == 57600
    assert config.devices["shuffler-1"].baud == 115200
    assert config.devices["shuffler-1"].port == Path("/dev/ttyS0")
    assert list(config.devices_of("shoe")) == ["shoe-1"]
    assert [deck.back for deck in config.decks.values()] == ["red", "blue"]
    assert config.journal.directory == Path("/var/lib/feltd")
    assert config.broker == ExternalBroker(
        mode="external", host="broker.floor.example", port=1883, keepalive_s=10
    )
    assert config.control.socket == Path("/run/feltd/control")
    assert config.control.roles == {}


TLS = """[broker.tls]
authority = "/etc/feltd/tls/authority.pem"
certificate = "/etc/feltd/tls/asia-1.pem"
key = "/etc/feltd/tls/asia-1.key"
"""


@pytest.mark.parametrize(
    ("given", "holds", "origin"),
    [
        ("", 1883, "default"),
        (TLS, 8883, "default"),
        ("port = 1883\n" + TLS, 1883, "table.toml:39"),
        ("port = 18883\n" + TLS, 18883, "table.toml:39"),
        ("port = 8883\n", 8883, "table.toml:39"),
    ],
    ids=["plain", "tls", "tls at 1883", "tls at 18883", "plain at 8883"],
)
def test_the_port_is_the_given_one_or_the_usual_one_of_how_the_broker_speaks(
    valid: str, given: str, holds: int, origin: str
) -> None:
    config = parse((valid + given).encode(), "table.toml")
    assert isinstance(config.broker, ExternalBroker)
    assert config.broker.port == holds
    assert Effective("broker.port", str(holds), origin) in config.effective()
    again = Config.recalled(config.text)
    assert (again.broker, again.digest) == (config.broker, config.digest)


def test_a_usual_port_that_is_written_out_makes_no_other_configuration(valid: str) -> None:
    silent = parse((valid + TLS).encode(), "table.toml")
    assert parse((valid + "port = 8883\n" + TLS).encode(), "table.toml").digest == silent.digest
    assert parse((valid + "port = 1883\n" + TLS).encode(), "table.toml").digest != silent.digest


def test_a_wrong_port_beside_tls_is_one_mistake(valid: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse((valid + 'port = "8883"\n' + TLS).encode(), "table.toml")
    assert [(one.line, one.key) for one in refused.value.problems] == [(39, "broker.port")]


def test_an_id_made_of_figures_keeps_its_leading_zeros(valid: str) -> None:
    text = valid.replace('id = "asia-1"', 'id = "010"').replace("baud = 57600", 'serial = "0510210600"')
    config = parse(text.encode(), "table.toml")
    assert (config.table.id, config.devices["shoe-1"].serial) == ("010", "0510210600")


def test_an_election_left_to_its_default_is_held_against_the_rest_of_the_file(
    valid: str, mistakes: Mistakes
) -> None:
    text = valid.replace("decks = 2\n", "").replace('deal = "automated-shoe"\n', "")
    text = text.replace('[decks.blue]\nback = "blue"\n', "").replace('family = "shoe"', 'family = "shaker"')
    found = [(one.line, one.key, one.text) for one in mistakes(text)]
    assert found == [
        (
            12,
            "elections.deal",
            (
                'its default, "automated-shoe", needs a device with family = "shoe", and there is none under'
                " [devices]"
            ),
        ),
        (
            12,
            "elections.decks",
            (
                "2 by default and [decks] has 1 (red);"
                " give one table, such as [decks.red], for each deck or batch of decks in use"
            ),
        ),
    ]


def test_one_deck_may_be_elected_and_needs_no_second(valid: str, mistakes: Mistakes) -> None:
    text = valid.replace("decks = 2", "decks = 1").replace('[decks.blue]\nback = "blue"\n', "")
    assert mistakes(text) == []


@pytest.mark.parametrize("chapter", chapters())
def test_every_chapter_with_a_rule_pack_may_be_configured(
    valid: str, mistakes: Mistakes, chapter: str
) -> None:
    found = mistakes(valid.replace('"659a"', f'"{chapter}"'))
    assert "table.game" not in {one.key for one in found}


def test_every_family_speaks_felt_link() -> None:
    assert set(get_args(Device.model_fields["family"].annotation)) <= set(FAMILIES)
