"""The publisher: a child process that reads the journal by cursor and tells the floor over MQTT.

`process.py` is the device process's side of the pipe, `__main__.py` the child. In the child, `lane.py`
decides what is sent when, `picture.py` keeps the retained topics, `adapter.py` is one connection to a
broker, and `publication.py` pumps them.
"""
