"""`felt rules check`: every breach that it refuses, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_daemon.rules import chapters, load
from felt_daemon.rules.check import check
from felt_daemon.rules.library import parse_pack

if TYPE_CHECKING:
    from collections.abc import Callable

    Breaches = Callable[[str, str], list[str]]

SHORT_PILE_HOLD = """[[rules.holds]]
binds = "device"
gates = ["deal"]
stops = true
cause_gone = [{ on = ["shoe-unloaded"] }]
ends = [{ on = ["shoe-unloaded"] }]
until = "the shoe is empty"
"""
JAM_HOLD = """[[rules.holds]]
binds = "device"
while_cause = ["shuffle"]
stops = true
cause_gone = [{ on = ["device-cleared"], when = ["code == ''"] }]
ends = [{ on = ["shuffle-completed"] }]
until = "the deck is shuffled"
"""
JAM_FACT = 'on = ["shuffle-interrupted"]\nsubject = "device"'


def test_a_sound_pack_has_no_breach(three_piles: str) -> None:
    assert check(parse_pack(three_piles)) == []


@pytest.mark.parametrize("chapter", chapters())
def test_every_pack_that_comes_along_is_sound(chapter: str) -> None:
    assert check(load(chapter)) == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # Conditions ask for what can be known.
        (
            "size < hand_cards",
            "sise < hand_cards",
            "rule short-pile: 'sise < hand_cards' asks for sise, which it cannot know; did you mean size?",
        ),
        (
            "size < hand_cards",
            "size < hand_card",
            (
                "rule short-pile: 'size < hand_card' asks for hand_card, which it cannot know; "
                "did you mean hand_cards?"
            ),
        ),
        (
            "\"mode == 'shuffle'\"] }]",
            "\"xyzzy == 'shuffle'\"] }]",
            "rule sorted, a hold: \"xyzzy == 'shuffle'\" asks for xyzzy, which it cannot know",
        ),
        (
            "\"code == ''\"] }]",
            '"batch == 1"] }]',
            "rule jam, a hold: 'batch == 1' asks for batch, which it cannot know",
        ),
        (
            'when = ["stacks == 1"]',
            'when = ["staks == 1"]',
            "move to dealing: 'staks == 1' asks for staks, which it cannot know; did you mean stacks?",
        ),
        (
            "deck != none",
            "deks != none",
            "gate shuffle: 'deks != none' asks for deks, which it cannot know; did you mean deck?",
        ),
        (
            "device_working == true",
            "device_workin == true",
            (
                "doubt shuffler lost: 'device_workin == true' asks for device_workin, which it cannot know; "
                "did you mean device_working?"
            ),
        ),
        # Words that can come.
        (
            "phase in ('betting', 'dealing')",
            "phase in ('betting', 'deeling')",
            (
                "rule short-pile: \"phase in ('betting', 'deeling')\": phase is never 'deeling'; "
                "did you mean dealing?"
            ),
        ),
        (
            "phase == 'betting'",
            "family == 'shaker'",
            "gate deal: \"family == 'shaker'\": family is never 'shaker'; did you mean shoe?",
        ),
        (
            "mode == 'sort'",
            "mode == 'nap'",
            "rule sorted: \"mode == 'nap'\": mode is never 'nap'; it is one of shuffle, sort",
        ),
        # Names that something has.
        (
            'on = ["shuffle-interrupted"]',
            'on = ["shuffle-interupted"]',
            "rule jam: no event is called shuffle-interupted; did you mean shuffle-interrupted?",
        ),
        (
            'cause_gone = [{ on = ["shoe-unloaded"] }]',
            'cause_gone = [{ on = ["shoe-unload"] }]',
            "rule short-pile, a hold: no event is called shoe-unload; did you mean shoe-unloaded?",
        ),
        (
            'on = ["round-ended"]',
            'on = ["round-over"]',
            "move to end: no event is called round-over; did you mean round-noted?",
        ),
        (
            'on = "deck-changed"',
            'on = "deck-change"',
            "clock deck-age: no event is called deck-change; did you mean deck-changed?",
        ),
        (
            'done_on = ["device-back"]',
            'done_on = ["device-bach"]',
            "rule silent: no event is called device-bach; did you mean device-back?",
        ),
        (
            'do = ["reshuffle"]',
            'do = ["reshuffle", "reshufle"]',
            "rule sorted: no directive is called reshufle; did you mean reshuffle?",
        ),
        (
            'why = "Only people see that."\ndo = ["return-wagers"]',
            'why = "Only people see that."\ndo = ["give-up"]',
            "unseen 999a.9: no directive is called give-up",
        ),
        (
            'gates = ["deal"]\nends',
            'gates = ["deel"]\nends',
            "rule sorted: no gate is called deel; did you mean deal?",
        ),
        (
            'while_cause = ["shuffle"]',
            'while_cause = ["shuffling"]',
            "rule jam: no gate is called shuffling; did you mean shuffle?",
        ),
        (
            'to = "dealing"',
            'to = "deeling"',
            "move to deeling: no phase is called deeling; did you mean dealing?",
        ),
        (
            'from = ["dealing"]',
            'from = ["dealing", "resting"]',
            "move to end: no phase is called resting; did you mean betting?",
        ),
        (
            'id = "deal"\nfamily = "shoe"',
            'id = "deal"\nfamily = "show"',
            "gate deal: no family is called show; did you mean shoe?",
        ),
        (
            'doubt = "lost"\nphases = ["dealing"]\nrule = "silent"',
            'doubt = "lost"\nphases = ["dealing"]\nrule = "silence"',
            "doubt shoe lost: no rule is called silence; did you mean silent?",
        ),
        (
            'doubt = "lost"\nphases = ["dealing"]',
            'doubt = "lost"\nphases = ["dealing", "end-of-it"]',
            "doubt shoe lost: no phase is called end-of-it",
        ),
        (
            'family = "shuffler"\ndoubt = "unverified"\nrule = "silent"\n',
            (
                'family = "shuffler"\ndoubt = "unverified"\nrule = "silent"\n\n[[doubts]]\n'
                'family = "shaker"\ndoubt = "lost"\nrule = "silent"\n'
            ),
            "doubt shaker lost: no family is called shaker; did you mean shoe?",
        ),
        # Numbers that a table needs, and choices there are.
        ("positions = 2\n", "", "constant positions: every pack has it, a whole number"),
        ("deck_total = 8", 'deck_total = "8"', "constant deck_total: every pack has it, a whole number"),
        ("by_default = 1", "by_default = 3", "election decks: 3 is none of its choices"),
        # Effects are what they say.
        (
            JAM_HOLD,
            "",
            "rule jam: it neither holds, nor voids, nor passes; nobody would see it",
        ),
        (
            "void = true\n",
            "void = true\npassing = true\n",
            "rule short-pile: what passes can neither hold nor void",
        ),
        (
            'do = ["reshuffle"]\n',
            'do = ["reshuffle"]\npassing = true\n',
            "rule sorted: what passes can neither hold nor void",
        ),
        (
            'do = ["reshuffle"]\n',
            'do = ["reshuffle"]\ndone_on = ["deck-loaded"]\n',
            "rule sorted: only what passes is shown until something is done",
        ),
        (
            'effect = "stop"',
            'effect = "advise"',
            "rule short-pile: it only advises, and yet closes a gate, stops a device or voids the round",
        ),
        (
            'while_cause = ["shuffle"]\nstops = true\n',
            "",
            "rule jam: no-new-round, and no hold of it closes a gate",
        ),
        (
            'subject = "deck"\neffect = "no-new-round"',
            'subject = "deck"\neffect = "stop"',
            "rule sorted: stop, and it neither stops a device nor voids the round",
        ),
        # Within a round the shoe is stopped only by what voids that round.
        (
            "void = true\n",
            "",
            "rule short-pile: it stops the shoe within a round that it does not void",
        ),
        (
            JAM_FACT,
            'on = ["device-faulted"]\nsubject = "device"',
            "rule jam: it stops the shoe within a round that it does not void",
        ),
        (
            JAM_FACT,
            'on = ["shoe-jammed"]\nwhen = ["phase == \'dealing\'"]\nsubject = "device"',
            "rule jam: it stops the shoe within a round that it does not void",
        ),
        (
            JAM_FACT,
            'on = ["shoe-jammed"]\nwhen = ["phase != \'betting\'"]\nsubject = "device"',
            "rule jam: it stops the shoe within a round that it does not void",
        ),
        (
            'family = "shoe"\ndoubt = "unverified"\nrule = "silent"',
            'family = "shoe"\ndoubt = "unverified"\nrule = "jam"',
            "rule jam: it stops the shoe within a round that it does not void",
        ),
        (
            'doubt = "lost"\nphases = ["dealing"]\nrule = "silent"',
            'doubt = "lost"\nphases = ["dealing"]\nrule = "jam"',
            "rule jam: it stops the shoe within a round that it does not void",
        ),
        # Holds let go by their remedy and by nothing less.
        (
            'cause_gone = [{ on = ["device-cleared"], when = ["code == \'\'"] }]\n',
            "",
            "rule jam: a hold that stops a device must say when its cause is gone",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]',
            'ends = [{ on = ["shoe-unloaded"] }, { on = ["device-cleared"] }]',
            "rule short-pile: a device saying that all is well does not end a hold that closes a gate",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]',
            'ends = [{ on = ["light-shown"] }]',
            "rule short-pile: a device saying that all is well does not end a hold that closes a gate",
        ),
        (
            'gates = ["deal"]\nends',
            'gates = ["deal", "shuffle"]\nends',
            "rule sorted: a hold keeps gate shuffle closed, and nothing else than its work ends it",
        ),
        (
            'ends = [{ on = ["shoe-unloaded"] }]',
            'ends = [{ on = ["stack-dispensed"] }]',
            "rule short-pile: a hold keeps gate deal closed, and nothing else than its work ends it",
        ),
        # What is never used.
        (
            'look = "Look at the device."',
            'look = "Look at the device."\nsing = "Sing a song."',
            "directive sing: no rule gives it",
        ),
        (
            JAM_FACT,
            'on = ["device-lost"]\nsubject = "device"',
            "rule jam: it listens to silence and loss, and no doubt names it",
        ),
        (
            JAM_FACT,
            'on = ["device-stale", "device-lost", "device-restarted", "events-lost"]\nsubject = "device"',
            "rule jam: it listens to silence and loss, and no doubt names it",
        ),
    ],
)
def test_a_breach_is_told_in_words(breaches: Breaches, old: str, new: str, said: str) -> None:
    assert said in breaches(old, new)


@pytest.mark.parametrize(
    "fact",
    [
        'on = ["shoe-jammed"]\nwhen = ["phase == \'betting\'"]\n',
        "on = [\"shoe-jammed\"]\nwhen = [\"phase in ('betting', 'none')\"]\n",
        'on = ["device-faulted"]\nwhen = ["family == \'shuffler\'"]\n',
        'on = ["inside-counted"]\n',
    ],
)
def test_a_device_may_be_stopped_where_no_honest_round_is_spoilt(breaches: Breaches, fact: str) -> None:
    assert breaches(JAM_FACT, f'{fact}subject = "device"') == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            'family = "shuffler"\ndoubt = "stale"\nrule = "nothing"',
            'family = "shuffler"\ndoubt = "stale"\nrule = "jam"',
        ),
        (
            'doubt = "lost"\nphases = ["betting", "none", "void"]\nrule = "nothing"',
            'doubt = "lost"\nphases = ["betting", "none", "void"]\nrule = "jam"',
        ),
    ],
)
def test_a_doubt_may_stop_a_device_where_no_honest_round_is_spoilt(
    breaches: Breaches, old: str, new: str
) -> None:
    assert breaches(old, new) == []


def test_every_doubt_of_every_family_is_covered_in_every_phase(breaches: Breaches) -> None:
    told = breaches('family = "shuffler"\ndoubt = "stale"\nrule = "nothing"\n\n[[doubts]]\n', "")
    assert told == [
        f"doubt shuffler stale in phase {phase}: no row says what it does"
        for phase in ("betting", "dealing", "none", "void")
    ]


def test_a_doubt_under_a_condition_covers_nothing(breaches: Breaches) -> None:
    told = breaches('family = "shuffler"\ndoubt = "lost"\nrule = "silent"\n\n[[doubts]]\n', "")
    assert len(told) == 4
    assert told[0] == "doubt shuffler lost in phase betting: no row says what it does"


def test_a_doubt_for_some_phases_covers_those(breaches: Breaches) -> None:
    told = breaches('phases = ["betting", "none", "void"]', 'phases = ["betting", "void"]')
    assert told == ["doubt shoe lost in phase none: no row says what it does"]
