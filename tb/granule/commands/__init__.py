"""The command `granule`: one file a subcommand."""
