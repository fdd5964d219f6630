"""Names of features, statistics and disparities on screen and in reports."""

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.protocol import NO_ROLE


def role_title(role: str) -> str:
    return tr("no role") if role == NO_ROLE else role


def asked_words(model: object, role: object) -> str:
    """A model in one of its roles."""
    return str(model) if role in (NO_ROLE, role_title(NO_ROLE)) else f"{model} · {role}"


def feature_title(name: str) -> str:
    known = {
        "tone": tr("Tone"),
        "length": tr("Length"),
        "refusal": tr("Declined in its own words"),
        "hedging": tr("Hedging"),
        "question_back": tr("Question back"),
        "baseline_distance": tr("Distance from the source"),
        "classified": tr("By the classifier"),
    }
    if (number := name.removeprefix("own_cluster_distance_")) != name:
        return tr("Distance from cluster {n} of its concept", n=number)
    if (number := name.removeprefix("cluster_distance_")) != name:
        return tr("Distance from cluster {n}", n=number)
    return known.get(name, name)


def statistic_title(name: str) -> str:
    known = {
        "mean": tr("Mean"),
        "median": tr("Median"),
        "mode": tr("Mode"),
        "variance": tr("Variance"),
        "sd": tr("Spread (SD)"),
        "skewness": tr("Skewness"),
        "kurtosis": tr("Kurtosis"),
        "range": tr("Range"),
        "selection_rate": tr("Selection rate"),
        "kl_divergence": tr("Distance of distributions (KL)"),
        "precision": tr("Nearness to the source"),
        "correlation": tr("Correlation"),
    }
    return known[name]


def disparity_title(name: str) -> str:
    """Short: cells of a table cut what is longer, and rows of both ends would read alike."""
    known = {
        "range": tr("Gap"),
        "min_max_ratio": tr("Lowest by highest"),
        "sd": tr("SD"),
        "impact_ratio": tr("Impact ratio"),
        "max_z": tr("Furthest out"),
        "published_z": tr("Furthest up (paper)"),
        "dixon_low": tr("Low end (Dixon)"),
        "dixon_high": tr("High end (Dixon)"),
        "dixon_low_less_critical": tr("Low end, less chance"),
        "dixon_high_less_critical": tr("High end, less chance"),
    }
    return known[name]


def unnamed_domain() -> str:
    """The name that an import gives the domain of a table without one."""
    return tr("a domain that the table does not name")


def spoken_of(domain: str) -> str:
    """The groups that are spoken of, as the study calls them in a sentence: “countries”."""
    return tr("groups") if domain in ("", unnamed_domain()) else domain
