"""The shell around the table: it feeds facts in, and carries out, records and tells what is decided."""
