"""Properties of MQTT 5 packets, in the form that paho wants."""

from __future__ import annotations

import functools

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from typing_extensions import override


class _Packed(Properties):
    """Properties that never change: to pack them anew for each message costs a tenth of all sending."""

    @functools.cached_property
    def _bytes(self) -> bytes:
        return bytes(super().pack())  # type: ignore[no-untyped-call] # paho's method has no annotations

    @override
    def pack(self) -> bytes:
        return self._bytes


@functools.cache
def published(content_type: str | None) -> Properties | None:
    """The properties of a PUBLISH whose payload is of this type; none where nothing is said of it."""
    if content_type is None:
        return None
    properties = _Packed(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call] # as below
    properties.ContentType = content_type
    return properties


def plain(packet: int) -> Properties:
    """The properties of a packet of this type, none yet."""
    return Properties(packet)  # type: ignore[no-untyped-call] # paho's constructor has no annotations
