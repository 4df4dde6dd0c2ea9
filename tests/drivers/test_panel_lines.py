"""What a panel is asked to show: any text, as eight lines of forty printable characters; three lamps."""

from __future__ import annotations

import pytest

from felt_drivers.dealers_panel import fitted, orders
from felt_protocols.link import Order, check_order, encode

FORTY = "1234567890" * 4


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([], []),
        (["Deal"], ["Deal"]),
        ([""], [" "]),
        (["   "], [" "]),
        (["Deal  "], ["Deal"]),
        (["  Deal"], ["  Deal"]),
        ([FORTY], [FORTY]),
        ([FORTY + "1"], [FORTY, "1"]),
        ([FORTY + " 1"], [FORTY, "1"]),
        (
            ["The shoe has dispensed a stack of eight cards"],
            ["The shoe has dispensed a stack of eight", "cards"],
        ),
        (["one\ntwo\r\nthree"], ["one", "two", "three"]),
        (["one\n\ntwo"], ["one", " ", "two"]),
        (["a\tb\u00a0c"], ["a b c"]),
        (["a\x00b\x1bc\u200bd"], ["a?b?c?d"]),
        (["a\ud800b"], ["a?b"]),
        (["\U0001f0a1 lies open"], ["? lies open"]),
        (["Stapel nachz\u00e4hlen"], ["Stapel nachz\u00e4hlen"]),
        (list("12345678"), list("12345678")),
        (list("123456789"), [*"1234567", "8\u2026"]),
        ([FORTY] * 9, [*[FORTY] * 7, FORTY[:39] + "\u2026"]),
        (["x" * 400], [*["x" * 40] * 7, "x" * 39 + "\u2026"]),
        ([" " * 45 + "x"], [" ", "x"]),
    ],
)
def test_text_is_fitted_to_the_panel(lines: list[str], shown: list[str]) -> None:
    assert fitted(lines) == shown
    assert check_order("dealers-panel", "text", {"lines": fitted(lines)}) is None


def test_eight_full_lines_of_the_longest_characters_fit_into_a_frame() -> None:
    shown = fitted(["\uff21" * 40] * 8)
    assert shown == ["\uff21" * 40] * 8
    assert len(encode(Order("text", {"lines": shown}, 2**64 - 1))) < 1036


def test_lines_and_lamps_become_one_text_and_every_lamp() -> None:
    assert orders(("Call the floor",), {"call": "fast"}) == [
        ("text", {"lines": ["Call the floor"]}),
        ("lamp", {"which": "call", "pattern": "fast"}),
        ("lamp", {"which": "hold", "pattern": "off"}),
        ("lamp", {"which": "deal", "pattern": "off"}),
    ]


def test_a_lamp_or_a_pattern_that_no_panel_has_is_a_bug() -> None:
    with pytest.raises(ValueError, match="a panel has no lamp red; it has call, hold, deal"):
        orders((), {"red": "on"})
    with pytest.raises(ValueError, match="no lamp is dim; it is off, on, slow, fast"):
        orders((), {"call": "dim"})
