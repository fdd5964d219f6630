"""What methods add to the window: a module each, called as the method is (`ui.studies.own_editors`)."""


def module_name(method: str) -> str:
    """What the module or package of the method called *method* is called here."""
    return method.replace("-", "_")
