"""The effect of a role: the shift from no role, paired by prompt."""

from collections.abc import Collection, Iterator

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.findings import Estimate, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._series import AskedModel, BoardOptions, boards, root_mean, series_columns
from gpf_desktop.methods.saged.protocol import NO_ROLE


class RolesBoard(TableAnalysis):
    """Each feature with a role less the same without one, by concept and over all of them."""

    name = "saged_roles"
    options = BoardOptions
    title = Translated("What roles change")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        found = boards(scores, options)
        asked = found.asked
        plain = {each.model: each for each in asked if each.role == NO_ROLE}
        rows = tuple(
            row
            for each in asked
            if each.role != NO_ROLE and each.model in plain
            for row in _rows(each, plain[each.model], found.alike)
        )
        return self.finding(
            columns=(
                *series_columns(),
                text("concept", options.by.heading),
                estimate("shift", tr("Shift"), tr("Mean over prompts of the number with the role less that without.")),
                estimate("change", tr("Change"), tr("Mean size of that difference, whichever way it goes.")),
                count("prompts", tr("Prompts")),
            ),
            rows=rows,
            reading=tr("How answers to the same prompt moved when the model was given a role."),
            notes=(
                tr(
                    "Paired by prompt; ranges: t over sentences. Answers differ by themselves: where temperature "
                    "is above 0, a change above 0 is no effect of the role. Of single groups those are printed "
                    "whose shift's range leaves out 0, as about 5 in 100 do by chance."
                ),
                *found.alike_note,
            ),
        )


def _rows(asked: AskedModel, plain: AskedModel, alike: Collection[str]) -> Iterator[Row]:
    import pandas as pd

    keys = ["run_id", "article_id", "concept"]
    features = [name for name in asked.features if name in plain.features]
    pairs = pd.merge(
        asked.frame[[*keys, GROUP, *features]], plain.frame[[*keys, *features]], on=keys, suffixes=("", "_plain")
    )
    for feature in features:
        apart = (pairs[feature] - pairs[f"{feature}_plain"]).to_numpy(float)
        roots = pairs["article_id"].to_numpy()
        for group in (None, *asked.groups):
            mine = (pairs[GROUP] == group).to_numpy() | (group is None)
            shift: Estimate = root_mean(apart[mine], roots[mine])
            values: dict[str, Value] = {
                **asked.told_by(feature),
                "concept": tr("all {groups}", groups=asked.by.plural) if group is None else group,
                "shift": shift,
                "change": root_mean(abs(apart[mine]), roots[mine]),
                "prompts": shift.n,
            }
            # Of single groups those that moved are printed.
            detail = feature in alike or (group is not None and not _moved(shift))
            yield asked.row(values, group, detail=detail)


def _moved(shift: Estimate) -> bool:
    """Whether its interval leaves out 0."""
    its = shift.interval
    return its is not None and (its.low > 0 or its.high < 0)


ANALYSIS = RolesBoard()
