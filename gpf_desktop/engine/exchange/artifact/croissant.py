"""The description that machines read: Croissant 1.1 with its terms for responsible AI (mlcommons.org/croissant)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.relations import FieldKind, Relation, RelationField

CROISSANT: Final = "croissant.json"
SPECIFICATION: Final = "http://mlcommons.org/croissant/1.1"
_RAI: Final = "http://mlcommons.org/croissant/RAI/1.0"
_CONTEXT: Final[Mapping[str, Any]] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES: Final = {
    FieldKind.TEXT: "sc:Text",
    FieldKind.STRUCTURE: "sc:Text",
    FieldKind.INTEGER: "sc:Integer",
    FieldKind.NUMBER: "sc:Float",
    FieldKind.FLAG: "sc:Boolean",
}
_FORMATS: Final = {"jsonl": "application/jsonlines", "csv": "text/csv"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """A file of rows."""

    file: str
    sha256: str
    relation: Relation
    """Its rows are not looked at."""
    rows: int


def document(about: Mapping[str, Any], files: Sequence[Described]) -> str:
    """The JSON-LD of an artifact; *about* holds what is told of the whole, by property."""
    found = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [SPECIFICATION, _RAI],
        **about,
        "distribution": [_file(each) for each in files],
        # A file without rows has a head at most: its columns have no types to be read as.
        "recordSet": [_record_set(each) for each in files if each.rows],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _file(described: Described) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": described.file,
        "name": described.file,
        "description": described.relation.words,
        "contentUrl": described.file,
        "encodingFormat": _FORMATS[described.file.rpartition(".")[2]],
        "sha256": described.sha256,
    }


def _record_set(described: Described) -> dict[str, Any]:
    relation = described.relation
    found: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": relation.name,
        "name": relation.name,
        "description": relation.words,
        "field": [_field(described, field) for field in relation.fields],
    }
    if relation.key:
        found["key"] = [{"@id": f"{relation.name}/{key}"} for key in relation.key]
    return found


def _field(described: Described, field: RelationField) -> dict[str, Any]:
    # What ends so is a moment in ISO 8601, and readers of JSON lines take it for one unasked. References between
    # record sets are left out: mlcroissant 1.1 joins what they name, and fails where that is read as a stream.
    kind = "sc:DateTime" if field.name.endswith("_at") and field.kind is FieldKind.TEXT else _TYPES[field.kind]
    return {
        "@type": "cr:Field",
        "@id": f"{described.relation.name}/{field.name}",
        "name": field.name,
        "description": field.words,
        "dataType": kind,
        "source": {"fileObject": {"@id": described.file}, "extract": {"column": field.name}},
    }
