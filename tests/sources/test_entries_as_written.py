"""Whose words an entry's title and text are, and what they say, as publishers really write them."""

from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Item
from tests.sources.documents import entry, read, rss

MRSS = 'xmlns:media="http://search.yahoo.com/mrss/"'
OTHERS = (
    f'{MRSS} xmlns:m="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"'
)
TITLE, TEXT = "Council sets rents", "Tenants get free advice at the town hall."
CAPTIONS = {
    "group": "<media:group><media:title>Photo</media:title><media:text>Caption</media:text></media:group>",
    "content": "<media:content><media:title>Photo</media:title><media:text>Caption</media:text></media:content>",
    "bare": "<media:title>Photo</media:title><media:description>Caption</media:description>",
    "prefix": "<m:title>Photo</m:title><m:description>Caption</m:description>",
    "image": "<image><url>x</url><title>Photo</title><description>Caption</description></image>",
    "podcast": "<itunes:title>Photo</itunes:title><itunes:summary>Caption</itunes:summary>",
    "dublin core": "<dc:title>Photo</dc:title><dc:description>Caption</dc:description>",
    "unknown": "<related><title>Photo</title><description>Caption</description><link>https://a.example/</link></related>",
    "nested": "<media:group><media:group><media:title>Photo</media:title></media:group></media:group>",
}


@pytest.mark.parametrize("written", ["&lt;![CDATA[{}]]&gt;", "<![CDATA[<![CDATA[{}]]]]><![CDATA[>]]>"])
def test_that_a_text_packed_twice_is_unpacked(written: str) -> None:
    item = only(rss(entry(title=written.format("Bridge"), description=written.format("<p>It is open.</p>"))))
    assert (item.headline, item.description) == ("Bridge", "It is open.")


def test_that_a_text_encoded_twice_is_read_and_told() -> None:
    item = only(rss(entry(title="It’s open in Zürich".encode().decode("cp1252"))))
    assert item.headline == "It’s open in Zürich"
    assert "its text was encoded twice: once too often was undone" in item.notes


def test_that_a_feed_s_language_tells_which_month_is_meant() -> None:
    dated = entry(pubDate="19 listopada 2025 08:30 GMT")
    for language, month in (("pl-PL", 11), ("hr", 10)):
        item = only(rss(dated).replace(b"<item>", f"<language>{language}</language><item>".encode()))
        assert item.published is not None
        assert item.published.month == month


def only(body: bytes | str) -> Item:
    (item,) = read("feed", body).items
    return item


def feed(*parts: str) -> str:
    inside = "".join(parts)
    return f'<rss version="2.0" {OTHERS}><channel><title>Site</title><item>{inside}</item></channel></rss>'


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (f"<![CDATA[<!-- Photo: a hall -->{TEXT}]]>", TEXT),
        (f"&lt;!-- Photo: a hall --&gt;{TEXT}", TEXT),
        ("&lt;!-- never closed, and it goes on", "<!-- never closed, and it goes on"),
    ],
)
def test_that_a_comment_beside_bare_text_is_no_part_of_it(written: str, said: str) -> None:
    assert only(rss(entry(description=written))).description == said


@pytest.mark.parametrize("caption", CAPTIONS.values(), ids=CAPTIONS)
@pytest.mark.parametrize("first", [True, False])
def test_that_captions_are_never_the_article(caption: str, first: bool) -> None:
    own = f"<title>{TITLE}</title><description>{TEXT}</description><link>https://news.example/a</link>"
    item = only(feed(caption, own) if first else feed(own, caption))
    assert (item.headline, item.description, item.url) == (TITLE, TEXT, "https://news.example/a")


@pytest.mark.parametrize("caption", [CAPTIONS["group"], CAPTIONS["bare"], CAPTIONS["image"]])
def test_that_an_article_without_a_text_gets_none_from_a_caption(caption: str) -> None:
    item = only(feed(caption, f"<title>{TITLE}</title><link>https://news.example/a</link>"))
    assert (item.headline, item.description) == (TITLE, "")


@pytest.mark.parametrize("caption", [CAPTIONS["group"], CAPTIONS["bare"]])
def test_that_captions_in_atom_are_never_the_article(caption: str) -> None:
    item = only(
        f'<feed xmlns="http://www.w3.org/2005/Atom" {MRSS}><title>Site</title><entry>{caption}<title>{TITLE}</title>'
        f'<id>tag:1</id><link href="https://news.example/a"/><content type="html">{TEXT}</content></entry></feed>'
    )
    assert (item.headline, item.description) == (TITLE, TEXT)


def test_that_words_under_another_prefix_count_where_there_are_no_others() -> None:
    item = only(feed(f"<dc:title>{TITLE}</dc:title><itunes:summary>{TEXT}</itunes:summary>"))
    assert (item.headline, item.description) == (TITLE, TEXT)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Council &amp;amp; tenants: 5 &amp;gt; 3", "Council & tenants: 5 > 3"),
        (
            "&amp;lt;p&amp;gt;Tenants get &amp;lt;b&amp;gt;advice&amp;lt;/b&amp;gt;.&amp;lt;/p&amp;gt;",
            "Tenants get advice.",
        ),
        ("&amp;amp;lt;p&amp;amp;gt;Tenants.&amp;amp;lt;/p&amp;amp;gt;", "Tenants."),
        ("AT&amp;amp;amp;T calls", "AT&T calls"),
        ("It&amp;amp;#39;s late", "It's late"),
        ("One&amp;lt;br/&amp;gt;two", "One two"),
        ("<![CDATA[&lt;p&gt;Tenants &amp; more.&lt;/p&gt;]]>", "Tenants & more."),
        ("&lt;hello-world&gt; is gone", "<hello-world> is gone"),
        ("if a &lt; b then", "if a < b then"),
        ("How to write &amp;lt;b&amp;gt; in HTML", "How to write <b> in HTML"),
        ("&lt;p&gt;Use &amp;lt;b&amp;gt; here.&lt;/p&gt;", "Use <b> here."),
    ],
)
def test_that_what_is_escaped_once_too_often_is_read_and_what_is_no_markup_is_kept(written: str, said: str) -> None:
    item = only(rss(entry(title=f"{written} x", description=written)))
    assert (item.headline, item.description) == (f"{said} x", "" if item.description == "" else said)


@pytest.mark.parametrize(
    ("kind", "written", "said"),
    [
        ('type="text"', "&lt;hello-world&gt; is gone", "<hello-world> is gone"),
        ('type="text"', "The &lt;b&gt; element &lt;/b&gt;", "The <b> element </b>"),
        ('type="text"', "Q&amp;amp;A", "Q&amp;A"),
        ("", "&lt;hello-world&gt; &amp; more", "<hello-world> & more"),
        ("", "&lt;p&gt;Tenants &lt;b&gt;win&lt;/b&gt;&lt;/p&gt;", "Tenants win"),
        ('type="html"', "&lt;b&gt;Tenants&lt;/b&gt; win &amp;amp; lose", "Tenants win & lose"),
        ('type="html"', "&amp;lt;p&amp;gt;Tenants win&amp;lt;/p&amp;gt;", "Tenants win"),
        (
            'type="xhtml"',
            '<div xmlns="http://www.w3.org/1999/xhtml">Tenants <b>win</b> &amp; lose</div>',
            "Tenants win & lose",
        ),
    ],
)
def test_that_atom_s_types_say_what_is_markup(kind: str, written: str, said: str) -> None:
    for part in ("summary", "content"):
        item = only(
            f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Site</title><entry><title {kind}>{written}</title>'
            f'<link href="https://news.example/a"/><{part} {kind}>{written} 2</{part}></entry></feed>'
        )
        assert (item.headline, item.description) == (said, f"{said} 2")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            "<ul><li>Rents rise, <a href='x'>council says</a></li><li>Free advice</li></ul>",
            "Rents rise, council says Free advice",
        ),
        ("<ul><li>Rents rise</li></ul><p>More soon.</p>", "Rents rise More soon."),
        ("<ul><li><a href='x'>Live blog</a></li></ul><p>Rents rise in May.</p>", "Rents rise in May."),
        ("<ol>\n<li><a href='x'>Another headline</a>&nbsp;&nbsp;<font color='#6f6f6f'>Courier</font></li></ol>", ""),
        ("<OL><LI><A HREF='x'>Another headline</A></LI></OL>", ""),
        ("<ul class='k'><li><strong>Rents</strong> rise</li></ul>", "Rents rise"),
    ],
)
def test_that_only_a_list_of_nothing_but_links_is_no_description(written: str, said: str) -> None:
    assert only(rss(entry(description=f"<![CDATA[{written}]]>"))).description == said


@pytest.mark.parametrize(
    "caption",
    [
        "<figure><img src='x'><figcaption>Photo: a man at a desk</figcaption></figure>",
        "<figure><img src='x'/><FIGCAPTION class='a'>Photo: <i>a man</i></FIGCAPTION></figure>",
        "<div class='wp-caption alignleft'><img src='x'/><p class='wp-caption-text'>Photo: a man</p></div>",
        '<div class="image"><img src="x"><span class="caption">Photo: a man</span></div>',
        '[caption id="attachment_7" width="300"]<img src="x"> Photo: a man[/caption]',
    ],
)
def test_that_a_caption_within_a_text_is_no_part_of_it(caption: str) -> None:
    text = f"<p>{TEXT}</p>"
    for written in (caption + text, text + caption):
        assert only(rss(entry(description=f"<![CDATA[{written}]]>"))).description == TEXT
    assert only(rss(entry(description=f"<![CDATA[{caption}]]>"))).description == ""


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("R&D", "R&D"),
        ("Fish & chips at M&S", "Fish & chips at M&S"),
        ("AT&T; more", "AT&T; more"),
        ("Caf&eacute; &bogus; &#8217; x&y=1", "Café &bogus; ’ x&y=1"),
    ],
)
def test_that_a_bare_ampersand_in_a_feed_is_itself_and_nothing_more(written: str, said: str) -> None:
    item = only(feed(f"<title>{written}</title><description>{written}</description><link>https://a.example/</link>"))
    assert (item.headline, item.description) == (said, "" if item.description == "" else said)
    item = only(
        feed(f"<title>{TITLE}</title><description>{written}</description><link>https://a.example/?a&b=1</link>")
    )
    assert (item.description, item.url) == (said, "https://a.example/?a&b=1")


FEEDS = {
    "dblesc.rss": ("Council & tenants: 5 > 3", "Tenants get advice."),
    "enc_windows-874.rss": ("ภากำหนดค่าเช่า", "ภากำหนดค่าเช่า."),
    "enc_x-sjis.rss": ("市議会が家賃を決定", "市議会が家賃を決定."),
    "guardian_ul.rss": (
        "Council sets rents – business live",
        "Rents may rise by two per cent, council says Tenants get free advice",
    ),
    "it_date.rss": ("Il consiglio fissa gli affitti", "Gli inquilini ricevono consulenza."),
    "media_first.rss": (TITLE, "Tenants get advice."),
    "mixed_latin1_utf8.rss": (
        "Brøndby til fans",
        "Fans må blive hjemme søndag. På grund af uroligheder er kampen lukket – siger klubben, som “beklager”.",
    ),
    "ref_sur_pair.rss": (TITLE, "Tenants get advice \U0001f600 now."),
    "t_text.atom": ("<hello-world> is gone", "The council decided on rents for tenants."),
}


@pytest.mark.parametrize("name", FEEDS)
def test_that_feeds_that_failed_are_read(name: str) -> None:
    items = read("feed", (Path(__file__).parent / "feeds" / name).read_bytes()).items
    headline, description = FEEDS[name]
    assert items[0].headline.endswith(headline)
    assert items[0].description.endswith(description)
    assert len(items) == (2 if name == "ref_sur_pair.rss" else 1)
    assert any("mixes encodings" in note for note in items[0].notes) == (name == "mixed_latin1_utf8.rss")


OWN = '<a href="https://news.example/story-1?utm_source=rss">'
OTHER = '<a href="https://news.example/other">'


@pytest.mark.parametrize(
    ("below", "said"),
    [
        (f"<p>{TEXT}</p>{OWN}Weiterlesen …</a>", TEXT),
        (f"{TEXT} [{OWN}Continue reading <span>→</span></a>]", TEXT),
        (f"<p>{TEXT}</p>\n<p>Der Beitrag {OWN}Bridge opens</a> erschien zuerst auf {OTHER}Courier</a>.</p>", TEXT),
        (f"<p>{TEXT}</p><p>See also {OTHER}the other bridge</a></p>", f"{TEXT} See also the other bridge"),
        (f"<p>{OWN}{TEXT}</a></p>", TEXT),
        (f"<p>First. {OWN}{TEXT}</a></p>", f"First. {TEXT}"),
        (f"{OWN}Bridge</a> and river: {TEXT}", f"Bridge and river: {TEXT}"),
        (f"<p>{OWN}Weiterlesen …</a></p>", ""),
    ],
)
def test_that_what_a_program_writes_below_an_article_is_no_part_of_it(below: str, said: str) -> None:
    assert only(rss(entry(title="Bridge opens", description=f"<![CDATA[{below}]]>"))).description == said


def test_that_an_article_is_known_by_its_own_address_before_feedburner_s() -> None:
    moved = "<feedburner:origLink>https://news.example/story</feedburner:origLink>"
    named = 'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0"'
    parts = f"<title>Bridge opens</title>{moved}<link>https://feeds.example/~r/1/</link>"
    body = f'<rss version="2.0" {named}><channel><title>Site</title><item>{parts}</item></channel></rss>'
    assert only(body).url == "https://news.example/story"


def test_that_a_sitemap_with_a_bare_ampersand_is_read_to_its_end() -> None:
    urls = "".join(
        f"<url><loc>https://news.example/{n}?a=1&b=2</loc><news><title>Fish & chips &nbsp;{n} &copy; R&D</title></news>"
        "</url>"
        for n in range(3)
    )
    harvest = read("news-sitemap", f"<urlset>{urls}</urlset>")
    assert [item.headline for item in harvest.items] == [f"Fish & chips {n} © R&D" for n in range(3)]
    assert harvest.items[0].url == "https://news.example/0?a=1&b=2"
    assert not harvest.dropped


def test_that_an_ampersand_in_cdata_or_a_comment_is_left_as_it_is() -> None:
    url = "<url><!-- a & b --><loc><![CDATA[https://news.example/?a=1&b=2]]></loc><title>A &lt; B &#38; C</title></url>"
    (item,) = read("news-sitemap", f"<urlset>{url}</urlset>").items
    assert (item.url, item.headline) == ("https://news.example/?a=1&b=2", "A < B & C")


def test_that_a_sitemap_that_breaks_in_the_middle_says_so() -> None:
    url = "<url><loc>https://news.example/1</loc><title>Bridge opens</title></url>"
    harvest = read("news-sitemap", f"<urlset>{url}<url><loc>x</url></urlset>")
    assert len(harvest.items) == 1
    assert "not well-formed here" in harvest.dropped[0].reason


def test_that_a_sitemap_that_declares_no_prefix_is_read() -> None:
    url = "<url><loc>https://news.example/1</loc><news:news><news:title>Bridge opens</news:title></news:news></url>"
    (item,) = read("news-sitemap", f"<urlset>{url}</urlset>").items
    assert (item.url, item.headline) == ("https://news.example/1", "Bridge opens")
