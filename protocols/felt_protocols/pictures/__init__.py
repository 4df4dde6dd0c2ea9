"""What goes over MQTT besides the data of events: their envelope, retained pictures, and short messages.

Each is a closed model, which what is published is tested against. `TOLD` lists them under their names; the
schemas of `felt_protocols.schemas` are made of them.
"""

from felt_protocols.pictures.device import DevicePicture
from felt_protocols.pictures.envelope import Envelope
from felt_protocols.pictures.exchange import Ack, Done, FloorStatus, Private, Refused, Status
from felt_protocols.pictures.hold import HoldPicture
from felt_protocols.pictures.table import TablePicture
from felt_protocols.pictures.told import Told

# A message that has one of two forms has two models.
TOLD: dict[str, tuple[type[Told], ...]] = {
    "felt.message.envelope.v1": (Envelope,),
    "felt.message.status.v1": (Status,),
    "felt.message.floor-status.v1": (FloorStatus,),
    "felt.message.ack.v1": (Ack,),
    "felt.message.reply.v1": (Done, Refused),
    "felt.message.private.v1": (Private,),
    "felt.picture.state.v1": (TablePicture,),
    "felt.picture.hold.v1": (HoldPicture,),
    "felt.picture.device.v1": (DevicePicture,),
}

__all__ = [
    "TOLD",
    "Ack",
    "DevicePicture",
    "Done",
    "Envelope",
    "FloorStatus",
    "HoldPicture",
    "Private",
    "Refused",
    "Status",
    "TablePicture",
    "Told",
]
