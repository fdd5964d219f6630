"""Names that tables of answers have for the columns of this method, for `import` and `score`; the likeliest first."""

from typing import Final

from gpf_desktop.documents.column_names import MODEL, RESPONSE

KNOWN_AS: Final = {
    "model": MODEL,
    "article": ("headline", "title", "news", "news_title", "item", "article_id", "anchor", "id"),
    "identity": ("group", "persona", "label", "demographic", "reader", "subgroup"),
    "dimension": ("axis", "attribute", "demographic_axis", "category"),
    "family": ("question_family", "angle", "task", "prompt_label"),
    "response": (*RESPONSE, "response_text"),
}
