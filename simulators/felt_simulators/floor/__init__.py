"""Many simulated tables at one broker, and what a floor's client makes of them.

The tables speak MQTT 5 and the contract by themselves: nothing here comes from the daemon's publisher or
from an MQTT library, so that a mistake of either shows.
"""
