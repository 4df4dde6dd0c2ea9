"""Signed commands on a real broker to a real daemon: carried out once, answered, or refused and recorded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from felt_protocols.events.person import Person
from felt_protocols.signed.making import new_key, sign

if TYPE_CHECKING:
    from tests.mqtt.commands.conftest import Daemon, Kit

pytestmark = pytest.mark.asyncio


async def recorded(table: Daemon, request: str, count: int = 1) -> None:
    """Wait until so many refusals under this id are committed."""
    async with asyncio.timeout(15):
        while len(table.refusals(request)) < count:  # noqa: ASYNC110 - the journal wakes nobody here
            await asyncio.sleep(0.02)


async def test_a_command_is_carried_out_for_its_signer_and_answered_with_its_row(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        before = len(table.facts("dealer-came"))
        answer = await hall.ask("dan", wish := hall.wish("new-dealer"))
        rows = table.facts("dealer-came")
        assert len(rows) == before + 1
        assert answer == {"id": wish.jti, "ok": True, "sequence": rows[-1].seq}
        by = Person(role="dealer", name="Dan (dan)", proof="signed", key=table.people.kid("dan"))
        assert getattr(rows[-1].event, "by", None) == by
        # The answer is on the topic of the signer, whoever sent it.
        assert [client for client, one in hall.answers if one["id"] == wish.jti] == ["dan"]


async def test_a_request_that_is_sent_again_is_answered_alike_and_not_carried_out_again(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        before = len(table.facts("dealer-came"))
        wish = hall.wish("new-dealer")
        token = hall.signed("ann", wish)
        first, second, third = await hall.ask_until_answered(wish, token, answers=3)
        assert first == second == third
        assert len(table.facts("dealer-came")) == before + 1
        assert table.refusals(wish.jti) == []


async def test_an_expiry_that_was_moved_makes_no_other_request_of_it(table: Daemon, kit: Kit) -> None:
    async with kit.client(table.people, table.port) as hall:
        before = len(table.facts("dealer-came"))
        wish = hall.wish("new-dealer")
        first = await hall.ask("ann", wish, expires=4_000_000_000)
        await hall.send(wish.command, hall.signed("ann", wish, expires=4_000_000_001))
        assert await hall.answered(wish.jti, 2) == [first, first]
        assert len(table.facts("dealer-came")) == before + 1


async def test_an_id_that_was_used_for_something_else_is_refused_and_recorded(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        wish = hall.wish("new-dealer")
        assert (await hall.ask("ann", wish))["ok"]
        other = hall.wish("call-floor", jti=wish.jti)
        await hall.send("call-floor", hall.signed("ann", other))
        answer = (await hall.answered(wish.jti, 2))[1]
        assert (answer["ok"], answer["code"]) == (False, "replayed")
        assert answer["why"].endswith("was used for another request in this run; ids are used once")
        [row] = table.refusals(wish.jti)
        assert (row.command, row.way, row.by and row.by.name) == ("call-floor", "mqtt", "Ann (ann)")
        # Somebody else may have the same id, and it is another request.
        assert (await hall.ask("ben", hall.wish("new-dealer", jti=wish.jti)))["ok"]


async def test_what_the_role_or_the_table_does_not_allow_is_refused_with_the_reason(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        wish = hall.wish("open-table")
        answer = await hall.ask("dan", wish)
        assert (answer["ok"], answer["code"]) == (False, "forbidden")
        assert answer["why"] == "open-table is for floor; you are dealer"
        [row] = table.refusals(wish.jti)
        assert row.by == Person(role="dealer", name="Dan (dan)", proof="signed", key=table.people.kid("dan"))
        answer = await hall.ask("ann", hall.wish("acknowledge", {"hold": 99}))
        assert (answer["code"], answer["why"].partition(";")[0]) == ("refused", "there is no open hold 99")
        answer = await hall.ask("ann", hall.wish("acknowledge", {"hold": "x"}))
        assert (answer["code"], answer["why"].partition(":")[0]) == ("malformed", "hold")
        answer = await hall.ask("ann", hall.wish("open-tabel"))
        assert answer["code"] == "malformed"
        assert answer["why"] == "no command is called open-tabel; did you mean open-table?"
        answer = await hall.ask("dan", hall.wish("new-dealer"), role="floor")
        assert (answer["code"], answer["why"]) == (
            "forbidden",
            "not-their-role: dan does not have the role floor",
        )


async def test_a_refusal_is_final_for_its_id_although_the_table_would_take_it_later(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        wish = hall.wish("close-table")
        token = hall.signed("ann", wish)
        [refused] = await hall.ask_until_answered(wish, token)
        assert refused["why"] == "the table is closed already"
        for deck in ("red", "blue"):
            assert (await hall.ask("ann", hall.wish("change-deck", {"deck": deck, "preshuffled": True})))[
                "ok"
            ]
        assert (await hall.ask("ann", hall.wish("open-table")))["ok"]
        again = await hall.ask_until_answered(wish, token, answers=2)
        assert again == [refused, refused]
        assert table.facts("table-closed") == []
        assert (await hall.ask("ann", hall.wish("close-table")))["ok"]


@pytest.mark.parametrize(
    ("wrong", "code", "why"),
    [
        ({"table": "t-2"}, "malformed", "wrong-table: for table t-2, and this is t-1"),
        ({"start": "0f3a9c52"}, "late", "wrong-start: for the run 0f3a9c52"),
    ],
)
async def test_a_request_for_another_table_or_run_is_refused_and_recorded(
    table: Daemon, kit: Kit, wrong: dict[str, str], code: str, why: str
) -> None:
    async with kit.client(table.people, table.port) as hall:
        answer = await hall.ask("ann", wish := hall.wish("new-dealer", {}, **wrong))
        assert (answer["ok"], answer["code"]) == (False, code)
        assert answer["why"].startswith(why)
        [row] = table.refusals(wish.jti)
        assert (row.reason, row.by and row.by.name) == (answer["why"], "Ann (ann)")


async def test_a_request_on_another_commands_topic_is_refused_and_a_copy_there_keeps_its_answer(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        wish = hall.wish("new-dealer")
        token = hall.signed("ann", wish)
        await hall.send("open-table", token)
        [answer] = await hall.answered(wish.jti)
        assert (answer["code"], answer["why"]) == (
            "malformed",
            "wrong-command: new-dealer was sent to the topic of open-table",
        )
        done = await hall.ask("ann", wish := hall.wish("new-dealer"))
        # A stranger copies it elsewhere: recorded, and the signer is told nothing that is not so.
        await hall.send("open-table", hall.signed("ann", wish))
        assert await hall.answered(wish.jti, 2) == [done, done]
        await recorded(table, wish.jti)


async def test_what_nobody_can_be_believed_to_have_sent_is_recorded_and_answered_to_nobody(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port) as hall:
        wish = hall.wish("new-dealer")
        good = hall.signed("ann", wish)
        head, _, signature = good.partition(".")[0], None, good.rpartition(".")[2]
        other = hall.signed("ann", hall.wish("new-dealer")).split(".")[1]
        sent: dict[str, str | bytes] = {
            "forged": f"{head}.{other}.{signature}",
            "unknown-key": sign(new_key(), wish),
            "malformed": b"\x00\xff no token",
            "too-large: ": b"x" * 20_000,
        }
        before = len(table.facts("command-rejected"))
        for payload in sent.values():
            await hall.send("new-dealer", payload)
        # The wish itself was never carried out, so its id is free.
        assert (await hall.ask("ann", wish))["ok"]
        rows = [row.event for row in table.facts("command-rejected")[before:]]
        assert [
            getattr(row, "reason", "").startswith(word) for row, word in zip(rows, sent, strict=True)
        ] == [True] * 4
        assert {(row.by, row.way, row.request, row.command) for row in rows} == {  # type: ignore[attr-defined] # of that name
            (None, "mqtt", "", "new-dealer")
        }
        assert [one["id"] for _, one in hall.answers] == [wish.jti]


async def test_a_revoked_key_ends_at_once(table: Daemon, kit: Kit) -> None:
    async with kit.client(table.people, table.port) as hall:
        assert (await hall.ask("old", hall.wish("new-dealer")))["ok"]
        table.people.revoke("old")
        answer = await hall.ask("old", wish := hall.wish("new-dealer"))
        kid = table.people.kid("old")
        assert (answer["ok"], answer["code"]) == (False, "forbidden")
        assert answer["why"] == f"revoked-key: key {kid} is revoked or has come to its end"
        await recorded(table, wish.jti)


async def test_an_answer_goes_to_the_signers_topic_and_nowhere_that_a_request_names(
    table: Daemon, kit: Kit
) -> None:
    async with kit.client(table.people, table.port, "felt/1/t-1/private/mallory") as hall:
        wish = hall.wish("new-dealer")
        properties = kit.response_topic("felt/1/t-1/private/mallory")
        await hall.send("new-dealer", hall.signed("ann", wish), properties=properties)
        assert (await hall.answered(wish.jti))[0]["ok"]
        assert hall.stray == []
