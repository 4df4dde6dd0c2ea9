"""The hands of 665a, 672a and 673a, where their texts are not the same or a row is held in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands

from .shoe_bench import BLACKJACK, ShoeBench

if TYPE_CHECKING:
    from collections.abc import Callable

    Watched = Callable[[ShoeBench], ShoeBench]

EXPOSED = {"665a": "665a.13(c)", "672a": "672a.12(c)", "673a": "673a.13(c)"}


def _two_players(watched: Watched, chapter: str, cards: int) -> ShoeBench:
    """A round of two players, of whose six cards some are out; the shoe reads no faces."""
    bench = watched(ShoeBench(chapter, reads=False))
    bench.open()
    bench.begin(1, 2)
    bench.draw(cards)
    return bench


# ---- A card that is drawn in error and seen: 665a.13(c), 672a.12(c), 673a.13(c) ---------------------


@pytest.mark.rule("report/card-exposed", chapters=("665a", "672a", "673a"))
@pytest.mark.rule("card-exposed", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize(
    ("chapter", "cards"), [("665a", 6), ("672a", 5), ("672a", 6), ("673a", 5), ("673a", 6)]
)
def test_c_an_exposed_card_is_the_next_one_once_those_whom_the_text_names_have_two_cards(
    watched: Watched, chapter: str, cards: int
) -> None:
    bench = _two_players(watched, chapter, cards)
    bench.report("card-exposed")
    ruling = bench.only_ruling("card-exposed")
    assert (ruling.cite, ruling.directives) == ((EXPOSED[chapter],), ("offer-exposed-card",))


@pytest.mark.rule("report/card-exposed", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize(("chapter", "cards"), [("665a", 5), ("672a", 4), ("673a", 4)])
def test_c_an_exposed_card_before_that_is_for_the_floor(watched: Watched, chapter: str, cards: int) -> None:
    bench = _two_players(watched, chapter, cards)
    said = bench.refused(commands.Report(what="card-exposed"), "dealer")
    assert "the first two cards of every player" in said
    bench.draw()
    bench.report("card-exposed")


@pytest.mark.rule("card-exposed", chapters=("672a", "673a"))
@pytest.mark.parametrize("chapter", ["672a", "673a"])
def test_c_where_somebody_was_passed_over_people_are_believed_that_every_player_has_two_cards(
    watched: Watched, chapter: str
) -> None:
    bench = _two_players(watched, chapter, 4)
    bench.report("dealers-card-missed")
    bench.report("card-exposed")
    assert bench.only_ruling_of("card-exposed").cite == (EXPOSED[chapter],)


# ---- A card that was asked for and not dealt: 665a.13(g), 672a.12(h), 673a.13(h) --------------------


@pytest.mark.rule("report/hole-card-turned", chapters=("665a", "672a", "673a"))
@pytest.mark.rule("asked-card-missed", "asked-card-too-late", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize(
    ("chapter", "cite", "wagers"),
    [
        ("665a", "665a.13(g)", "Bet and Double Attack Wagers go back"),
        ("672a", "672a.12(h)", "Blackjack Wager goes back"),
        ("673a", "673a.13(h)", "Blackjack Wager goes back"),
    ],
)
def test_a_card_that_was_missed_is_not_dealt_once_the_hole_card_is_shown(
    watched: Watched, chapter: str, cite: str, wagers: str
) -> None:
    bench = _two_players(watched, chapter, 6)
    bench.report("asked-card-missed", seat=1)
    assert bench.only_ruling("asked-card-missed").cite == (cite,)
    bench.report("hole-card-turned")
    bench.report("asked-card-missed", seat=2)
    ruling = bench.only_ruling_of("asked-card-too-late")
    assert (ruling.cite, ruling.directives) == ((cite,), ("hand-dead",))
    assert wagers in bench.pack.directives["hand-dead"]
    assert "HAND DEAD, WAGERS BACK" in bench.shown()
    assert len(bench.rulings("asked-card-missed")) == 1


@pytest.mark.rule("report/hole-card-turned", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize("chapter", BLACKJACK)
def test_no_hole_card_is_turned_while_players_have_not_their_first_two(
    watched: Watched, chapter: str
) -> None:
    bench = _two_players(watched, chapter, 1)
    assert "the first two cards of every player are not out" in bench.refused_report("hole-card-turned")
    # So a card that is asked for later in the round is not too late.
    bench.draw(5)
    bench.report("asked-card-missed", seat=1)
    assert bench.only_ruling("asked-card-missed").directives == ("deal-later-or-dead",)
    # A shoe that restarted may have given cards that it told nobody of: then people know.
    bench = _two_players(watched, chapter, 1)
    bench.shoe.power_cycle(bench.now)
    bench.run(6.0)
    bench.report("hole-card-turned")
    bench.report("asked-card-missed", seat=1)
    assert bench.only_ruling_of("asked-card-too-late").directives == ("hand-dead",)


# ---- A deal of fewer than two cards each: what 665a.13(f), 672a.12(e), (g), 673a.13(e), (g) are about ----


@pytest.mark.rule("fewer-cards-than-the-deal", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize("chapter", BLACKJACK)
def test_a_round_that_ends_with_fewer_cards_than_its_deal_has_is_told(watched: Watched, chapter: str) -> None:
    bench = _two_players(watched, chapter, 5)
    bench.end_round()
    ruling = bench.only_ruling("fewer-cards-than-the-deal")
    assert (ruling.basis, ruling.directives) == ("own", ("look-who-lacks", "call-floor"))


@pytest.mark.rule("fewer-cards-than-the-deal", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize("chapter", BLACKJACK)
def test_a_hole_card_that_goes_into_the_reader_before_every_card_of_the_deal_is_out_is_told_once(
    watched: Watched, chapter: str
) -> None:
    bench = _two_players(watched, chapter, 4)
    bench.report("up-card-ten")
    bench.insert(bench.felt[3], bench.felt[2])
    assert bench.only_ruling("fewer-cards-than-the-deal").directives == ("look-who-lacks", "call-floor")
    assert "WHO HAS FEWER THAN 2 CARDS?" in bench.shown()
    bench.end_round()
    assert len(bench.rulings("fewer-cards-than-the-deal")) == 1


@pytest.mark.rule("fewer-cards-than-the-deal", chapters=("665a", "672a", "673a"))
@pytest.mark.parametrize("chapter", BLACKJACK)
def test_nothing_is_said_of_a_whole_deal_nor_of_a_hand_that_was_told_to_lack_a_card(
    watched: Watched, chapter: str
) -> None:
    whole = _two_players(watched, chapter, 6)
    whole.end_round()
    told = _two_players(watched, chapter, 4)
    told.report("players-card-missed", seat=2)
    told.end_round()
    assert [one.row for bench in (whole, told) for one in bench.rulings()] == ["players-card-missed"]
    untold = _two_players(watched, chapter, 4)
    untold.end_round()
    assert [one.row for one in untold.rulings()] == ["fewer-cards-than-the-deal"]


@pytest.mark.rule("fewer-cards-than-the-deal", chapters=("672a",))
def test_nothing_is_said_of_a_deal_of_which_the_shoe_may_have_forgotten_a_card(watched: Watched) -> None:
    bench = _two_players(watched, "672a", 5)
    bench.shoe.power_cycle(bench.now)
    bench.run(10.0)
    bench.end_round()
    assert bench.rulings("shoe-forgot")
    assert bench.rulings("fewer-cards-than-the-deal") == []
    sound = _two_players(watched, "672a", 5)
    sound.end_round()
    assert sound.rulings("fewer-cards-than-the-deal")
