"""From numbers to the answers they are made of: what to read first, two of them quoted, and the ways to Review."""

from dataclasses import replace
from typing import TYPE_CHECKING

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.factor_words import level_words, stratum_title
from gpf_desktop.engine.reporting.unlike_answers import UnlikeAnswers, unlike_answers
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.results.page_read import ToRead

if TYPE_CHECKING:
    from gpf_desktop.ui.results.results_view_model import ResultsViewModel


class AnswersToRead:
    """The answers behind the page that *model* shows; *model* is touched when a quotation has arrived."""

    def __init__(self, context: Context, model: "ResultsViewModel") -> None:
        self.to_read = ToRead()
        self.at = 0
        """Which of `to_read` is shown."""
        self._quoted: dict[BundleId, UnlikeAnswers | None] = {}
        """By set, its two most unlike answers; None: they could not be read."""
        self._context = context
        self._model = model

    @property
    def quoted(self) -> UnlikeAnswers | None:
        """The quotations of the set that is shown; None: not read yet, or not to be shown."""
        rows = self.to_read.rows
        return self._quoted.get(rows[self.at].bundle_id) if rows else None

    def fill(self, to_read: ToRead) -> None:
        """Show the first of *to_read*."""
        self.clear()
        self.to_read = to_read
        self.quote()

    def clear(self) -> None:
        self.to_read, self.at = ToRead(), 0
        self._quoted.clear()

    def next(self) -> None:
        """Show the next of the sets to read first."""
        if self.to_read.rows:
            self.at = (self.at + 1) % len(self.to_read.rows)
            self.quote()
            self._model.touch_now()

    def quote(self) -> None:
        """Have the two most unlike answers read of the set that is shown, unless they are there or names are hidden."""
        if not self.to_read.rows:
            return
        bundle = self.to_read.rows[self.at].bundle_id
        # Who reads with names hidden is not to learn whose answer it is before.
        if bundle in self._quoted or names_hidden():
            return
        reviews, to_read = self._context.engine.open_audit.reviews, self.to_read

        def there(found: UnlikeAnswers | None) -> None:
            self._quoted[bundle] = found
            self._model.touch()

        self._context.bridge.run(
            lambda: unlike_answers(reviews.bundle(bundle), to_read.factors, to_read.groups),
            then=there,
            failed=lambda _: there(None),
            owner=self._model,
            latest="quotation",
        )

    @property
    def _narrowed(self) -> bool:
        """Whether the page shows some models alone, which is then known of all that is opened from it."""
        return self._model.wanted.models is not None

    def first(self, bundle: BundleId) -> None:
        """Open Review on the sets to read first, at *bundle*."""
        ids = tuple(row.bundle_id for row in self.to_read.rows)
        chosen = QueueFilter(method=self._model.method, arm=self._model.wanted.arm, bundle_ids=ids)
        self._context.navigator.go(
            "review", filter=chosen, bundle=bundle, origin=tr("from Results: to read first"), named=self._narrowed
        )

    def lacking(self) -> None:
        """Open Review on the sets in which answers are missing."""
        chosen = QueueFilter(method=self._model.method, bundle_ids=self._model.lacking.bundles)
        origin = tr("from Results: sets that lack an answer")
        self._context.navigator.go("review", filter=chosen, origin=origin, named=self._narrowed)

    def declined(self) -> None:
        """Open Review on the sets in which something was declined by words that this program does not know."""
        assert self._model.results is not None
        chosen = QueueFilter(method=self._model.method, bundle_ids=self._model.results.unknown_refusals.bundles)
        self._context.navigator.go(
            "review", filter=chosen, origin=tr("from Results: declined by unknown words"), named=self._narrowed
        )

    def conclusion(self, at: int) -> None:
        """Open Review on the sets that carry conclusion number *at*, those that carry most first."""
        model = self._model
        if model.concluded is None:
            return
        one = model.concluded.told[at]
        ids = tuple(BundleId(each) for each in one.conclusion.bundles)
        if not ids:
            self.number(tr("Results"), BundleFilter(model=one.conclusion.model))
            return
        chosen = QueueFilter(method=model.method, arm=model.wanted.arm, bundle_ids=ids)
        origin = tr("from Results: {name}", name=one.name)
        self._context.navigator.go("review", filter=chosen, bundle=ids[0], origin=origin, named=True)

    def number(self, title: str, behind: BundleFilter) -> None:
        """Open Review on just the sets behind a number of the finding called *title*."""
        service, wanted, method = self._model.service, self._model.wanted, self._model.method
        levels = level_words(method, reversed(behind.levels))
        models = tr(" and ").join(behind.compared)
        stratum = stratum_title(behind.stratum or "")
        coordinates = (behind.about, *levels, stratum, models or behind.model or behind.vendor)
        what = " × ".join(filter(None, coordinates))

        def go(ids: tuple[BundleId, ...]) -> None:
            chosen = replace(QueueFilter.of(behind), method=method, bundle_ids=ids)
            if behind.arm is None:
                chosen = replace(chosen, arm=wanted.arm)
            # The names of two sides are what must be read where there is little room.
            place = tr("Results") if behind.sides else title
            origin = tr("from {title}: {what}", title=place, what=what) if what else tr("from {title}", title=title)
            by = (models, behind.model, behind.vendor, behind.synthetic is not None, self._narrowed)
            self._context.navigator.go("review", filter=chosen, origin=origin, named=any(by))

        self._context.bridge.run(
            lambda: service.bundles_behind(wanted, behind), then=go, owner=self._model, latest="behind"
        )
