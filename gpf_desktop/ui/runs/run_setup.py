"""Set-up of a round on one page, with a live summary beside it."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import BatchId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.models.price_list import is_stale
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.models.wording import price_date, price_words
from gpf_desktop.ui.runs.finds_card import RoundFindsCard
from gpf_desktop.ui.runs.register_dialog import RegisterDialog
from gpf_desktop.ui.runs.repeat_dialog import RepeatDialog
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_card import ScopeCard
from gpf_desktop.ui.runs.set_up_area import SetUpArea
from gpf_desktop.ui.runs.setup_view_model import SetupViewModel
from gpf_desktop.ui.runs.summary_card import Starting, SummaryCard
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import column_of, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.editors import real_box, show_money
from gpf_desktop.ui.widgets.fields import FormField, offer
from gpf_desktop.ui.widgets.labels import caption, show_words
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, moment

_STRATUM = 1
"""Place of the column that only methods have which keep groups of news apart."""
_MOST = 1000
"""Rows of a table that stand in the form without a scroll bar of their own."""


class RunSetupForm(QWidget):
    """Articles, models, controls and cap at the left; what they come to at the right."""

    def __init__(self, context: Context, runs: RunsViewModel) -> None:
        super().__init__()
        self.model = SetupViewModel(context, runs, self)
        self._context = context
        self._name = QLineEdit()
        self._name.textEdited.connect(self.model.set_name)
        form = column_of(
            FormField(tr("Name"), self._name, name="setup.name"),
            self._articles_card(),
            self._models_card(),
            self._controls_card(),
            ScopeCard(context, self.model, lambda: self.model.forecast),
            1,
            spacing=SPACE_3,
        )
        self._takes = self._summary_card()
        self.finds = RoundFindsCard(context.theme, self.model.finds)
        vbox(SetUpArea(context.theme, form, self._takes, self.finds, "setup.scroll"), parent=self)
        self.model.changed.connect(self._show)
        self._show()

    def _articles_card(self) -> Card:
        card = Card(tr("Articles"))
        self._batch = named(QComboBox(), "setup.batch", tr("New articles, or an earlier batch"))
        self._batch.activated.connect(lambda _: self.model.set_batch(self._batch.currentData()))
        card.top.addWidget(self._batch)
        picks = []
        for text, take in (
            (tr("Newest 1"), partial(self.model.take_newest, 1)),
            (tr("Newest 5"), partial(self.model.take_newest, 5)),
            (tr("5 of the method's news"), self._take_marked),
            (tr("None"), partial(self.model.take_newest, 0)),
        ):
            picks.append(button(text, take, compact=True))
        self._article_rows: RowsTableModel[Article] = RowsTableModel(
            self._context.theme, self._article_columns(), key=lambda article: article.id
        )
        self._article_rows.ticked.connect(lambda article, on: self.model.take_article(article, on=on))
        self.articles = DataTable(
            self._context.theme, self._article_rows, says=tr("Unused articles"), name="setup.articles", embedded=True
        )
        self._no_articles = caption(tr("There are no unused articles. Fetch your sources, or add some."))
        self._to_sources = link(tr("Go to Sources"), lambda: self._context.navigator.go("sources"))
        # The method, which is not known yet, has its own words for them.
        self._marked = picks[2]
        self._picks = flowing(*picks)
        self._more = link("", self._show_all, name="setup.moreArticles")
        for widget in (self._picks, self.articles, self._more, self._no_articles, self._to_sources):
            card.body.addWidget(widget)
        return card

    def _models_card(self) -> Card:
        card = Card(tr("Models"))
        self._model_rows: RowsTableModel[TargetModel] = RowsTableModel(
            self._context.theme, self._model_columns(), key=lambda model: model.id
        )
        self._model_rows.ticked.connect(lambda model, on: self.model.take_model(model, on=on))
        self.models = DataTable(
            self._context.theme, self._model_rows, says=tr("Models"), name="setup.models", embedded=True
        )
        self._no_models = caption(tr("There are no models yet."))
        self._to_models = link(tr("Go to Models"), lambda: self._context.navigator.go("models"))
        self._jobs = named(QCheckBox(tr("Half price through batch jobs (answers within 24 h)")), "setup.jobs")
        self._jobs.toggled.connect(self.model.set_batch_jobs)
        self._jobs_difference = caption()
        self._jobs_difference.setObjectName("setup.jobsDifference")
        for widget in (self.models, self._no_models, self._to_models, self._jobs, self._jobs_difference):
            card.body.addWidget(widget)
        return card

    def _controls_card(self) -> Card:
        card = Card(tr("Controls and cap"))
        self._controls = named(
            QCheckBox(tr("Ask the method's controls too, in the protocol's own sizes")), "setup.controls"
        )
        self._controls.toggled.connect(self.model.set_controls)
        self._controls_tell = caption(name="setup.controlsTell")
        self._capped = named(QCheckBox(tr("Pause when the spend reaches")), "setup.capped")
        self._cap = named(real_box(0.01, 1e6, "US$", decimals=2, step=1.0), "setup.cap", tr("Spend cap in US dollars"))
        self._cap.setValue(10.0)
        self._cap.setEnabled(False)
        self._capped.toggled.connect(self._cap.setEnabled)
        self._capped.toggled.connect(self._cap_changed)
        self._cap.valueChanged.connect(self._cap_changed)
        self._cap_words = caption(name="setup.capWords")
        fill(card.body, self._controls, self._controls_tell, hbox(self._capped, self._cap, 1), self._cap_words)
        return card

    def _summary_card(self) -> SummaryCard:
        model = self.model
        card = SummaryCard(
            self._context, Starting(preflight=model.preflight, begin=model.begin, anyway=model.start), "setup"
        )
        card.offer(
            button(tr("Register this plan …"), self._ask_to_register, name="setup.register"),
            button(tr("Try 1 article first"), lambda: model.begin(one_first=True), name="setup.try"),
            button(tr("Save plan …"), self._save_plan, name="setup.save"),
            button(tr("Repeat …"), self._ask_repeat, name="setup.repeat"),
        )
        return card

    def _article_columns(self) -> list[TableColumn[Article]]:
        return [
            TableColumn(
                title=tr("Article"),
                text=lambda article: article.headline,
                checked=lambda article: article.id in self.model.chosen_articles,
                tip=lambda article: article.description or tr("headline only"),
                stretch=True,
            ),
            TableColumn(title=tr("Stratum"), text=self._stratum_title, width=130),
            TableColumn(title=tr("Source"), text=lambda article: article.source_title, width=170),
            TableColumn(
                title=tr("Published"),
                text=lambda article: moment(article.published),
                sort=lambda article: article.published,
                width=160,
            ),
        ]

    def _model_columns(self) -> list[TableColumn[TargetModel]]:
        return [
            TableColumn(
                title=tr("Model"),
                text=lambda model: model.label,
                checked=lambda model: model.id in self.model.chosen_models,
                stretch=True,
            ),
            TableColumn(
                title=tr("Price per million tokens"),
                text=lambda model: tr("synthetic") if model.synthetic else price_words(model.endpoint.price),
                icon=_price_icon,
                tip=lambda model: price_date(model.endpoint.price),
            ),
        ]

    def _show_all(self) -> None:
        # Before the link goes: Qt would hand the keyboard on to the rail.
        self.articles.setFocus()
        self.model.show_all_articles()

    def _take_marked(self) -> None:
        if (marked := self.model.marked_stratum) is not None:
            self.model.take_newest(5, marked.name)

    def _stratum_title(self, article: Article) -> str:
        its = self.model.strata.get(article.stratum)
        return article.stratum if its is None else its.title

    def _show(self) -> None:
        model = self.model
        if not self._name.hasFocus() or not self._name.text():
            self._name.setText(model.name)
        shown = model.shown_articles
        self._article_rows.set_rows(shown)
        more = len(model.articles) - len(shown)
        self._more.setVisible(bool(more) and model.batch_id is None)
        self._more.setText(trn("Show {count} more", "Show {count} more", more, count=count(more)))
        self._model_rows.set_rows(model.models)
        self.articles.fit_height(_MOST)
        self.models.fit_height(_MOST)
        new = model.batch_id is None
        self._picks.setVisible(new and bool(model.articles))
        marked = model.marked_stratum
        if marked is not None:
            self._marked.setText(tr("5 {stratum}", stratum=marked.title))
        self._marked.setVisible(marked is not None)
        self.articles.leave_out(_STRATUM, out=not model.strata)
        self.articles.setVisible(new and bool(model.articles))
        self._no_articles.setVisible(new and not model.articles)
        self._to_sources.setVisible(new and not model.articles)
        self.models.setVisible(bool(model.models))
        self._no_models.setVisible(not model.models)
        self._to_models.setVisible(not model.models)
        self._show_batches()
        self._controls.setVisible(model.has_controls)
        self._controls.setChecked(model.with_controls)
        show_words(self._controls_tell, model.controls_tell)
        self._jobs.setVisible(model.offers_batch_jobs)
        self._jobs.setChecked(model.batch_jobs)
        self._jobs_difference.setVisible(model.offers_batch_jobs)
        self._jobs_difference.setText(model.batch_jobs_difference())
        self._show_cap()
        self._takes.show_takes(model.summary(), model.remarks(), model.formula())
        self._takes.show_blocked(tr("To start: {what}.", what=model.blocked) if model.blocked else "")

    def _show_batches(self) -> None:
        choices: list[tuple[str, BatchId | None]] = [(tr("New articles"), None)]
        choices += [
            (f"{batch.name} · {trn('{n} article', '{n} articles', batch.articles)}", batch.id)
            for batch in self.model.batches
        ]
        offer(self._batch, choices, self.model.batch_id)

    def _show_cap(self) -> None:
        model = self.model
        with QSignalBlocker(self._capped), QSignalBlocker(self._cap):
            self._capped.setChecked(model.spend_cap is not None)
            self._cap.setEnabled(model.spend_cap is not None)
            if model.spend_cap is not None and not self._cap.hasFocus():
                show_money(self._cap, model.spend_cap)
        words = model.cap_words()
        show_words(self._cap_words, words)

    def _cap_changed(self, *_: object) -> None:
        self.model.set_cap(self._cap.value() if self._capped.isChecked() else None)

    def _ask_to_register(self) -> None:
        setup = self.model.setup
        if setup is not None:
            open_audit = self._context.engine.open_audit
            RegisterDialog(self._context, self, lambda readers: open_audit.intended(setup, readers)).open()

    def _ask_repeat(self) -> None:
        if self.model.setup is not None:
            RepeatDialog(self._context, self, self.model.setup).open()

    def _save_plan(self) -> None:
        named = f"{self.model.name}.toml"
        ask_to_save(self, tr("Save plan"), tr("Plans (*.toml)"), ".toml", self.model.save_plan, suggested=named)


def _price_icon(model: TargetModel) -> tuple[str, str] | None:
    price = model.endpoint.price
    if model.synthetic:
        return "calibration", "synthetic"
    return ("warning", "warning") if price is not None and is_stale(price) else None
