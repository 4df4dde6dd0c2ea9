"""Who people and systems are, and how they prove it: the register, PINs and signatures.

`register` is the file's content, `book` follows the file while it changes, `store` writes it, `changes` are
what `felt keys` does to it. `pins` checks a PIN in a child process (`check`), `tries` slows guessing down,
`signed` says who signed a command. `argon` and `signed` need libraries of several MB, and `check` starts
anew for every PIN: so nothing is imported here, and each process loads only what it uses.
"""
