"""Methods' additions to the window: a module each, called as the method is (`ui.studies.own_editors`)."""


def module_name(method: str) -> str:
    """The name here of the module or package of *method*."""
    return method.replace("-", "_")
