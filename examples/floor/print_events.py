"""Prints every event of every table: python print_events.py HOST PORT."""

import asyncio
import sys

from felt_floor import Floor


async def main(host: str, port: int) -> None:
    async with Floor(host, port, consumer="pit") as floor:
        async for event in floor.events():
            print(event.table, event.sequence, event.name, event.data, flush=True)
            await event.ack()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
