"""The games that simulated people know: what each is dealt from, and how they deal it."""
