"""The markup of an entry's title or text: plain text, markup, or markup that was escaped once too often."""

import html
import re

from gpf_desktop.documents.addresses import article_key
from gpf_desktop.documents.plain_text import plain

_TAG_NAMES = (
    "a|abbr|address|article|aside|audio|b|bdi|bdo|big|blockquote|br|caption|center|cite|code|dd|del|details|dfn|div|dl|dt|em|"
    "embed|figcaption|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|"
    "noscript|object|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strike|strong|style|sub|summary|sup|svg|"
    "table|tbody|td|template|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr"
)
_HTML_TAG = re.compile(rf"</?(?:{_TAG_NAMES})(?=[\s/>])", re.IGNORECASE)
_OPENING = re.compile(rf"<({_TAG_NAMES})(?=[\s/>])", re.IGNORECASE)
_WITHOUT_END = frozenset({"br", "hr", "img"})
_STILL_ESCAPED = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_SECTION = "<![CDATA["
"""Within a text it is the packing of one that was packed twice."""
_COMMENT = re.compile(r"<!--[^<]*?-->")
_LIST = re.compile(r"\s*+<(ol|ul)\b[^<>]*+>", re.IGNORECASE)
_LINK_OR_NAME = re.compile(r"<(a|font)\b[^<>]*+>", re.IGNORECASE)
_HOLDER = re.compile(r"<(figcaption|p|div|span|dd)(?=[\s/>])([^<>]*+)>", re.IGNORECASE)
_OF_CAPTIONS = re.compile(r"\bclass\s*=\s*(?:[\"'][^\"']*)?\bcaption(?:-text)?(?![\w-])", re.IGNORECASE)
# WordPress' own, in feeds that are made without its theme.
_SHORTCODE = re.compile(r"\[caption\b[^\]]{0,500}\][^\[]{0,5000}\[/caption\]", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*+>")
_WORD = re.compile(r"\w")
_LINK = re.compile(r"""<a\b[^<>]*?\bhref\s*=\s*["']([^"'<>]*+)["'][^<>]*+>""", re.IGNORECASE)
_LONGEST_WAY_ON = 40
"""“Continue reading…”, in any language."""
_LONGEST_LINE = 150
"""“… appeared first on Courier.”"""
_LONGEST = 100_000
_LONGEST_TAG = 500
_ROUNDS = 3


def from_text(value: str) -> str:
    """Plain *value* as markup that says the same."""
    return html.escape(value, quote=False)


def from_markup(value: str) -> str:
    """*value* with what is no tag of HTML as text, and without the escapes that came on top of its own."""
    if len(value) > _LONGEST:
        return value
    for _ in range(_ROUNDS):
        once = html.unescape(value)
        if "<" in value or not (_is_marked_up(once) or _STILL_ESCAPED.search(once)):
            break
        value = once
    if _SECTION in value:
        value = value.replace(_SECTION, "").replace("]]&gt;", "").replace("]]>", "")
    return value if _HTML_TAG.search(value) else _COMMENT.sub(" ", value).replace("<", "&lt;")


def _is_marked_up(value: str) -> bool:
    """Whether a tag in *value* has its end, or needs none: a headline may speak of a tag."""
    names = {match[1].lower() for match in _OPENING.finditer(value)}
    lowered = value.lower()
    return not names.isdisjoint(_WITHOUT_END) or any(f"</{name}" in lowered for name in names)


def without_captions(markup: str) -> str:
    """*markup* without what stands below its pictures."""
    if len(markup) > _LONGEST or "caption" not in markup.lower():
        return markup
    markup = _SHORTCODE.sub(" ", markup)
    lowered = markup.lower()
    parts: list[str] = []
    at = 0
    for opening in _HOLDER.finditer(markup):
        name = opening[1].lower()
        if opening.start() < at or not (name == "figcaption" or _OF_CAPTIONS.search(opening[2][:_LONGEST_TAG])):
            continue
        end = lowered.find(f"</{name}", opening.end())
        if end < 0:
            break
        # One with another of its kind in it ends further on; what it holds is looked at by itself.
        if name == "figcaption" or f"<{name}" not in lowered[opening.end() : end]:
            parts += (markup[at : opening.start()], " ")
            at = lowered.find(">", end) + 1 or len(markup)
    return "".join((*parts, markup[at:]))


def without_way_on(markup: str, address: str, headline: str) -> str:
    """*markup* of the article at *address* without what programs write below it: a short link to the article itself, or
    the line that says where it first appeared; nothing where there is nothing above."""
    links = [] if len(markup) > _LONGEST else list(_LINK.finditer(markup))
    own = next((link for link in reversed(links) if _same(link[1], address)), None)
    if own is None:
        return markup
    end = markup.find("</a", own.end())
    words, behind = plain(markup[own.end() : end]), plain(markup[end:] if end >= 0 else "")
    start = own.start()
    if words == plain(headline) and links[-2:-1] == [own] and len(behind) <= _LONGEST_LINE:
        start = markup.rfind("<p", 0, start)
    elif _WORD.search(behind) or len(words) > _LONGEST_WAY_ON:
        return markup
    before = markup[: max(start, 0)].rstrip(" [(|\n")
    return before if _WORD.search(plain(before)) else ""


def _same(href: str, address: str) -> bool:
    return bool(address) and article_key(html.unescape(href)) == article_key(address)


def without_link_list(markup: str) -> str:
    """*markup* without a list at its beginning that is nothing but links, as aggregators give them."""
    opening = _LIST.match(markup)
    if opening is None or len(markup) > _LONGEST:
        return markup
    closing = re.compile(rf"</{opening[1]}\s*+>", re.IGNORECASE)
    end = closing.search(markup, opening.end())
    items = markup[opening.end() : end.start() if end else len(markup)]
    if "<a" not in items.lower() or _WORD.search(html.unescape(_TAG.sub(" ", _without_links(items)))):
        return markup
    return markup[end.end() :] if end else ""


def _without_links(markup: str) -> str:
    """*markup* without the links and the names in small type beside them, their words included."""
    parts: list[str] = []
    at = 0
    for opening in _LINK_OR_NAME.finditer(markup):
        if opening.start() < at:
            continue
        end = markup.find(f"</{opening[1]}", opening.end())
        if end < 0:
            break
        parts.append(markup[at : opening.start()])
        at = end
    return "".join((*parts, markup[at:]))
