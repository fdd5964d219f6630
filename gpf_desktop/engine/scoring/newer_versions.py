"""Renews scores that another version of their scorer made, once there is something new to score.

Scores of two versions never stand under one setting, where they would be compared as if they were one. As soon as the
program that is running now has something to score, each setting in use gets its like in the present version, in its
place: tables then show every round under that, and the scores before it stay beside it, to be chosen and compared.
"""

from dataclasses import asdict

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.scoring.score_variants import options_of
from gpf_desktop.engine.scoring.stored_scoring import costly
from gpf_desktop.storage import fit_groups, scores
from gpf_desktop.storage.scores import ScoreSetting
from gpf_desktop.storage.writer import Connection


def other_version(setting: ScoreSetting) -> str:
    """The reason why this program cannot add to the scores of a setting; empty if it can."""
    scorer = catalogue.scorers().get(setting.scorer)
    if scorer is not None and scorer.version == setting.version:
        return ""
    return tr(
        "They were made by {scorer} {version}, which this program does not have: measure again to have them anew.",
        scorer=setting.scorer,
        version=setting.version,
    )


def renew(connection: Connection, method: str) -> None:
    """Give each setting of *method* that is used for every run its like in the present version of its scorer.

    Settings that run a language model are left: computing them anew takes hours, and a person asks for it.
    """
    for setting in _of_other_versions(connection, method):
        scorer = catalogue.scorers()[setting.scorer]
        like = scores.setting(
            connection,
            scorer.name,
            scorer.version,
            asdict(options_of(setting)),
            method=method,
            measures=scorer.measures,
        )
        scores.succeed(connection, setting.id, like)


def left_unscored(connection: Connection) -> tuple[str, ...]:
    """Methods that have answers which only settings of another version would have been computed for."""
    due = (each.method for each in _of_other_versions(connection) if fit_groups.due(connection, each.id))
    return tuple(dict.fromkeys(due))


def _of_other_versions(connection: Connection, method: str | None = None) -> list[ScoreSetting]:
    return [
        each
        for each in scores.settings(connection, method)
        if each.everywhere and each.scorer in catalogue.scorers() and other_version(each) and not costly(each.scorer)
    ]
