"""From a TOML file to tasks with permanent ids."""
