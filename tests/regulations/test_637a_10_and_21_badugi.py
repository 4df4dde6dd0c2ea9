"""Badugi and Super Seven-card Stud: 58 Pa. Code §§ 637a.10(m), 637a.21."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules.library import BadPack
from felt_daemon.table import picture
from felt_daemon.table.deal import cards_due, hands_due, next_share
from felt_protocols import commands
from felt_protocols.events import card
from felt_protocols.events import round as rounds

from .coup_bench import CoupBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[CoupBench], CoupBench]


@pytest.fixture
def dealt(watched: Watched) -> CoupBench:
    """Three players have their four cards each, from a shoe that tells of them."""
    bench = watched(CoupBench("637a"))
    bench.open()
    bench.report("seats-playing", seats=(2, 5, 8))
    bench.run(0.3)
    bench.draw(12)
    return bench


@pytest.fixture
def by_hand(watched: Watched) -> CoupBench:
    """An open table whose cards are dealt from the hand."""
    bench = watched(CoupBench("637a", deal="hand"))
    bench.heard()
    bench.command(commands.ChangeDeck(deck="red", preshuffled=True))
    bench.command(commands.OpenTable())
    return bench


@pytest.mark.rule("deal/manual-shoe", "report/seats-playing")
def test_637a_21_f_every_player_gets_four_cards(dealt: CoupBench) -> None:
    assert (dealt.state.phase, dealt.state.round.cards) == ("playing", 12)
    assert dealt.places() == {"shoe": 40, "table": 12}
    assert dealt.rulings() == []


def test_637a_21_c_where_the_button_lies_nobody_tells_and_no_position_is_named(watched: Watched) -> None:
    bench = watched(CoupBench("637a"))
    bench.open()
    bench.report("seats-playing", seats=(2, 5, 8))
    bench.run(0.3)
    bench.draw(2)
    assert picture(bench.pack, bench.state)["state"]["round"]["next"] == {
        "to": "seats",
        "seat": None,
        "cards": 1,
    }
    drawn = [row for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    assert [row.context.get("seat") for row in drawn] == [None, None]
    assert (cards_due(bench.state), hands_due(bench.state)) == (12, 3)


@pytest.mark.rule("deal/manual-shoe", "election/variant", "report/seats-playing")
def test_637a_10_m_the_deal_of_super_seven_begins_at_the_dealers_left(watched: Watched) -> None:
    bench = watched(CoupBench("637a", elections={"variant": "super-seven-card-stud"}))
    bench.open()
    bench.report("seats-playing", seats=(2, 5, 8))
    bench.run(0.3)
    bench.draw(2)
    drawn = [row for row in bench.rows if isinstance(row.event, card.CardDrawn)]
    assert [row.context.get("seat") for row in drawn] == [2, 5]


@pytest.mark.rule("deal/manual-shoe", "report/seats-playing")
def test_637a_21_f_the_deal_is_not_over_before_the_last_players_fourth_card(watched: Watched) -> None:
    bench = watched(CoupBench("637a"))
    bench.open()
    bench.report("seats-playing", seats=(2, 5, 8))
    bench.run(0.3)
    bench.draw(11)
    assert bench.state.phase == "dealing"


@pytest.mark.rule("drawn-before-a-draw")
def test_637a_21_g_a_card_after_the_deal_waits_for_the_betting_round(dealt: CoupBench) -> None:
    dealt.draw()
    ruling = dealt.only_ruling("drawn-before-a-draw")
    assert (ruling.cite, ruling.directives) == (("637a.21(g)", "637a.21(h)"), ("report-draw-first",))


@pytest.mark.rule("report/first-draw", "report/second-draw", "report/third-draw")
@pytest.mark.rule("first-burn", "second-burn", "third-burn")
def test_637a_21_h_to_j_a_card_is_burnt_before_each_of_three_draws(dealt: CoupBench) -> None:
    for report, row, cite in (
        ("first-draw", "first-burn", "637a.21(h)"),
        ("second-draw", "second-burn", "637a.21(i)"),
        ("third-draw", "third-burn", "637a.21(j)"),
    ):
        dealt.report(report)
        ruling = dealt.only_ruling_of(row)
        assert (ruling.cite, ruling.directives) == ((cite,), ("burn-top-card",))
        # The card that is burnt takes the directive away; two players draw one each.
        dealt.draw(3)
        assert dealt.state.round.notices == ()
    assert len(dealt.rulings()) == 3


def test_637a_21_h_to_j_the_draws_are_told_in_their_order_and_each_once(dealt: CoupBench) -> None:
    assert dealt.unfit("second-draw") == "the first draw comes before it, or it was told already"
    dealt.report("first-draw")
    assert dealt.unfit("first-draw") == "the first draw was told already"
    assert dealt.unfit("third-draw") == "the second draw comes before it, or it was told already"


@pytest.mark.rule("deck-short")
def test_637a_21_h_a_deck_that_runs_out_in_a_draw_is_filled_with_the_discards(watched: Watched) -> None:
    bench = watched(CoupBench("637a"))
    bench.open()
    bench.report("seats-playing", seats=tuple(range(1, 10)))
    bench.run(0.3)
    bench.draw(36)
    bench.report("first-draw")
    # The rest of the deck: sixteen cards and the cover card.
    bench.draw(17)
    ruling = bench.only_ruling_of("deck-short")
    assert (ruling.cite, ruling.directives) == (("637a.21(h)",), ("reshuffle-discards",))
    assert bench.places() == {"table": 52}
    bench.load_shoe(bench.cards["red"][:10])
    assert [one.row for one in bench.state.round.notices] == []
    bench.draw(2)
    assert [one.row for one in bench.rulings()] == ["first-burn", "deck-short"]


@pytest.mark.rule("report/deck-short")
@pytest.mark.rule("deck-short")
def test_637a_21_h_people_may_say_that_the_deck_is_short(dealt: CoupBench) -> None:
    assert dealt.unfit("deck-short") == "no draw was told"
    dealt.report("first-draw")
    dealt.report("deck-short")
    assert dealt.only_ruling_of("deck-short").directives == ("reshuffle-discards",)


@pytest.mark.rule("deal/manual-shoe", "report/cards-dealt", "report/seats-playing")
def test_637a_21_f_a_deal_from_the_hand_is_reported_once_it_is_known_who_plays(by_hand: CoupBench) -> None:
    assert by_hand.unfit("cards-dealt") == "nobody has said who plays; report seats-playing first"
    by_hand.report("seats-playing", seats=(1, 2, 3, 4))
    by_hand.report("cards-dealt")
    assert [one.cards for one in by_hand.rows_of(rounds.CardsDealt)] == [16]
    assert by_hand.places() == {"hand": 36, "table": 16}
    assert (by_hand.state.phase, by_hand.rulings()) == ("playing", [])
    by_hand.report("first-draw")
    assert [one.row for one in by_hand.rulings()] == ["first-burn"]


@pytest.mark.rule("unshuffled-deck-dealt")
def test_a_deck_that_nobody_told_shuffled_is_told_and_locks_nothing(by_hand: CoupBench) -> None:
    by_hand.report("seats-playing", seats=(1, 2))
    by_hand.report("cards-dealt")
    by_hand.end_round()
    by_hand.report("seats-playing", seats=(1, 2))
    by_hand.report("cards-dealt")
    ruling = by_hand.only_ruling("unshuffled-deck-dealt")
    assert (ruling.cite, ruling.effect, ruling.directives) == ((), "advise", ("shuffle-first",))
    assert by_hand.state.holds == {}


@pytest.mark.rule("deal/manual-shoe", "election/variant", "report/seats-playing")
def test_637a_10_m_super_seven_deals_four_cards_down_and_one_up(watched: Watched) -> None:
    bench = watched(CoupBench("637a", elections={"variant": "super-seven-card-stud"}))
    bench.open()
    bench.report("seats-playing", seats=(1, 2))
    bench.run(0.3)
    faces: list[str] = []
    for _ in range(10):
        faces += [due.face] if (due := next_share(bench.state)) else []
        bench.draw()
    assert faces == [*["down"] * 8, "up", "up"]
    assert (bench.state.phase, bench.state.round.cards) == ("playing", 10)
    bench.draw(2)
    assert bench.rulings() == []
    assert bench.unfit("first-draw") == "there are draws in Badugi alone"


@pytest.mark.rule("election/seats")
def test_637a_21_b_nine_players_at_most(watched: Watched) -> None:
    bench = watched(CoupBench("637a", elections={"seats": 6}))
    bench.open()
    assert bench.refused_report("seats-playing", seats=(1, 7)).startswith("there is no position 7")
    with pytest.raises(BadPack, match="seats"):
        CoupBench("637a", elections={"seats": 10})
