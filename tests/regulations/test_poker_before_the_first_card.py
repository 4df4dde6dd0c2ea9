"""659a.13(e), (j), 671a.13(d), 687a.13(d): no card is exposed or revealed before one is dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .poker_bench import PokerBench

    Make = Callable[..., PokerBench]

EXPOSED, REVEALED = "dealers-card-exposed", "card-revealed"


def refused_until_a_card_is_out(bench: PokerBench, word: str, row: str, cite: str) -> None:
    """With bets closed the report is refused and the round goes on; with a card out it voids the round."""
    assert bench.state.phase == "closed"
    said = f"{word} does not fit: no card of this round is dealt"
    assert bench.refused_report(word).removesuffix(", or the round is void") == said
    assert (bench.rulings(), bench.holds(), bench.state.round.void) == ([], set(), "")
    if bench.way == "manual-shoe":
        bench.draw(1)
    else:
        bench.deal(1)
    bench.report(word)
    ruling = bench.only_ruling(row)
    assert (ruling.cite, ruling.effect, bench.state.round.void) == ((cite,), "stop", row)


@pytest.mark.rule("dealers-card-exposed-in-deal", chapters=("659a",))
def test_659a_13_j_a_dealers_card_is_exposed_once_cards_are_dealt(poker_of: Make) -> None:
    bench = poker_of("659a")
    bench.no_more_bets()
    bench.run(2.0)
    refused_until_a_card_is_out(bench, EXPOSED, "dealers-card-exposed-in-deal", "659a.13(j)")


@pytest.mark.parametrize("deal", ["automated-shoe", "manual-shoe"])
@pytest.mark.rule("dealers-card-exposed-in-deal", chapters=("671a",))
def test_671a_13_d_a_dealers_card_is_exposed_once_cards_are_dealt(poker_of: Make, deal: str) -> None:
    bench = poker_of("671a", deal)
    bench.ready(1, 2)
    refused_until_a_card_is_out(bench, EXPOSED, "dealers-card-exposed-in-deal", "671a.13(d)")


@pytest.mark.parametrize("deal", ["automated-shoe", "manual-shoe"])
@pytest.mark.rule("card-revealed-in-deal", chapters=("687a",))
def test_687a_13_d_a_card_is_revealed_once_cards_are_dealt(poker_of: Make, deal: str) -> None:
    bench = poker_of("687a", deal)
    bench.ready(1, 2)
    refused_until_a_card_is_out(bench, REVEALED, "card-revealed-in-deal", "687a.13(d)")
