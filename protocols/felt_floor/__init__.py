"""What a floor system receives tables with: every event once, in order, and acknowledged when it is stored.

    async with Floor("broker.example", consumer="pit") as floor:
        async for event in floor.events():
            print(event.table, event.sequence, event.name, event.data)
            await event.ack()

docs/floor.md is its page. Comes with the extra `felt-protocols[floor]`; `felt_floor.signer`, for commands,
with `felt-protocols[floor,signed]`.
"""

from felt_floor.client import Floor
from felt_floor.event import Event
from felt_floor.health import Health, TableHealth
from felt_floor.link import Tls
from felt_floor.positions import Position
from felt_floor.requests import NoAnswerError, Reply
from felt_floor.trouble import Trouble

__all__ = ["Event", "Floor", "Health", "NoAnswerError", "Position", "Reply", "TableHealth", "Tls", "Trouble"]
