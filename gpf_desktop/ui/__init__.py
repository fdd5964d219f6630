"""The window: bridge to the engine, theme, widgets, and one folder per page."""
