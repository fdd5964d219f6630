"""The shipped templates of reports, and the colours that they name."""

from functools import cache
from typing import Any

from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import in_quotes


@cache
def templates() -> Any:
    """Jinja's environment: whatever a template is given is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # For every template: by their endings Jinja would escape none that is called .j2. A name that a template misspells
    # is an error, and no empty place in a report.
    made = Environment(
        loader=FileSystemLoader(resources() / "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=False,
    )
    made.filters["quoted"] = in_quotes
    return made
