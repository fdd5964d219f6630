"""Web addresses: what may be fetched, what identifies an article, what only tracks its reader."""

import re
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

_TRACKING = re.compile(
    r"^(?:utm_.*|at_.*|mtm_.*|pk_.*|hsa_.*|_hs.*|ga_.*|wt[._].*|ns_.*|vero_.*|oly_.*|gclid|gclsrc|gad_.*|gbraid|wbraid|dclid|"
    r"fbclid|msclkid|ttclid|twclid|yclid|igshid|igsh|li_fat_id|mc_[ce]id|mkt_tok|cmp(?:id)?|icid|ncid|ocid|sr_share|smid|smtyp|"
    r"taid|feedtype|feedname|xtor|sref|ref_?src|referrer|soc_src|soc_trk|spm|trk|oc|traffic_source|guccounter|guce_.*|ito|_g[al]|srsltid|wprov|emc|intcmp|__twitter_impression)$",
    re.IGNORECASE,
)
"""Parameters that say how a reader came, never which article it is."""

_FROM_A_FEED = frozenset({"rss", "rss2", "rssfeed", "atom", "feed"})
"""Values that say so too, whatever the parameter is called."""

_SCHEME = re.compile(r"^[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST = re.compile(
    r"^(?:localhost|\[[0-9a-fA-F:.]+\]|(?:\d{1,3}\.){3}\d{1,3}|(?:[\w-]{1,63}\.)+[^\W\d_][\w-]+)(?::\d{1,5})?(?:[/?#]\S*)?$",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"^(?:localhost|\[|\d)", re.IGNORECASE)


def web_address(text: str) -> str | None:
    """*text* as an address to fetch, or None where it is none.

    A scheme may be left out: ``news.example/feed`` is taken as https, bare numbers and localhost as http.
    Only http and https addresses are web addresses.
    """
    text = text.strip()
    if not text or any(c.isspace() for c in text):
        return None
    if text.lower().startswith("feed:"):
        text = text[5:].removeprefix("//")
    lowered = text.lower()
    if lowered.startswith(("http://", "https://")):
        try:
            # An odd bracket in the host is a ValueError.
            return text if urlsplit(text).hostname else None
        except ValueError:
            return None
    if _HOST.match(text):
        return ("http://" if _LOCAL.match(text) else "https://") + text
    return None


def has_scheme(text: str) -> bool:
    """Whether *text* begins as an address does (``mailto:``, ``file:``); a drive letter is no scheme."""
    match = _SCHEME.match(text.strip())
    return match is not None and len(match[0]) > 2 and not text[match.end() :].startswith(" ")


def resolve(base: str, link: str) -> str:
    """*link* made whole against *base*; empty where that gives no web address."""
    try:
        whole = urljoin(base, link.strip())
        parts = urlsplit(whole)
        # Asking for the port raises ValueError where it is no number or above 65,535.
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        return ""
    return whole if usable and not any(c.isspace() or ord(c) < 32 for c in whole) else ""


def without_tracking(url: str) -> str:
    """*url* without fragment and without parameters that only track."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    kept = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.match(k)]
    # Sites of one page name their articles behind “#!” and “#/”; every other fragment is a place in an article.
    fragment = parts.fragment if parts.fragment.startswith(("!", "/")) else ""
    # Written anew only where something was taken out: that changes how the rest is escaped.
    query = parts.query if len(kept) == parts.query.count("&") + 1 else urlencode(kept)
    return urlunsplit((parts.scheme, parts.netloc, parts.path, query, fragment))


def article_key(url: str) -> str:
    """The key that tells an article from others: its address without tracking, whichever scheme or ``www.`` led there.

    Only parameters known to track are left out: a site may name its articles by any other (``/news.php?m=7``).
    """
    try:
        parts = urlsplit(without_tracking(url))
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url
    stated = parse_qsl(parts.query, keep_blank_values=True)
    named = sorted((name, value) for name, value in stated if value.lower() not in _FROM_A_FEED)
    standard = port is None or port == {"http": 80, "https": 443}.get(parts.scheme)
    netloc = host if standard else f"{host}:{port}"
    scheme = "https" if standard else parts.scheme
    path = parts.path.rstrip("/") or "/"
    return urlunsplit((scheme, netloc, path, urlencode(named), parts.fragment))


def revision_of(guid: str) -> str:
    """The counter that some publishers append to a guid (``…/articles/x#2`` gives ``2``); empty where none is."""
    _, mark, counter = guid.rpartition("#")
    return counter if mark and counter.isdigit() and len(counter) <= 6 else ""


def site_names(url: str) -> tuple[str, ...]:
    """Names by which a headline may mention the site of *url*: ``www.reuters.com``, ``reuters.com``, ``reuters``."""
    try:
        host = (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ()
    bare = host.removeprefix("www.")
    labels = bare.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return ()
    # Of bbc.co.uk the name is bbc: a short last but one label is part of the registry's name.
    short = labels[-3] if len(labels) > 2 and len(labels[-2]) <= 3 else labels[-2]
    return (host, bare, short)
