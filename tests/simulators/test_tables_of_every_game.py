"""What a configuration makes of a game: how many cards and positions, which devices, built how."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from felt_simulators.cards import count, new_deck
from felt_simulators.felt import NoTable, Plan, read_plan, set_up
from felt_simulators.games.game import GAMES
from felt_simulators.handling import covered, cut

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TABLES = sorted(EXAMPLES.glob("*.toml"))


def plan(
    example: str, changes: dict[str, object] | None = None, builds: dict[str, object] | None = None
) -> Plan:
    return read_plan(EXAMPLES / f"{example}.toml", changes or {}, builds or {})


@pytest.mark.parametrize("file", TABLES, ids=lambda file: file.stem)
def test_every_example_is_a_table_that_people_can_deal_at(file: Path) -> None:
    found = read_plan(file)
    found.complete()
    assert found.deals.chapter == found.game


def test_the_house_chooses_how_many_decks_and_positions_there_are() -> None:
    assert plan("free-bet-blackjack").deals.content.size == 312
    assert plan("double-back-jack", {"elections": {"decks": 1}}).deals.content.size == 52
    assert plan("baccarat").deals.positions == 12
    assert plan("blackjack", {"elections": {"decks": 2}}).deals.content.size == 104
    # In the poker games the election says how many decks alternate; each is dealt alone.
    assert plan("five-card-hi-lo").deals.content.size == 52


@pytest.mark.parametrize(("cards", "tens", "decks"), [(288, 0, 6), (48, 0, 1), (312, 24, 6), (52, 4, 1)])
def test_635a_a_house_says_how_many_cards_are_in_the_shoe(cards: int, tens: int, decks: int) -> None:
    content = plan("spanish-21", {"elections": {"cards": cards}}).deals.content
    stack = new_deck("red", "red", "table", content).cards
    ranks = Counter(card.rank for card in stack)
    assert (len(stack), ranks["T"], ranks["A"]) == (cards, tens, 4 * decks)


def test_637a_a_house_deals_badugi_or_super_seven_card_stud_with_or_without_a_joker() -> None:
    badugi = plan("badugi").deals
    assert (badugi.hand, badugi.draws, badugi.positions, badugi.content.size) == (4, True, 9, 52)
    stud = plan("badugi", {"elections": {"variant": "super-seven-card-stud", "deck": 53, "seats": 7}}).deals
    assert (stud.hand, stud.draws, stud.positions, stud.content.size) == (5, False, 7, 53)


@pytest.mark.parametrize(("start", "shaken"), [("shaker", True), ("generator", False), ("button", False)])
def test_659a_5_g_dice_are_shaken_only_where_the_house_has_them(start: str, shaken: bool) -> None:  # noqa: FBT001 - a column
    assert plan("asia-poker", {"elections": {"start": start}}).deals.shaken is shaken


def test_a_start_by_a_generator_wants_one() -> None:
    with pytest.raises(NoTable, match="one rng; this configuration has 0"):
        plan("asia-poker", {"elections": {"start": "generator"}}).complete()


def test_a_game_that_nobody_knows_is_not_dealt() -> None:
    with pytest.raises(NoTable, match="nobody here can deal 999a; people know 659a, 663a"):
        _ = plan("asia-poker", {"table": {"game": "999a"}}).deals


def test_a_device_is_built_as_a_scenario_says(tmp_path: Path) -> None:
    builds: dict[str, object] = {"shuffler-1": {"counts": False}, "shoe-1": {"set_to": "672a"}}
    machines = set_up(plan("free-bet-blackjack", builds=builds), tmp_path / "lines", 7)
    try:
        assert machines.shuffler.build.counts is False
        assert machines.shuffler.build.serial == "SH-0005"
    finally:
        machines.close()
    with pytest.raises(NoTable, match=r"shuffler-1 cannot be built so: .*colour"):
        set_up(plan("asia-poker", builds={"shuffler-1": {"colour": "red"}}), tmp_path / "lines", 7)


@pytest.mark.parametrize(("after", "above"), [(None, 234), (40, 40)])
def test_672a_5_d_the_cover_card_lies_a_quarter_from_the_bottom(after: int | None, above: int) -> None:
    batch = new_deck("red", "red", "table", GAMES["672a"].content).stack()
    stack = covered(cut(batch), after)
    assert [place for place, card in enumerate(stack) if not card.counts] == [above]
    assert count(stack) == 312
    assert stack[0] is batch[156]
