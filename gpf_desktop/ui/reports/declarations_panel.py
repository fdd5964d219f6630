"""Declarations of an audit: auditor, client, money, access; what is kept; what should be done; the reply."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from gpf_desktop.domain.declarations import OPTIONAL, REQUIRED, Recommendation, RetentionLine, field_title
from gpf_desktop.domain.text import tr, trn, within
from gpf_desktop.engine.reporting.drafts.declared import offered_retention
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.reports.clauses_list import ClausesList
from gpf_desktop.ui.reports.draft_fields import LineField, TextField, rebuild
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.reports.reports_view_model import ReportsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, heading, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing


class DeclarationsPanel(PlainWidget):
    """A form; what is typed is kept at once."""

    def __init__(self, context: Context, reports: ReportsViewModel, model: DraftViewModel) -> None:
        super().__init__()
        self._model, self._reports = model, reports
        self.state = secondary(wrap=True, name="report.declaration.state")
        self.fields = {
            name: TextField(
                context,
                model,
                field_title(name) if name in REQUIRED else tr("{title} (optional)", title=field_title(name)),
                f"report.declaration.{name}",
                partial(self._type, name),
                least=1,
                prompt=tr("“none” where there is nothing to declare") if name in REQUIRED else "",
            )
            for name in (*REQUIRED, *OPTIONAL)
        }
        self.final = QCheckBox(tr("This report is final, and no draft any more"))
        self.final.setObjectName("report.declaration.final")
        self.final.toggled.connect(lambda on: self._set("final", on))
        self.retention = LinesEditor(model, RetentionLine, "retention", _retention_titles(), tr("Add what is kept"))
        self.offer = button(tr("Offer the usual lines"), self._offer, compact=True, name="report.retention.offer")
        self.recommendations = LinesEditor(
            model, Recommendation, "recommendations", _recommendation_titles(), tr("Add a recommendation")
        )
        self.named = QCheckBox(tr("Call reviewers by their names, not “Reviewer 1”"))
        self.named.setObjectName("report.named_reviewers")
        self.named.toggled.connect(self._name_reviewers)
        self.replies = secondary(wrap=True, name="report.replies")
        self.package = button(tr("Write the package …"), self._ask_package, compact=True, name="report.reply.package")
        self.take = button(tr("Take a reply …"), self._ask_reply, compact=True, name="report.reply.take")
        self.clauses = ClausesList(context, model)
        vbox(
            self.state,
            *(self.fields[name] for name in REQUIRED),
            self.final,
            *(self.fields[name] for name in OPTIONAL),
            self.named,
            heading(tr("What should be done")),
            self.recommendations,
            heading(tr("What is kept")),
            self.retention,
            hbox(self.offer, 1),
            heading(tr("Right of reply")),
            caption(
                tr("The audited party gets findings, quoted answers and a form; their reply is printed as it came.")
            ),
            self.replies,
            flowing(self.package, self.take),
            heading(tr("Clauses of laws and standards")),
            self.clauses,
            1,
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_2, SPACE_3, 0),
        )
        model.changed.connect(self.show_model)

    def show_model(self) -> None:
        draft = self._model.draft
        self.setEnabled(draft is not None)
        if draft is None:
            return
        declared = draft.declaration
        self.state.setText(declared.draft or tr("Reports of this audit are final."))
        for name, field in self.fields.items():
            field.show_text(getattr(declared, name))
        self.final.setEnabled(not declared.open_fields)
        for box, on in ((self.final, declared.final), (self.named, draft.named_reviewers)):
            box.blockSignals(True)
            box.setChecked(on)
            box.blockSignals(False)
        self.retention.show_lines(draft.retention)
        self.recommendations.show_lines(draft.recommendations)
        self.offer.setVisible(not draft.retention)
        n = len(draft.replies)
        self.replies.setText(trn("{n} reply is kept.", "{n} replies are kept.", n) if n else tr("No reply yet."))
        self.clauses.show_answers(draft.clauses)

    def _type(self, name: str, text: str) -> None:
        changed: dict[str, Any] = {name: text}
        words = within(field_title(name))
        self._model.type_in(words, lambda draft: _declared(draft, changed), typing=f"declaration {name}")

    def _set(self, name: str, value: bool) -> None:
        self._model.edit(tr("declarations"), lambda draft: _declared(draft, {name: value}))

    def _name_reviewers(self, on: bool) -> None:
        self._model.edit(tr("names of reviewers"), lambda draft: replace(draft, named_reviewers=on))

    def _offer(self) -> None:
        self._model.edit(tr("what is kept"), lambda draft: replace(draft, retention=offered_retention()))

    def _ask_package(self) -> None:
        ask_of_names(self, self._ask_where)

    def _ask_where(self) -> None:
        ask_to_save(
            self,
            tr("Write the package for the audited party"),
            tr("Packages") + " (*.zip)",
            "zip",
            self._reports.write_package,
            suggested=tr("findings to reply to"),
        )

    def _ask_reply(self) -> None:
        ask_to_open(self, tr("Take a reply"), tr("Replies") + " (*.toml)", self._model.take_reply)


class LinesEditor(PlainWidget):
    """Entries of one kind in a draft, a card each, with a field for every part."""

    def __init__(
        self, model: DraftViewModel, kind: type[Any], field: str, titles: dict[str, str], add_words: str
    ) -> None:
        """*field* of the draft holds them; *titles* by name of a part, in their order."""
        super().__init__()
        self._model, self._kind, self._field, self._titles = model, kind, field, titles
        self.cards: list[dict[str, LineField]] = []
        self.add = button(add_words, self._add, compact=True, name=f"report.{field}.add")
        self._column = QVBoxLayout()
        self._column.setSpacing(SPACE_2)
        vbox(self._column, hbox(self.add, 1), parent=self, spacing=SPACE_2)

    def show_lines(self, lines: tuple[Any, ...]) -> None:
        if len(lines) != len(self.cards):
            rebuild(self, partial(self._make, len(lines)), self.add)
        for card, line in zip(self.cards, lines, strict=True):
            for name, field in card.items():
                field.show_text(getattr(line, name))

    def _make(self, n: int) -> None:
        clear_layout(self._column)
        self.cards = []
        for at in range(n):
            name = f"report.{self._field}.{at + 1}"
            parts = {
                part: LineField(self._model, title, f"{name}.{part}", partial(self._type, at, part))
                for part, title in self._titles.items()
            }
            remove = button(tr("Remove"), partial(self._remove, at), compact=True, name=f"{name}.remove")
            remove.setAccessibleName(tr("Remove entry {n}", n=at + 1))
            card = Card(tr("Entry {n}", n=at + 1), name=name)
            for each in (*parts.values(), _left(remove)):
                card.body.addWidget(each)
            self._column.addWidget(card)
            self.cards.append(parts)

    def _add(self) -> None:
        first = next(each.name for each in fields(self._kind))
        self._change(lambda lines: (*lines, self._kind(**{first: ""})), tr("add an entry"))

    def _remove(self, at: int) -> None:
        self._change(lambda lines: (*lines[:at], *lines[at + 1 :]), tr("remove an entry"))

    def _type(self, at: int, part: str, text: str) -> None:
        changed: dict[str, Any] = {part: text}

        def edit(lines: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(replace(each, **changed) if place == at else each for place, each in enumerate(lines))

        self._change(edit, within(self._titles[part]), typing=f"{self._field} {at} {part}")

    def _change(self, edit: Callable[[tuple[Any, ...]], tuple[Any, ...]], words: str, typing: str = "") -> None:
        def changed(draft: ReportDraft) -> ReportDraft:
            lines: dict[str, Any] = {self._field: edit(getattr(draft, self._field))}
            return replace(draft, **lines)

        self._model.type_in(words, changed, typing=typing)


def _declared(draft: ReportDraft, changed: dict[str, Any]) -> ReportDraft:
    return replace(draft, declaration=replace(draft.declaration, **changed))


def _left(widget: QWidget) -> QWidget:
    row = PlainWidget()
    hbox(widget, 1, parent=row)
    return row


def _retention_titles() -> dict[str, str]:
    return {
        "what": tr("What is kept"),
        "where": tr("Where"),
        "until": tr("Until when"),
        "rule": tr("By which rule"),
        "destroyed": tr("Destroyed (when, how)"),
        "asks": tr("Who may ask for it"),
    }


def _recommendation_titles() -> dict[str, str]:
    return {
        "text": tr("What should be done"),
        "owner": tr("By whom"),
        "due": tr("Until"),
        "done": tr("What became of it"),
    }
