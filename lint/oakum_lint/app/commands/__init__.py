"""The subcommands of `oakum`, one module each; `cli` imports the one that is asked for."""
