"""The picture of a table: what panels, people and retained topics are told of it."""

from __future__ import annotations

import json
from typing import Any

from felt_daemon.rules import Pack
from felt_daemon.table import picture
from felt_daemon.table.changes import changed
from felt_protocols.events import card, deck, device, draw

from .felt import PACK, Felt


def shown(felt: Felt, pack: Pack = PACK) -> dict[str, dict[str, Any]]:
    """The picture as it goes out."""
    whole = picture(pack, felt.state)
    assert json.loads(json.dumps(whole)) == whole
    return whole


def test_a_table_that_has_heard_nothing_is_shown(felt: Felt) -> None:
    whole = shown(felt)
    assert set(whole) == {"state", "device/shuffler-1", "device/shoe-1", "device/shaker-1"}
    assert whole["state"] == {
        "table": "t-1",
        "game": "659a",
        "sequence": 0,
        "state": "closed",
        "closing": False,
        "round": None,
        "rounds": 0,
        "decks": {
            name: {
                "back": name,
                "present": False,
                "places": {"withdrawn": 53},
                "total": 53,
                "shuffled": False,
                "count": "not verified",
                "composition": "not verified",
                "identity": "not proved",
                "last_round": 0,
                "prepared": [],
            }
            for name in ("red", "blue")
        },
        "devices": {"shuffler-1": "awaiting", "shoe-1": "awaiting", "shaker-1": "awaiting"},
        "due": [],
        "aside": {},
        "holds": [],
        "incidents": [],
        "directives": [],
        "interlocks": [
            {
                "gate": "shuffle",
                "device": "shuffler-1",
                "for": None,
                "granted": False,
                "inhibited": None,
                "waits_for": [
                    "shuffler-1 is awaiting",
                    "shoe-1 is awaiting",
                    "shaker-1 is awaiting",
                    "no deck is known to be in the shuffler",
                ],
            },
            {
                "gate": "deal",
                "device": "shoe-1",
                "for": None,
                "granted": False,
                "inhibited": None,
                "waits_for": [
                    "shoe-1 is awaiting",
                    "shuffler-1 is awaiting",
                    "shaker-1 is awaiting",
                    "no deck is in the shoe",
                    "the deck in the shoe has not been shuffled",
                    "the starting position is not determined",
                    "no round waits for its cards",
                ],
            },
        ],
        "method": {"shuffle": "device", "deal": "automated-shoe", "start": "shaker"},
        "dealer": None,
        "floor_called": None,
        "timers": {},
    }
    assert whole["device/shoe-1"] == {
        "device": "shoe-1",
        "family": "shoe",
        "link": "awaiting",
        "model": None,
        "serial": None,
        "firmware": None,
        "digest": None,
        "boot": None,
        "jam": None,
        "faults": {},
        "door_open": False,
        "light": None,
        "service": None,
        "retired": False,
        "sign": None,
        "inspected": None,
        "sequence": 0,
    }


def test_a_round_is_shown_with_its_cards_and_what_is_left_of_them(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.deal()
    opened.tell(card.ShoeUnloaded(device="shoe-1", count=4))
    assert shown(opened)["state"]["round"] == {
        "number": 1,
        "phase": "playing",
        "void": None,
        "bets_closed": True,
        "shakes": 3,
        "dice_total": 6,
        "start_seat": 2,
        "deck": "red",
        "stacks": 7,
        "cards": 49,
        "cards_due": None,
        "seats": None,
        "next": None,
        "noted": {},
        "left": 4,
        "notices": [],
    }
    assert shown(opened)["state"]["timers"]["dice-age/shaker-1"] == {
        "since": {"utc_us": 8000000, "trusted": True, "mono_ns": 8000000000, "boot": "boot-1"},
        "after_s": 86400,
        "unknown": False,
    }


def test_a_hold_is_shown_with_its_cause_its_remedy_and_what_was_dealt_meanwhile(opened: Felt) -> None:
    opened.ready_to_deal()
    since = len(opened.rows) + 1
    opened.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    opened.deal(7)
    whole = shown(opened)
    hold = whole["hold/1"]
    assert hold == {
        "hold": 1,
        "incident": 1,
        "row": "shuffler-jam",
        "cite": ["659a.13(l)"],
        "basis": "regulation",
        "says": "The shuffler jammed, stopped in a shuffle or did not complete its cycle: "
        "the cards are reshuffled.",
        "subject": "deck",
        "subject_id": "blue",
        "gates": ["deal"],
        "stops": "shuffler-1",
        "cause": "there",
        "until": "the deck is shuffled again and has 53 cards",
        "owner": None,
        "asked": None,
        "locks": True,
        "seen_by_dealer": False,
        "override": "one",
        "since": {
            "utc_us": since * 1_000_000,
            "trusted": True,
            "mono_ns": since * 1_000_000_000,
            "boot": "boot-1",
        },
        "rounds": 1,
        "hands": 6,
        "sequence": opened.state.seq,
    }
    assert set(whole) >= {"hold/1", "hold/2"}
    assert whole["state"]["holds"] == [
        {key: value for key, value in whole[name].items() if key != "sequence"}
        for name in ("hold/1", "hold/2")
    ]
    assert whole["device/shuffler-1"]["jam"] == "drum"


def test_directives_of_open_incidents_come_in_the_order_of_their_row_with_their_citation(
    opened: Felt,
) -> None:
    opened.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    opened.tell(draw.ShakerLeftUnattended(device="shaker-1", seconds=30))
    told = shown(opened)["state"]["directives"]
    assert [(one["do"], one["row"], one["cite"], one["incident"]) for one in told] == [
        ("clear-jam", "shuffler-jam", ["659a.13(l)"], 1),
        ("count-deck", "shuffler-jam", ["659a.13(l)"], 1),
        ("reshuffle", "shuffler-jam", ["659a.13(l)"], 1),
        ("stay-with-shaker", "shaker-unattended", ["659a.2(c)(1)"], 2),
        ("call-floor", "shaker-unattended", ["659a.2(c)(1)"], 2),
    ]
    assert told[2]["says"] == "Reshuffle the cards."
    whole = shown(opened)["state"]
    assert whole["round"]["notices"] == [
        {
            "row": "shaker-unattended",
            "cite": ["659a.2(c)(1)"],
            "incident": 2,
            "says": "The shaker is at the table and nobody is with it.",
        }
    ]


def test_an_interlock_says_whether_it_was_granted_and_who_stopped_the_device(opened: Felt) -> None:
    opened.ready_to_deal()
    interlocks = shown(opened)["state"]["interlocks"]
    assert interlocks[1] == {
        "gate": "deal",
        "device": "shoe-1",
        "for": "1",
        "granted": True,
        "inhibited": None,
        "waits_for": [],
    }
    opened.tell(card.ShoeJammed(device="shoe-1"))
    interlocks = shown(opened)["state"]["interlocks"]
    assert interlocks[1]["inhibited"] == "shoe-jam"


def test_a_table_of_an_older_pack_is_shown_although_its_rows_are_gone(opened: Felt) -> None:
    opened.ready_to_deal()
    opened.tell(
        draw.ShakerLeftUnattended(device="shaker-1", seconds=30),
        device.DeviceFaulted(device="shoe-1", code="motor"),
        deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"),
    )
    fields = {name: getattr(PACK, name) for name in Pack.model_fields}
    newer = Pack.model_construct(None, **{**fields, "rules": (), "directives": {}})
    whole = shown(opened, newer)["state"]
    assert [(one["row"], one["says"], one["basis"]) for one in whole["holds"]] == [
        ("device-unusable", "", "own"),
        ("shuffler-jam", "", "own"),
        ("shuffler-jam", "", "own"),
    ]
    assert {one["says"] for one in whole["directives"]} == {""}
    # What a row that is gone would close, nobody knows any more; whom it stops, the hold itself says.
    assert [(one["gate"], one["waits_for"]) for one in whole["interlocks"]] == [
        ("shuffle", ["hold 2 (shuffler-jam): the deck is shuffled again and has 53 cards"]),
        ("deal", []),
    ]


def test_a_hold_of_an_incident_that_nobody_knows_is_shown_without_a_citation(opened: Felt) -> None:
    opened.tell(deck.ShuffleInterrupted(device="shuffler-1", batch=2, why="jam", where="drum"))
    opened.table.state = changed(opened.state, incidents={})
    assert shown(opened)["hold/1"]["cite"] == []
