"""The publisher: a child process that reads the journal by cursor and tells the floor over MQTT.

`process.py` is the device process's side of the pipe, `__main__.py` the child. In the child, pure machines
decide what is sent when: `lane.py` the common stream, `consumers.py` who has what and who is waited for,
`catch_up.py` what one consumer gets beside, `delivery.py` all three, `acks.py` reads what consumers say.
`picture.py` keeps the retained topics, `post.py` makes messages of rows, `adapter.py` is one connection to a
broker; `session.py` and `flow.py` pump one connection, `desk.py` has what outlives it, and `publication.py`
connects again for ever.
"""
