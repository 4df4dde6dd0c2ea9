"""What a host hears of a shaker over a real line, held against how the dice really lay."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from felt_protocols.link.items import Restarted
from felt_simulators.chance import seeded
from felt_simulators.devices.hands import Refused
from felt_simulators.devices.shaker import Shaker, ShakerBuild
from felt_simulators.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from felt_simulators.trial import TrialHost


class Table:
    """A shaker and the host that listens to it."""

    def __init__(
        self, listening: Callable[..., TrialHost], *faults: str, build: ShakerBuild | None = None
    ) -> None:
        self.shaker = Shaker(build or ShakerBuild(), seeded(7), 0.0)
        self.host = listening(self.shaker, "shaker")
        for fault in faults:
            self.shaker.set_fault(Fault.parse(fault), self.host.now)

    def roll(self, shakes: int = 3) -> None:
        """Shake so many times, take the lid off, and wait until the dice are read."""
        for _ in range(shakes):
            self.shaker.shake(self.host.now)
            self.host.run(0.5)
        self.shaker.uncover(self.host.now)
        self.host.run(1.0)

    @property
    def words(self) -> list[str]:
        """What was heard."""
        return [name for name, _ in self.host.heard]

    @property
    def rolls(self) -> list[dict[str, Any]]:
        """The truth of every roll."""
        rolls: list[dict[str, Any]] = self.shaker.truth["rolls"]
        return rolls


@pytest.fixture
def table(listening: Callable[..., TrialHost]) -> Callable[..., Table]:
    def make(*faults: str, build: ShakerBuild | None = None) -> Table:
        return Table(listening, *faults, build=build)

    return make


def test_659a_5_g_1_three_shakes_and_the_dice_are_read(table: Callable[..., Table]) -> None:
    t = table()
    t.roll()
    assert t.words == ["shaken", "shaken", "shaken", "uncovered", "dice"]
    (told,) = t.host.named("dice")
    (roll,) = t.rolls
    assert told == {"faces": roll["faces"], "flat": True, "inside": True}
    assert all(1 <= face <= 6 for face in roll["faces"])
    assert roll["shakes"] == 3
    t.shaker.cover(t.host.now)
    t.shaker.shake(t.host.now)
    t.shaker.put_right(t.host.now)
    t.host.settle()
    assert t.words[5:] == ["covered", "shaken"]
    assert t.shaker.truth["at_dealers_right"] is True


def test_too_few_shakes_are_known_to_the_truth(table: Callable[..., Table]) -> None:
    t = table()
    t.roll(shakes=2)
    assert t.rolls[0]["shakes"] == 2
    assert t.words == ["shaken", "shaken", "uncovered", "dice"]
    t.shaker.cover(t.host.now)
    t.roll(shakes=3)
    assert t.rolls[1]["shakes"] == 3


def test_every_face_comes_about_as_often() -> None:
    shaker = Shaker(ShakerBuild(), seeded(7), 0.0)
    faces: Counter[int] = Counter()
    for second in range(2000):
        shaker.shake(float(second))
        faces.update(die.face for die in shaker.uncover(float(second)))
        shaker.cover(float(second))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert all(850 < number < 1150 for number in faces.values())


def test_659a_13_a_a_die_that_lies_aslant_has_no_face(table: Callable[..., Table]) -> None:
    t = table("not-flat")
    t.roll()
    (told,) = t.host.named("dice")
    assert (told["flat"], told["inside"]) == (False, True)
    faces: Any = told["faces"]
    assert sorted(face == 0 for face in faces) == [False, False, True]
    assert t.rolls[0]["flat"] is False
    t.shaker.cover(t.host.now)
    t.roll()
    assert t.host.named("dice")[1]["flat"] is True


def test_659a_13_b_a_die_outside_must_be_gathered_before_the_lid_goes_on(
    table: Callable[..., Table],
) -> None:
    t = table("die-outside=2")
    t.roll()
    (told,) = t.host.named("dice")
    assert (told["flat"], told["inside"]) == (True, False)
    faces: Any = told["faces"]
    assert sorted(face == 0 for face in faces) == [False, True, True]
    with pytest.raises(Refused, match="shaker: cannot cover: a die lies outside"):
        t.shaker.cover(t.host.now)
    t.shaker.gather(t.host.now)
    t.shaker.cover(t.host.now)
    t.roll()
    assert t.host.named("dice")[1]["inside"] is True


def test_a_lid_put_on_at_once_leaves_the_dice_unread(table: Callable[..., Table]) -> None:
    t = table()
    t.shaker.uncover(t.host.now)
    t.shaker.cover(t.host.now)
    t.host.run(5.0)
    assert t.words == ["uncovered", "covered"]


def test_a_shaker_that_reads_no_dice_tells_the_lid_only(table: Callable[..., Table]) -> None:
    t = table(build=ShakerBuild(reads_dice=False, judges_shakes=True))
    t.roll()
    assert t.words == ["shaken", "shaken", "shaken", "uncovered"]
    assert all(0 <= int(str(fields["quality"])) <= 100 for fields in t.host.named("shaken"))


def test_659a_2_c_1_a_shaker_left_alone_says_so_once_after_ten_seconds(table: Callable[..., Table]) -> None:
    t = table("unattended")
    t.host.run(9.9)
    assert t.words == []
    t.host.run(30.0)
    assert t.host.heard == [("unattended", {"seconds": 10})]
    t.shaker.come_back(t.host.now)
    t.shaker.walk_away(t.host.now)
    t.host.run(5.0)
    t.shaker.come_back(t.host.now)
    t.host.run(30.0)
    assert t.words == ["unattended"]
    absences = t.shaker.truth["absences"]
    assert [absence["told_at"] is None for absence in absences] == [False, True]


def test_new_dice_go_into_the_open_box(table: Callable[..., Table]) -> None:
    t = table()
    with pytest.raises(Refused, match="shaker: cannot replace dice: the lid is on"):
        t.shaker.replace_dice(t.host.now)
    t.roll()
    old = t.shaker.replace_dice(t.host.now)
    assert len(old) == len(t.shaker.dice) == 3
    assert not set(map(id, old)) & set(map(id, t.shaker.dice))
    assert t.shaker.truth["dice_since"] == t.host.now


def test_nobody_needs_a_permit_to_shake_a_box(table: Callable[..., Table]) -> None:
    t = table()
    t.host.inhibit("dice-age", "now")
    t.roll()
    assert t.words[-1] == "dice"
    assert t.host.session.shown is not None
    assert t.host.session.shown.inhibited


def test_a_permit_is_taken(table: Callable[..., Table]) -> None:
    t = table()
    t.host.order("permit")
    t.host.run(1.0)
    assert t.host.session.shown is not None
    assert not t.host.session.shown.inhibited


def test_a_broken_shaker_says_so_until_it_is_repaired(table: Callable[..., Table]) -> None:
    t = table("unusable=sensor")
    t.host.settle()
    assert t.host.heard == [("fault", {"code": "sensor"})]
    t.shaker.repair(t.host.now)
    t.host.settle()
    assert t.host.named("cleared") == [{"code": "sensor"}]
    assert t.shaker.truth["state"] == "covered"


def test_a_reboot_loses_the_shakes_from_the_line_and_not_from_the_truth(
    table: Callable[..., Table],
) -> None:
    t = table()
    t.shaker.shake(t.host.now)
    t.shaker.set_fault(Fault("reboot"), t.host.now)
    t.host.run(0.5)
    t.shaker.shake(t.host.now)
    t.host.run(10.0)
    assert any(isinstance(item, Restarted) for item in t.host.items)
    t.roll(shakes=1)
    assert t.words == ["shaken", "uncovered", "dice"]
    assert t.rolls[0]["shakes"] == 3
