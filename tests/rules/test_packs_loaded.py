"""A chapter's pack is what the house's answers make of it, and is made once for each."""

from __future__ import annotations

from felt_daemon.rules import load
from felt_daemon.rules.library import parts


def test_a_pack_is_what_the_house_has_elected() -> None:
    assert load("673a", {"decks": 8}).constants["deck_total"] == 8 * 52
    assert load("673a", {"decks": 2}).constants["deck_total"] == 2 * 52


def test_a_pack_is_made_once_in_whatever_order_the_answers_are_given() -> None:
    assert load("673a", {"decks": 1, "batches": 2}) is load("673a", {"batches": 2, "decks": 1})
    assert load("673a") is load("673a", {})
    assert load("673a", {"decks": 1}) is not load("673a", {"decks": 2})


def test_the_parts_that_come_along_are_texts_by_their_names() -> None:
    found = parts()
    assert {"shuffler", "round", "two-decks"} < found.keys()
    assert found["shuffler"].startswith("# An automated shuffler")
