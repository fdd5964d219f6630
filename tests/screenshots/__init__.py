"""Pictures of every page, made by one command and looked at by a person."""
