"""One connection to an MQTT 5 broker, as tables and their consumers need it.

No other package of feltd on a box or in a floor system knows aiomqtt. It comes with the extras `mqtt` and
`floor` of the distribution felt-protocols. `way` has the words, `connection` what can be done while it is
open, `client` what aiomqtt and paho need for that, `tls` a socket.
"""
