"""A floor system acknowledges a hold: python send_command.py HOST PORT TABLE CLIENT KEY.pem HOLD."""  # noqa: INP001 - a program

import asyncio
import json
import sys
import uuid
from pathlib import Path

import aiomqtt

from felt_protocols import topics
from felt_protocols.signed.claims import Wish
from felt_protocols.signed.making import key_from_pem, sign

_V5 = aiomqtt.ProtocolVersion.V5


async def send(broker: tuple[str, int], table: str, client: str, pem: bytes, hold: int) -> str:
    """Sign the command, send it once, and wait for the answer, which the text tells."""
    key, jti, command, start = key_from_pem(pem), str(uuid.uuid4()), "acknowledge", None
    async with asyncio.timeout(10), aiomqtt.Client(*broker, protocol=_V5) as mqtt:
        await mqtt.subscribe(topics.reply(table, client), qos=1)
        await mqtt.subscribe(topics.status(table), qos=1)
        async for message in mqtt.messages:
            told = json.loads(bytes(message.payload))
            if told.get("id") == jti:
                return f"done: row {told['sequence']}" if told["ok"] else f"{told['code']}: {told['why']}"
            if start is None and told.get("online"):
                start = told["start"]  # a token is for this run of the daemon only
                wish = Wish(jti=jti, table=table, start=start, command=command, args={"hold": hold})
                await mqtt.publish(topics.command(table, command), sign(key, wish), qos=1)
            elif "online" in told and told["start"] != start:
                return "the table was started anew: look whether it was done before you send it again"
    return "the broker is gone: look whether it was done before you send it again"


if __name__ == "__main__":
    if len(sys.argv) != 7:  # noqa: PLR2004 - the six words of the first line
        sys.exit(__doc__)
    host, port, name, who, file, number = sys.argv[1:]
    print(asyncio.run(send((host, int(port)), name, who, Path(file).read_bytes(), int(number))))  # noqa: T201 - its answer
