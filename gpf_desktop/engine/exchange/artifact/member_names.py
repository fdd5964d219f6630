"""Names of files that artifacts and exports both have, for those who look for one without taking it apart."""

from typing import Final

AUDIT: Final = "audit.json"
PLANNED: Final = "planned-beforehand.json"
