"""One module for each subcommand: ``arguments(parser)`` declares, ``run(args)`` does, and returns the exit code."""
