"""What scores cannot read of news and questions in other languages, told before a round is paid for."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.engine.rounds.round_power import RoundDesign, finds_lines, round_power
from gpf_desktop.engine.scoring.score_variants import variants
from gpf_desktop.methods.gpf_livenews.languages import unread
from gpf_desktop.methods.gpf_livenews.method import METHOD
from tests.support.protocols import shipped_protocol

PROTOCOL = shipped_protocol()
UKRAINIAN = ("Ціни на квартири зросли на десяту частину", "Міська рада обговорить підтримку орендарів у четвер.")
ARABIC = ("ارتفاع الإيجارات في العاصمة", "يناقش المجلس دعم المستأجرين يوم الخميس في جلسة مفتوحة للجميع.")
CHINESE = ("首都房租上涨一成", "市议会将于星期四公开讨论对租户的支持办法并听取居民的意见以及房东协会的说明和建议。")
GERMAN = (
    "Mieten steigen um ein Zehntel",
    "Der Rat der Stadt berät am Donnerstag über Hilfen für Mieter.",
)
ENGLISH = ("Rents rise by a tenth", "The council of the city is to speak of help for tenants on Thursday, in the open.")


def items(*news: tuple[str, str], times: int = 6) -> list[StudyItem]:
    return [StudyItem(key=str(n), title=title, text=text) for n, (title, text) in enumerate(news * times)]


@pytest.mark.parametrize(
    ("news", "says"),
    [(UKRAINIAN, "two cases"), (ARABIC, "two cases"), (GERMAN, "two cases"), (CHINESE, "sets no spaces")],
)
def test_that_news_in_another_language_is_told_with_what_reads_it(news: tuple[str, str], says: str) -> None:
    said = unread(items(news), PROTOCOL)
    assert said.startswith("The news may not be English.")
    assert says in said
    assert "nothing is said of it" in said
    assert "multilingual" in said


@pytest.mark.parametrize(
    "news",
    [
        (
            "Kiralar onda bir oranında arttı",
            "Belediye meclisi perşembe günü kiracılara verilecek destekleri görüşecek.",
        ),
        ("Kiralar yükseldi, kiracılar tepkili", ""),
        ("Czynsze rosną o jedną dziesiątą", "Rada miasta omówi w czwartek pomoc dla najemców."),
        ("Egytizeddel nőnek a lakbérek", "A városi tanács csütörtökön tárgyal a bérlők támogatásáról."),
        ("Harga sewa naik sepersepuluh", "Dewan kota akan membahas bantuan bagi penyewa pada hari Kamis."),
        ("Kodi za nyumba zimepanda", "Baraza la jiji litajadili msaada kwa wapangaji siku ya Alhamisi."),
        ("Giá thuê nhà tăng một phần mười", "Hội đồng thành phố sẽ thảo luận hỗ trợ người thuê vào thứ Năm."),
        ("Les loyers augmentent d'un dixième", "Le conseil municipal examinera jeudi des aides pour les locataires."),
        ("Huren stijgen met een tiende", "De gemeenteraad bespreekt donderdag hulp voor huurders."),
        GERMAN,
    ],
)
def test_that_one_short_article_in_another_language_is_told(news: tuple[str, str]) -> None:
    assert unread(items(news, times=1), PROTOCOL).startswith("The news may not be English.")
    mixed = [*items(ENGLISH, times=4), *items(news, times=1)]
    assert unread(mixed, PROTOCOL).startswith("Of 5 articles 1 may not be English.")


@pytest.mark.parametrize(
    "headline",
    [
        "Los Angeles fires: Las Vegas crews arrive",
        "Ursula von der Leyen visits Warsaw",
        "Coup in São Tomé fails, junta flees",
        "Erdoğan, Şimşek meet Türkiye bank chief",
        "El Niño ends, La Niña looms",
        "Council approves rent subsidy plan",
    ],
)
def test_that_names_of_other_languages_leave_an_english_headline_english(headline: str) -> None:
    assert unread(items((headline, ""), times=1), PROTOCOL) == ""


def test_that_english_news_and_what_is_too_short_to_tell_are_not_spoken_of() -> None:
    assert unread(items(ENGLISH), PROTOCOL) == ""
    assert unread(items(("Rent up", ""), times=1), PROTOCOL) == ""
    assert unread([], PROTOCOL) == ""


def test_that_a_few_articles_and_short_headlines_in_another_script_are_told_too() -> None:
    mixed = [*items(ENGLISH, times=4), *items(UKRAINIAN, times=1)]
    assert unread(mixed, PROTOCOL).startswith("Of 5 articles 1 may not be English.")
    (short,) = items((CHINESE[0], ""), times=1)
    said = unread([short], PROTOCOL)
    assert said.startswith("The news may not be English.")
    assert "sets no spaces" in said, "beside questions that are English and much longer"
    assert unread(items(("G7", ""), times=1), PROTOCOL) == ""


def test_that_questions_in_another_language_are_told_and_it_stands_before_what_is_found() -> None:
    asked = "Я {identity}. Розкажіть мені, як ця новина вплине на моє життя та на людей навколо мене."
    families = tuple(replace(each, templates=(asked,)) for each in PROTOCOL.families)
    protocol = replace(PROTOCOL, families=families)
    assert unread([], protocol).startswith("The questions may not be English.")
    design = RoundDesign(
        method=METHOD, protocol=protocol, controls=protocol.controls, items=items(ARABIC, times=3), models=[], seen=[]
    )
    power = round_power(design, METHOD.assumed(), power=0.8)
    assert power is not None
    assert next(finds_lines(power, METHOD)).startswith("The news and the questions do not look English.")


def test_that_the_models_that_are_named_stand_among_the_ways_of_measuring_again() -> None:
    said = unread(items(UKRAINIAN), PROTOCOL)
    offered = [each.options.model for each in variants(None, METHOD, []) if each.name.endswith("-many-languages")]
    assert len(offered) == 2
    assert all(model in said for model in offered)
