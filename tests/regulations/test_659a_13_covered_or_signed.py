"""659a.13(n): a machine that cannot be used is covered or signed before another way is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from felt_protocols import commands
from felt_protocols.events import person

if TYPE_CHECKING:
    from .felt_bench import Bench


@pytest.mark.rule("device-unusable")
@pytest.mark.parametrize("sign", ["covered", "out-of-order"])
@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("shuffler-1", commands.Method(shuffle="hand")),
        ("shoe-1", commands.Method(deal="hand")),
        ("shoe-1", commands.Method(deal="manual-shoe")),
    ],
)
def test_659a_13_n_no_other_way_is_admitted_before_the_machine_is_covered_or_signed(
    opened: Bench, name: str, method: commands.Method, sign: str
) -> None:
    opened.fault(name, "unusable=motor")
    opened.run(1.0)
    assert opened.refused(method) == (
        f"{name} cannot be used: cover it or put an out-of-order sign on it, and report that with sign,"
        " before another way is used (659a.13(n))"
    )
    moved = commands.Sign.model_validate({"device": name, "sign": sign})
    opened.command(moved, "dealer")
    assert opened.refused(method, "dealer") == "method is for floor; you are dealer"
    opened.command(method)
    [signed] = opened.rows_of(person.SignMoved)
    assert (signed.device, signed.sign, signed.by.role) == (name, sign, "dealer")
    [chosen] = opened.rows_of(person.MethodChosen)
    assert chosen.by.role == "floor"


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_machine_that_people_find_unusable_is_covered_first_too(opened: Bench) -> None:
    opened.press("report", "shuffler-unusable")
    assert "cover it or put an out-of-order sign on it" in opened.refused(commands.Method(shuffle="hand"))
    opened.command(commands.Sign(device="shuffler-1", sign="out-of-order"))
    opened.command(commands.Method(shuffle="hand"))


@pytest.mark.rule("device-not-in-order")
def test_659a_13_n_a_machine_that_was_inspected_and_is_not_in_order_is_covered_first_too(
    opened: Bench,
) -> None:
    opened.command(commands.Inspect(device="shoe-1", result="not-in-order", note="worn rollers"), "tech")
    ruling = opened.only_ruling("device-not-in-order")
    assert ruling.directives == ("call-technician", "cover-or-sign")
    opened.ready_to_deal()
    assert opened.permits("shoe-1") == []
    assert "(659a.13(n))" in opened.refused(commands.Method(deal="manual-shoe"))
    opened.command(commands.Sign(device="shoe-1", sign="covered"))
    opened.command(commands.Method(deal="manual-shoe"))
    opened.command(commands.Inspect(device="shoe-1", result="in-order"), "tech")
    assert opened.holds() == set()


@pytest.mark.rule("device-unusable")
def test_659a_13_n_a_machine_that_cannot_be_used_is_no_way_to_go_back_to(opened: Bench) -> None:
    opened.fault("shuffler-1", "unusable=motor")
    opened.run(1.0)
    opened.command(commands.Sign(device="shuffler-1", sign="covered"), "dealer")
    opened.command(commands.Method(shuffle="hand"))
    assert opened.refused(commands.Method(shuffle="device")) == (
        "no shuffler of this table can be used now (An automated card shuffling device shuffles (659a.5(a)).)"
    )
    opened.machines["shuffler-1"].repair(opened.now)
    opened.run(1.0)
    opened.command(commands.Sign(device="shuffler-1", sign="removed"))
    opened.command(commands.Method(shuffle="device"))
    assert opened.state.method["shuffle"] == "device"


def test_a_house_may_go_over_to_another_way_also_where_nothing_is_broken(opened: Bench) -> None:
    opened.command(commands.Method(deal="manual-shoe"))
    assert opened.refused(commands.Method(deal="manual-shoe")) == (
        "that is the way already: shuffle device, deal manual-shoe, start shaker"
    )
    assert opened.refused(commands.Method(deal="by-foot")).startswith("deal: no way is called by-foot")


def test_the_way_is_not_changed_while_cards_are_dealt(dealing: Bench) -> None:
    assert dealing.refused(commands.Method(deal="hand")) == (
        "round 1 is being dealt; change the way after it"
    )


def test_a_sign_that_is_not_there_cannot_be_taken_away(opened: Bench) -> None:
    told = opened.refused(commands.Sign(device="shoe-1", sign="removed"), "dealer")
    assert told == "no cover or sign was reported on shoe-1"


@pytest.mark.rule("other-method-before-sign", "device-unusable")
def test_659a_13_n_another_way_with_a_machine_that_broke_after_the_change_is_told_until_it_is_signed(
    opened: Bench,
) -> None:
    opened.shoe.remove_rest(opened.now)
    opened.run(0.5)
    opened.command(commands.Method(deal="manual-shoe"))
    opened.fault("shoe-1", "unusable=motor")
    opened.run(1.0)
    opened.press("no-more-bets")
    opened.report("cards-dealt", deck="red")
    ruling = opened.rulings("other-method-before-sign")[0]
    assert (ruling.cite, ruling.directives) == (("659a.13(n)",), ("cover-or-sign", "call-floor"))
    assert [one.row for one in opened.state.round.notices] == ["other-method-before-sign"]
    opened.command(commands.Sign(device="shoe-1", sign="covered"), "dealer")
    assert opened.state.round.notices == ()


@pytest.mark.rule("signed-device-works")
def test_a_machine_that_works_under_its_sign_is_told(opened: Bench) -> None:
    opened.command(commands.Sign(device="shoe-1", sign="out-of-order"), "tech")
    opened.ready_to_deal()
    # Nothing is permitted to what has a sign.
    assert opened.permits("shoe-1") == []
    opened.inject("shoe-1", "stack", size=7)
    assert opened.rulings("signed-device-works")[0].directives == ("call-floor",)
