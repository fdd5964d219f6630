"""The page of what is planned beforehand as a file to print and to deposit: Markdown, a web page, a PDF."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.registration import RegisteredPlan
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import printable, tr
from gpf_desktop.exporters._files import written_beside
from gpf_desktop.exporters._templates import templates
from gpf_desktop.figures.palette import palette

SUFFIXES: Final = ("md", "html", "pdf")


def check_suffix(target: Path) -> None:
    """Raises `UserError` for a format that there is not."""
    if target.suffix.lower().removeprefix(".") not in SUFFIXES:
        raise UserError(
            tr("The page cannot be written as “{suffix}”.", suffix=target.suffix or target.name),
            tr("Use a name that ends in {suffixes}.", suffixes=", ".join(f".{each}" for each in SUFFIXES)),
        )


def write_page(plan: RegisteredPlan, target: Path) -> None:
    """*plan* in the format that *target* ends in, whole. Raises `UserError`, `StorageError`."""
    check_suffix(target)
    with written_beside(target) as beside:
        beside.touch()
        match target.suffix.lower():
            case ".pdf":
                beside.write_bytes(_typeset(plan))
            case ".html":
                beside.write_text(_web_page(plan), encoding="utf-8", newline="\n")
            case _:
                beside.write_text(markdown(plan), encoding="utf-8", newline="\n")


def markdown(plan: RegisteredPlan, *, level: int = 1) -> str:
    """*level*: of its title, headings below it are one more."""
    return _marked(_view(plan), level)


def preview(plan: RegisteredPlan) -> str:
    """The page before it is registered, for a window: with no moment and no check code that somebody could copy."""
    view = _view(plan)
    return _marked({**view, "lead": tr("A preview: this is not registered yet."), "foot": []}, 3)


def _marked(view: dict[str, Any], level: int) -> str:
    parts = [f"{'#' * level} {view['title']}", view["lead"]]
    for section in view["sections"]:
        lines = section["lines"]
        parts.append(f"{'#' * (level + 1)} {section['title']}")
        parts.append("\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0])
    return "\n\n".join((*parts, *view["foot"])).replace("<", "&lt;") + "\n"


def _view(plan: RegisteredPlan) -> dict[str, Any]:
    moment = f"{plan.moment:%Y-%m-%d %H:%M:%S} UTC"
    synthetic = (tr("Synthetic: it plans answers of built-in test models alone."),) if plan.synthetic else ()
    return {
        "title": _line(tr("Planned beforehand: {title}", title=plan.title)),
        "lead": tr("Registered {moment}, before the first question was sent.", moment=moment),
        "sections": [
            {"title": _line(each.title), "lines": [_line(line) for line in each.lines]} for each in plan.sections
        ],
        "foot": [
            *synthetic,
            tr("Check code: {code}", code=plan.code),
            *(
                [tr("Page {n} of this audit, behind the one with check code {code}.", n=plan.number, code=plan.before)]
                if plan.before
                else []
            ),
            tr("Audit {uuid}. {program}.", uuid=plan.audit, program=plan.program),
            tr(
                "The time is the clock's of the computer that made this page. To prove it to others, deposit the page"
                " or its check code where the time is somebody else's."
            ),
        ],
    }


def _line(text: str) -> str:
    return " ".join(printable(text).split())


def _web_page(plan: RegisteredPlan) -> str:
    css = str(templates().get_template("report.css.j2").render(light=palette("light"), dark=palette("dark")))
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    template = templates().get_template("planned.html.j2")
    return str(template.render(css=css, css_hash=f"sha256-{digest}", **_view(plan)))


def _typeset(plan: RegisteredPlan) -> bytes:
    from typst import Compiler, TypstError

    folder = resources() / "reports"
    compiler = Compiler(
        folder / "planned.typ",
        root=folder,
        font_paths=[resources() / "fonts"],
        sys_inputs={"page": json.dumps({**_view(plan), "colors": palette("light")})},
    )
    try:
        pages = compiler.compile(format="pdf", timestamp=int(plan.moment.timestamp()))
    except TypstError as error:
        raise UserError(
            tr("This page cannot be set as a PDF."),
            tr("Write it as a web page (.html) and print that."),
            details=str(error),
        ) from error
    if not isinstance(pages, bytes):
        raise TypeError(f"Typst returned {type(pages).__name__} for one document")
    return pages
