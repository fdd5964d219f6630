"""The quoted answers alone, each with its check code: a page that a sceptic walks in a browser."""

from gpf_desktop.domain.check_codes import full_code, short_code
from gpf_desktop.domain.reports import Report, ReportAnswer, ReportBundle
from gpf_desktop.domain.text import printable, tr
from gpf_desktop.exporters._finding_view import View
from gpf_desktop.exporters._properties import document_authors, synthetic_words


def answers_view(report: Report) -> View:
    """The values that ``answers.html.j2`` names, except the style sheet."""
    brief = report.brief
    return {
        "title": tr("Quoted answers: {title}", title=printable(report.title)),
        "draft": "" if brief is None else brief.draft,
        "bands": [] if brief is None else [printable(each) for each in brief.bands],
        "authors": document_authors(report),
        "synthetic": synthetic_words(report),
        "sets": [_set(each) for each in report.bundles],
        "words": {
            "short": report.statement,
            "how": tr("How to check an answer"),
            "steps": (
                tr("Copy its text into a file in UTF-8, with no line end behind the last word."),
                tr("Take its SHA-256, as by “sha256sum FILE”: the first 12 digits are the check code."),
                tr(
                    "The shared file of the audit holds the same digits as “answer_sha256” beside each answer, and"
                    " “gpf-desktop verify FILE.zip” computes every score of them anew."
                ),
            ),
            "sets": tr("All sets"),
            "before": tr("the set before"),
            "next": tr("the next set"),
            "unread": tr("Not reviewed: no person has given a verdict on these answers."),
            "code": tr("Check code"),
            "changed": tr(
                "This answer holds characters that no page can show, so the code is not that of the text above: compare"
                " it with the shared file."
            ),
        },
    }


def _set(bundle: ReportBundle) -> View:
    counted = tr("set {n}, {valid} of {planned} answers", n=bundle.number, valid=bundle.valid, planned=bundle.planned)
    return {
        "id": f"set-{bundle.number}",
        "title": printable(bundle.heading),
        "model": printable(f"▲ {bundle.model}" if bundle.synthetic else bundle.model),
        "counted": counted,
        "question": printable(bundle.question),
        "headline": printable(bundle.headline),
        "description": printable(bundle.description),
        "verdicts": "; ".join(printable(each.what) for each in bundle.reviews[-1:]),
        "readings": [
            {"what": printable(each.what), "who": printable(each.reviewer), "note": printable(each.note)}
            for each in bundle.reviews
        ],
        "answers": [_answer(each, f"set-{bundle.number}-{at}") for at, each in enumerate(bundle.answers, start=1)],
    }


def _answer(answer: ReportAnswer, name: str) -> View:
    digest, text = full_code(answer.text), printable(answer.text)
    return {
        "id": name,
        "level": printable(answer.level),
        # In a `pre` the first line end is no part of the text.
        "text": f"\n{text}" if text.startswith("\n") else text,
        "missing": tr("No valid answer: {reason}.", reason=answer.missing) if answer.missing else "",
        "code": short_code(digest),
        "digest": digest,
        "changed": text != answer.text,
    }
