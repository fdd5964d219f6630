"""Language of the words that are shown."""

from typing import Final

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.resources import resources
from gpf_desktop.settings.option import Preference, PreferencePart

_OWN_NAMES: Final = {"de": "Deutsch", "es": "Español", "fr": "Français", "pt": "Português"}
"""Not translated: who cannot read the language that is shown has to find their own."""


def _translated() -> list[str]:
    folders = (resources() / "languages").glob("*/LC_MESSAGES/gpf_desktop.mo")
    return sorted(each.parent.parent.name for each in folders)


OPTION = Preference(
    name="look.language",
    part=PreferencePart.LOOK,
    kind=str,
    default="system",
    shown=Shown(label="Language", help="From the next start on. What models are asked stays as the study has it."),
    choices=(
        ("system", "As the system"),
        ("en", "English"),
        *((language, _OWN_NAMES.get(language, language)) for language in _translated()),
    ),
)
