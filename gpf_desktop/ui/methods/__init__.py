"""What methods add to the window: a module each, called as the method is (`ui.studies.own_editors`)."""
