"""The parts around the pages: menus, rail, message bar, inspector, status strip, palette."""
