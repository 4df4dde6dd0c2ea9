"""A table's packets of MQTT 5, byte for byte as the standard has them."""

from __future__ import annotations

import pytest

from felt_simulators.floor import packets
from felt_simulators.floor.packets import (
    BadPacket,
    Connack,
    Disconnect,
    Pong,
    Puback,
    Published,
    Receiver,
    Suback,
)


def heard(data: bytes) -> list[packets.Packet]:
    return list(Receiver().take(data))


def test_a_connect_is_a_clean_start_with_a_retained_will() -> None:
    assert packets.connect("t-1", 10, "w", b"gone") == bytes.fromhex(
        "10 1a"  # CONNECT, 26 bytes
        "0004 4d515454 05"  # MQTT, version 5
        "2e 000a 00"  # clean start, will at QoS 1 and retained; 10 s; no properties
        "0003 742d31"  # t-1
        "00 0001 77 0004 676f6e65"  # a will without properties on topic w
    )


def test_a_publish_has_its_number_and_says_what_its_payload_is() -> None:
    assert packets.publish("a/b", b"{}", 258) == bytes.fromhex("32 0a 0003 612f62 0102 00 7b7d")
    retained = packets.publish("a/b", b"{}", 1, retain=True, content="x/y")
    assert retained == bytes.fromhex("33 10 0003 612f62 0001 06 03 0003 782f79 7b7d")


def test_a_long_packet_has_a_length_of_several_bytes() -> None:
    whole = packets.publish("a", bytes(200), 1)
    # 206 bytes: 78 and another byte to come, then 1 times 128.
    assert whole[:3] == bytes.fromhex("32 ce01")
    assert len(whole) == 3 + 206


def test_subscribe_answer_ping_and_good_bye() -> None:
    assert packets.subscribe(["a", "b"], 7) == bytes.fromhex("82 0b 0007 00 0001 61 01 0001 62 01")
    assert packets.puback(7) == bytes.fromhex("40 02 0007")
    assert packets.ping() == bytes.fromhex("c0 00")
    assert packets.disconnect() == bytes.fromhex("e0 00")


@pytest.mark.parametrize(
    ("data", "packet"),
    [
        ("20 03 00 00 00", Connack(0, 65_535)),
        ("20 03 00 87 00", Connack(0x87, 65_535)),
        # Topic alias maximum 10, receive maximum 20.
        ("20 09 00 00 06 22 000a 21 0014", Connack(0, 20)),
        # A user property, an assigned client id, a flag, and then the receive maximum 5.
        ("20 13 00 00 10 26 0001 61 0001 62 12 0001 63 24 01 21 0005", Connack(0, 5)),
        ("40 02 0102", Puback(258, 0)),
        ("40 03 0102 10", Puback(258, 0x10)),
        ("90 04 0007 00 01", Suback(7, (1,))),
        ("90 07 0007 02 1f 00 01 87", Suback(7, (1, 0x87))),
        ("32 07 0001 61 0009 00 78", Published("a", b"x", 9, retained=False)),
        ("31 05 0001 61 00 78", Published("a", b"x", None, retained=True)),
        # With a content type before the payload.
        ("30 09 0001 61 04 03 0001 7a 78", Published("a", b"x", None, retained=False)),
        ("d0 00", Pong()),
        ("e0 00", Disconnect(0)),
        ("e0 01 8e", Disconnect(0x8E)),
    ],
)
def test_what_a_broker_says_is_understood(data: str, packet: packets.Packet) -> None:
    assert heard(bytes.fromhex(data)) == [packet]


def test_packets_are_found_however_the_bytes_are_cut() -> None:
    data = packets.publish("a/b", bytes(300), 1) + bytes.fromhex("40 02 0102 d0 00")
    receiver = Receiver()
    one_by_one = [packet for byte in data for packet in receiver.take(bytes([byte]))]
    assert one_by_one == heard(data)
    assert [type(packet) for packet in one_by_one] == [Published, Puback, Pong]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("10 00", "no broker sends a packet of type 1 to a table"),
        ("40 01 00", "a packet of type 4 is broken"),
        ("30 01 00", "a packet of type 3 is broken"),
        ("30 03 0001 ff", "a packet of type 3 is broken"),
        ("20 00", "a packet of type 2 is broken"),
        ("30 ff ff ff ff 01", "the length of a packet has no end"),
    ],
)
def test_garbage_is_told_as_that(data: str, why: str) -> None:
    with pytest.raises(BadPacket, match=why):
        heard(bytes.fromhex(data))
