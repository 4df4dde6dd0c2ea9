"""The closed tables of Felt Link's families: what may be said, and what is refused."""

from __future__ import annotations

import pytest

from felt_protocols.link.families import (
    CARDS,
    FAMILIES,
    SAFE_ORDERS,
    check,
    check_order,
    leaks,
)

# Family, event, fields: each event of each family at least once, with all that it may say.
EVENTS: list[tuple[str, str, dict[str, object]]] = [
    ("shuffler", "loaded", {"batch": 1, "count": 53}),
    ("shuffler", "started", {"batch": 1}),
    ("shuffler", "completed", {"batch": 1, "mode": "shuffle"}),
    (
        "shuffler",
        "completed",
        {"batch": 1, "mode": "sort", "count": 3, "composition": {"blue": {"AC": 1, "JK": 2}}},
    ),
    ("shuffler", "interrupted", {"batch": 1, "why": "jam", "where": "output"}),
    ("shuffler", "interrupted", {"batch": 1, "why": "stopped", "where": "elevator"}),
    ("shuffler", "interrupted", {"batch": 1, "why": "incomplete", "where": "input"}),
    ("shuffler", "cleared", {"where": "output"}),
    ("shuffler", "cleared", {"where": "output", "code": "E-17.2"}),
    ("shuffler", "unloaded", {"batch": 1, "count": 53}),
    ("shuffler", "inside", {"count": 0}),
    ("shuffler", "door", {"open": True}),
    ("shuffler", "light", {"colour": "red"}),
    ("shuffler", "fault", {"code": "E17", "where": "motor"}),
    ("shuffler", "lost", {"first": 65, "last": 70}),
    ("shoe", "loaded", {"count": 53}),
    ("shoe", "card", {"face_up": True, "rank": "T", "suit": "H", "back": "red"}),
    ("shoe", "card", {"face_up": False}),
    ("shoe", "card", {"face_up": False, "shown": True, "rank": "K", "suit": "S", "back": "red"}),
    ("shoe", "stack", {"size": 7}),
    ("shoe", "cover_card", {}),
    ("shoe", "jam", {"where": "mouth"}),
    ("shoe", "cleared", {"where": "mouth"}),
    ("shoe", "stopped", {}),
    ("shoe", "empty", {}),
    ("shoe", "removed", {"count": 4}),
    ("shoe", "door", {"open": False}),
    ("shoe", "fault", {"code": "3", "where": "roller"}),
    ("shoe", "lost", {"first": 1, "last": 1}),
    ("continuous-shuffler", "loaded", {"count": 14}),
    ("continuous-shuffler", "card", {"face_up": False, "shown": True, "rank": "9", "suit": "D"}),
    ("continuous-shuffler", "card", {"face_up": True, "rank": "Q", "suit": "H", "back": "red"}),
    ("continuous-shuffler", "inside", {"count": 312}),
    ("continuous-shuffler", "interrupted", {"why": "jam", "where": "feeder"}),
    ("continuous-shuffler", "interrupted", {"why": "incomplete", "where": "wheel"}),
    ("continuous-shuffler", "jam", {"where": "mouth"}),
    ("continuous-shuffler", "stopped", {}),
    ("continuous-shuffler", "empty", {}),
    ("continuous-shuffler", "removed", {"count": 312}),
    ("continuous-shuffler", "door", {"open": True}),
    ("continuous-shuffler", "light", {"colour": "red"}),
    ("continuous-shuffler", "fault", {"code": "E4", "where": "wheel"}),
    ("continuous-shuffler", "cleared", {"where": "feeder"}),
    ("continuous-shuffler", "lost", {"first": 1, "last": 2}),
    ("hole-card-reader", "inserted", {}),
    ("hole-card-reader", "result", {"blackjack": True}),
    ("hole-card-reader", "unreadable", {"why": "upside-down"}),
    ("hole-card-reader", "removed", {}),
    ("hole-card-reader", "tamper", {"open": True}),
    ("hole-card-reader", "fault", {"code": "1"}),
    ("hole-card-reader", "cleared", {"code": "1", "where": "lens"}),
    ("hole-card-reader", "lost", {"first": 1, "last": 2}),
    ("progressive-station", "bet", {"seat": 1, "present": True}),
    ("progressive-station", "start_game", {}),
    ("progressive-station", "locked", {"seats": [1, 3, 7]}),
    ("progressive-station", "late_bet", {"seat": 2}),
    ("progressive-station", "bet_removed", {"seat": 2}),
    ("progressive-station", "hand", {"seat": 2, "rank": "flush"}),
    ("progressive-station", "key", {"which": "reset", "on": True}),
    ("progressive-station", "fault", {"code": "1", "where": "seat-4"}),
    ("progressive-station", "cleared", {"code": "1"}),
    ("progressive-station", "lost", {"first": 1, "last": 2}),
    ("shaker", "shaken", {"quality": 80}),
    ("shaker", "shaken", {}),
    ("shaker", "uncovered", {}),
    ("shaker", "dice", {"faces": [1, 6, 0], "flat": True, "inside": False}),
    ("shaker", "covered", {}),
    ("shaker", "shaken", {"quality": 0}),
    ("shaker", "shaken", {"quality": 100}),
    ("shaker", "unattended", {"seconds": 0}),
    ("shaker", "unattended", {"seconds": 86400}),
    ("progressive-station", "locked", {"seats": []}),
    ("progressive-station", "locked", {"seats": [15] * 15}),
    ("shaker", "fault", {"code": "1"}),
    ("shaker", "cleared", {"code": "1"}),
    ("shaker", "lost", {"first": 1, "last": 2}),
    ("rng", "drawn", {"number": 7, "draw": 12}),
    ("rng", "health", {"state": "failed", "test": "repetition"}),
    ("rng", "fault", {"code": "1"}),
    ("rng", "cleared", {"code": "1"}),
    ("rng", "lost", {"first": 1, "last": 2}),
    ("dealers-panel", "no_more_bets", {}),
    ("dealers-panel", "round_end", {}),
    ("dealers-panel", "new_dealer", {}),
    ("dealers-panel", "call_floor", {}),
    ("dealers-panel", "acknowledge", {}),
    ("dealers-panel", "report", {"what": "cards-exposed"}),
    ("dealers-panel", "fault", {"code": "1"}),
    ("dealers-panel", "cleared", {"code": "1"}),
    ("dealers-panel", "lost", {"first": 1, "last": 2}),
]

ORDERS: list[tuple[str, str, dict[str, object]]] = [
    ("shuffler", "inhibit", {"why": "jam", "when": "now"}),
    ("shuffler", "permit", {"cycle": 3, "batch": 1}),
    ("shuffler", "selftest", {}),
    ("shoe", "inhibit", {"why": "wrong-count", "when": "after-round"}),
    ("shoe", "permit", {"round": 9, "stacks": 7, "size": 7}),
    ("continuous-shuffler", "inhibit", {"why": "count", "when": "now"}),
    ("continuous-shuffler", "permit", {"round": 9}),
    ("continuous-shuffler", "selftest", {}),
    ("hole-card-reader", "inhibit", {"why": "jam", "when": "now"}),
    ("hole-card-reader", "permit", {}),
    ("hole-card-reader", "selftest", {}),
    ("progressive-station", "lock", {}),
    ("progressive-station", "unlock", {}),
    ("progressive-station", "lamp", {"seat": 3, "pattern": "slow"}),
    ("progressive-station", "show", {"meter": "main", "cents": 1234567}),
    ("shaker", "inhibit", {"why": "jam", "when": "now"}),
    ("shaker", "permit", {}),
    ("rng", "draw", {"draw": 12}),
    ("rng", "selftest", {}),
    ("dealers-panel", "text", {"lines": ["Call the floor", "Stapel nachz\u00e4hlen"]}),
    ("dealers-panel", "lamp", {"which": "hold", "pattern": "on"}),
]


@pytest.mark.parametrize(("family", "name", "fields"), EVENTS)
def test_an_event_of_the_table_is_one(family: str, name: str, fields: dict[str, object]) -> None:
    assert check(family, name, fields) is None


@pytest.mark.parametrize(("family", "name", "fields"), ORDERS)
def test_an_order_of_the_table_is_one(family: str, name: str, fields: dict[str, object]) -> None:
    assert check_order(family, name, fields) is None


def test_there_are_no_events_and_orders_but_these() -> None:
    events = {(family, name) for family, table in FAMILIES.items() for name in table.events}
    orders = {(family, name) for family, table in FAMILIES.items() for name in table.orders}
    assert events == {(family, name) for family, name, _ in EVENTS}
    assert orders == {(family, name) for family, name, _ in ORDERS}


@pytest.mark.parametrize(("family", "name", "fields"), [*EVENTS, *ORDERS])
def test_a_key_more_is_refused_and_not_quoted(family: str, name: str, fields: dict[str, object]) -> None:
    judge = check if (family, name, fields) in EVENTS else check_order
    assert judge(family, name, {**fields, "zzz": 1}) == f"{name} has a key of its own"


@pytest.mark.parametrize(("family", "name", "fields"), [*EVENTS, *ORDERS])
def test_a_value_of_no_type_at_all_is_refused(family: str, name: str, fields: dict[str, object]) -> None:
    judge = check if (family, name, fields) in EVENTS else check_order
    for key in fields:
        why = judge(family, name, {**fields, key: object()})
        assert why is not None
        assert why.startswith(f"{key} of {name} is not ")


@pytest.mark.parametrize(
    ("family", "name", "fields", "why"),
    [
        ("shuffler", "opened", {}, "no such event"),
        ("shuffler", "dice", {}, "no such event"),
        ("shuffler", "loaded", {}, "loaded has no batch"),
        ("shuffler", "loaded", {"batch": -1}, "batch of loaded is not a whole number, 0 to 2^63-1"),
        ("shuffler", "loaded", {"batch": 2**63}, "batch of loaded is not a whole number, 0 to 2^63-1"),
        ("shuffler", "loaded", {"batch": True}, "batch of loaded is not a whole number, 0 to 2^63-1"),
        (
            "shuffler",
            "loaded",
            {"batch": 1, "count": 1025},
            "count of loaded is not a whole number, 0 to 1024",
        ),
        (
            "shuffler",
            "completed",
            {"batch": 1, "mode": "riffle"},
            "mode of completed is not shuffle or sort",
        ),
        (
            "shuffler",
            "interrupted",
            {"batch": 1, "why": "bored", "where": "output"},
            "why of interrupted is not jam or stopped or incomplete",
        ),
        ("shuffler", "interrupted", {"batch": 1, "why": "jam"}, "interrupted has no where"),
        ("shuffler", "cleared", {"code": "1"}, "cleared has no where"),
        ("shuffler", "fault", {"code": "1"}, "fault has no where"),
        (
            "shuffler",
            "fault",
            {"code": "-1", "where": "x"},
            "code of fault is not a token",
        ),
        (
            "shuffler",
            "door",
            {"open": 1},
            "open of door is not true or false",
        ),
        (
            "shoe",
            "card",
            {"face_up": True, "rank": "10"},
            "rank of card is not A or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9 or T or J or Q or K or JK",
        ),
        (
            "shoe",
            "card",
            {"face_up": True, "suit": "h"},
            "suit of card is not C or D or H or S",
        ),
        ("shoe", "card", {"face_up": False, "shown": 1}, "shown of card is not true or false"),
        (
            "continuous-shuffler",
            "interrupted",
            {"why": "jam", "where": "feeder", "batch": 1},
            "interrupted has a key of its own",
        ),
        ("continuous-shuffler", "inside", {}, "inside has no count"),
        ("shoe", "stack", {"size": 65}, "size of stack is not a whole number, 0 to 64"),
        ("shaker", "dice", {"faces": [1, 2, 3], "flat": True}, "dice has no inside"),
        (
            "shaker",
            "dice",
            {"faces": [1, 2], "flat": True, "inside": True},
            "faces of dice is not an array of 3, each a whole number, 0 to 6",
        ),
        (
            "shaker",
            "dice",
            {"faces": [1, 2, 7], "flat": True, "inside": True},
            "faces of dice is not an array of 3, each a whole number, 0 to 6",
        ),
        ("shaker", "unattended", {"seconds": -1}, "seconds of unattended is not a whole number, 0 to 86400"),
        (
            "shaker",
            "unattended",
            {"seconds": 86401},
            "seconds of unattended is not a whole number, 0 to 86400",
        ),
        ("shaker", "shaken", {"quality": -1}, "quality of shaken is not a whole number, 0 to 100"),
        ("shaker", "shaken", {"quality": 101}, "quality of shaken is not a whole number, 0 to 100"),
        ("progressive-station", "late_bet", {"seat": 16}, "seat of late_bet is not a whole number, 1 to 15"),
        (
            "progressive-station",
            "locked",
            {"seats": [1] * 16},
            "seats of locked is not an array of 0 to 15, each a whole number, 1 to 15",
        ),
        (
            "hole-card-reader",
            "result",
            {"blackjack": True, "rank": "K"},
            "result has a key of its own",
        ),
        ("hole-card-reader", "result", {"blackjack": 1}, "blackjack of result is not true or false"),
        ("rng", "drawn", {"number": 8, "draw": 1}, "number of drawn is not a whole number, 1 to 7"),
        ("rng", "drawn", {"number": 0, "draw": 1}, "number of drawn is not a whole number, 1 to 7"),
        (
            "progressive-station",
            "bet",
            {"seat": 0, "present": True},
            "seat of bet is not a whole number, 1 to 15",
        ),
    ],
)
def test_an_event_that_is_none_has_its_reason(
    family: str, name: str, fields: dict[str, object], why: str
) -> None:
    assert check(family, name, fields) == why


@pytest.mark.parametrize(
    ("family", "name", "fields", "why"),
    [
        ("shuffler", "lamp", {"which": "red", "pattern": "on"}, "no such order"),
        ("shoe", "permit", {"round": 1, "stacks": 0}, "stacks of permit is not a whole number, 1 to 16"),
        ("shoe", "permit", {"round": 1, "size": 17}, "size of permit is not a whole number, 1 to 16"),
        ("shoe", "permit", {}, "permit has no round"),
        ("continuous-shuffler", "permit", {"round": 1, "stacks": 3}, "permit has a key of its own"),
        (
            "shoe",
            "inhibit",
            {"why": "jam", "when": "later"},
            "when of inhibit is not now or after-round",
        ),
        (
            "dealers-panel",
            "text",
            {"lines": ["x" * 41]},
            "lines of text is not an array of 0 to 8, each 1 to 40 printable characters",
        ),
        ("dealers-panel", "text", {}, "text has no lines"),
        (
            "progressive-station",
            "lamp",
            {"seat": 3, "pattern": "blinking"},
            "pattern of lamp is not off or on or slow or fast",
        ),
        ("progressive-station", "show", {"meter": "main"}, "show has no cents"),
        ("progressive-station", "inhibit", {"why": "jam", "when": "now"}, "no such order"),
        ("hole-card-reader", "permit", {"round": 1}, "permit has a key of its own"),
        ("rng", "draw", {"draw": -1}, "draw of draw is not a whole number, 0 to 2^63-1"),
        (
            "dealers-panel",
            "lamp",
            {"which": "red", "pattern": "on"},
            "which of lamp is not call or hold or deal",
        ),
        (
            "dealers-panel",
            "lamp",
            {"which": "call", "pattern": "blinking"},
            "pattern of lamp is not off or on or slow or fast",
        ),
        ("dealers-panel", "inhibit", {"why": "jam", "when": "now"}, "no such order"),
    ],
)
def test_an_order_that_is_none_has_its_reason(
    family: str, name: str, fields: dict[str, object], why: str
) -> None:
    assert check_order(family, name, fields) == why


def test_an_unknown_family_is_a_bug() -> None:
    with pytest.raises(KeyError):
        check("roulette", "loaded", {})
    with pytest.raises(KeyError):
        check_order("roulette", "permit", {})


def test_there_are_53_cards() -> None:
    assert len(set(CARDS)) == 53
    assert {"AC", "TD", "9H", "KS", "JK"} < set(CARDS)


@pytest.mark.parametrize(
    "composition",
    [
        {"blue": {"AC": 0}},
        {"blue": {"AC": 17}},
        {"blue": {"AC": True}},
        {"blue": {"1C": 1}},
        {"blue": {"AC": {}}},
        {"blue": 53},
        {"Blue": {"AC": 1}},
    ],
)
def test_a_composition_counts_cards_by_back(composition: dict[str, object]) -> None:
    fields = {"batch": 1, "mode": "shuffle", "composition": composition}
    why = check("shuffler", "completed", fields)
    assert why is not None
    assert why.startswith("composition of completed is not a map; each key a word")
    assert not leaks("shuffler", fields)


LEAKS: list[dict[str, object]] = [
    {"batch": 1, "composition": ["AC", "2C"]},
    {"batch": 1, "composition": "AC2C3C"},
    {"batch": 1, "composition": b"\x01\x02\x03"},
    {"batch": 1, "composition": 12345678901234567890},
    {"batch": 1, "composition": {"blue": ["AC", "2C"]}},
    {"batch": 1, "composition": {"blue": {"AC": [1, 2]}}},
    {"batch": 1, "composition": {"blue": b"\x01\x02"}},
    {"order": 1},
    {"cards": "AC 2C"},
    {"sequence": {}},
    {"permutation": 17},
    {"positions": {"AC": 1}},
    {"whatever": [1]},
    {"whatever": b""},
    {"whatever": {"deeper": [1]}},
]


@pytest.mark.parametrize("fields", LEAKS)
@pytest.mark.parametrize("family", ["shuffler", "shoe", "continuous-shuffler"])
def test_whatever_could_be_the_order_of_undealt_cards_leaks(family: str, fields: dict[str, object]) -> None:
    assert leaks(family, fields)


@pytest.mark.parametrize(("family", "name", "fields"), EVENTS)
def test_no_event_of_the_tables_leaks(family: str, name: str, fields: dict[str, object]) -> None:
    assert name in FAMILIES[family].events
    assert not leaks(family, fields)


def test_devices_without_undealt_cards_may_have_lists() -> None:
    assert not leaks("shaker", {"faces": [1, 2, 3]})
    assert not leaks("progressive-station", {"cards": [1]})


def test_only_inhibits_lamps_and_texts_go_without_a_number() -> None:
    assert {"inhibit", "lamp", "text"} == SAFE_ORDERS
