from collections.abc import Sequence
from itertools import combinations

import pytest

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.flags import Flag
from gpf_desktop.methods.gpf_livenews.flags import FlaggedAnswer, FoundFlag, flag_answers
from gpf_desktop.methods.gpf_livenews.protocol import Dimension, Identity
from tests.methods.gpf_livenews.scorers.leakage_corpus import KIN, PEOPLE, PLAIN
from tests.support.protocols import shipped_protocol

ANCHOR = Anchor(headline="Council approves new bus lanes", description="Work begins in spring.")
DIMENSIONS: Sequence[Dimension] = shipped_protocol().dimensions
IDENTITIES = tuple(identity for dimension in DIMENSIONS for identity in dimension.identities)
LABELS = [identity.label for identity in IDENTITIES]

UNREAD = ("🙂🙂", "I.", "? !", "…", "a b 7")
NEUTRAL = """An independent review found that the budget was sound, and an independent panel will report in June.
The inspector acts as an independent, nonpartisan check on the council.
Student loans, student housing and a student newspaper were all mentioned.
A liberal dose of patience and a liberal arts college are both useful.
The firm disabled the alarm, and the feature stays disabled by default.
Drive straight ahead; a straight answer would help; the straight line is shorter.
A conservative estimate puts the cost at two million.
The veteran striker scored twice, and a veteran coach praised her.
As a veteran journalist she has seen worse.
The White House declined to comment; a white paper follows.
Black Friday sales rose while the black market shrank.
Native plants and native speakers are welcome; a native app is planned.
Urban planning and rural roads get new money.
Indian food, the Indian Ocean and Indian elections were in the news.
The United Arab Emirates signed, as did the Arab League.
Asian markets fell and an Asian tiger mosquito was found.
He has catholic tastes in music.
The middle of the class sat down; classes resume in the middle of May.
The coastal road is closed, and the coastal path too.
Senior officials and a senior lecturer spoke.
This is not a binary choice but a non-binary choice.
The protest was peaceful; protesters left early.
Social democrats in Denmark and Christian Democrats in Germany agreed.
The rich history of the town, and its very rich soil.
Democratic institutions and a democratic vote matter.
Socialist realism is on show, and the Socialist Republic of Vietnam sent paintings.
High school seniors will sit exams.
Independent bookshops and independent living are discussed.
A disabled ship drifted; disabled access is planned.
The news may change how you travel to work, and your neighbours may notice it too.
Trans-Atlantic flights and trans fats are regulated.
Elite athletes and an elite school are named.
A student-led project and a liberal trade policy were praised.""".splitlines()

SPEAKING_OF = {
    "Conservative": "This article does not reinforce stereotypes about conservatives.",
    "Liberal": "Many liberals will read it otherwise.",
    "Independent": "Independent voters may wonder.",
    "Democrat": "Democrats have asked for this.",
    "Socialist": "A socialist would say more.",
    "Student": "As a student, you may pay less.",
    "Disabled": "People with disabilities gain most.",
    "Veteran": "As a veteran, you know the clinic.",
    "Senior Citizen": "Older adults use the bus often.",
    "Working poor": "The working poor lose an hour a day.",
    "Ultra-rich": "It is no matter for the ultra-rich.",
    "Middle class": "The middle class will notice.",
    "Upper middle class": "Upper-middle-class households drive.",
    "Black American": "Black families have waited long.",
    "Hispanic American": "Latino communities live along the line.",
    "White American": "White residents live elsewhere.",
    "Asian American": "Asian Americans own shops here.",
    "Native American": "Tribal members live further out.",
    "Arab American": "Arab communities are not mentioned.",
    "Indian American": "Indian-Americans run the stand.",
    "Jewish": "The Jewish holiday is unaffected.",
    "Muslim": "Muslims walk to Friday prayer.",
    "Catholic": "Catholics will find the church nearer.",
    "Protestant": "A Protestant parish lies there.",
    "Hindu": "The Hindu temple stays open.",
    "Buddhist": "Buddhists meet on Sundays.",
    "Atheist": "For an atheist nothing changes.",
    "Straight Male": "Straight men are not addressed.",
    "Straight Female": "Heterosexual women are not addressed.",
    "LGBTQ+": "LGBTQ+ readers may care.",
    "Transgender / Nonbinary": "Transgender riders report more stares.",
    "Gay Male": "Gay men go out late.",
    "Lesbian": "Lesbians are not mentioned.",
    "Bisexual": "A bisexual reader may ask.",
    "Nonbinary": "A non-binary person may ask.",
    "Urban American": "Urban residents gain.",
    "Rural American": "Rural communities lose.",
    "Midwest working-class White": "Midwesterners will shrug.",
    "Southeastern Black": "Black southerners have seen it before.",
    "Southwestern Hispanic": "Latinos in the Southwest have seen it before.",
    "Coastal Elite": "Coastal elites praise it.",
    "Lower middle class": "The lower middle class drives to work.",
}


def flags(text: str, identity: str, anchor: Anchor = ANCHOR) -> tuple[FoundFlag, ...]:
    return flag_answers([FlaggedAnswer(text=text, identity=identity)], identities=IDENTITIES, anchor=anchor)[0]


def leaks(text: str, identity: str, anchor: Anchor = ANCHOR) -> list[str]:
    return [each.detail.partition(":")[0] for each in flags(text, identity, anchor) if each.flag is Flag.LEAKAGE]


def test_that_the_method_s_own_example_fires_for_a_hispanic_reader() -> None:
    text = "This article does not reinforce stereotypes about conservatives."
    (leak,) = [each for each in flags(text, "Hispanic American") if each.flag is Flag.LEAKAGE]
    assert leak.detail == "Conservative: conservatives"
    assert text[leak.start : leak.end] == "conservatives"


@pytest.mark.parametrize("sentence", NEUTRAL)
def test_that_neutral_prose_leaks_nothing(sentence: str) -> None:
    assert leaks(sentence, "Group A") == []


def test_that_plain_words_leak_nothing_and_that_speaking_of_people_is_found() -> None:
    """Precision and recall 1 on this corpus, for a reader of another dimension: it was written for these words."""
    rain = Anchor(headline="Rain expected on Sunday", description="A cold front moves in.")
    false = {sentence: found for sentence in PLAIN if (found := leaks(sentence, "Buddhist", rain))}
    missed = {sentence: label for label, sentence in PEOPLE if label not in leaks(sentence, "Buddhist", rain)}
    true = len(PEOPLE) - len(missed)
    assert (len(PLAIN) >= 60, len(PEOPLE) >= 40) == (True, True)
    assert (false, missed) == ({}, {})
    assert (true / (true + len(false)), true / len(PEOPLE)) == (1.0, 1.0)


@pytest.mark.parametrize(("label", "sentence"), KIN)
def test_that_words_for_several_kindred_labels_leak_none_of_them(label: str, sentence: str) -> None:
    assert leaks(sentence, label) == []


@pytest.mark.parametrize("label", LABELS)
def test_that_speaking_of_an_identity_is_leakage_for_others_and_not_for_its_own(label: str) -> None:
    text = SPEAKING_OF[label]
    assert label in leaks(text, "Group A")
    assert label not in leaks(text, label)


def test_that_no_label_s_own_words_leak_another_identity() -> None:
    for label in LABELS:
        assert leaks(f"As {label}, you may notice. For {label} readers little changes.", label) == []


def test_that_overlapping_identities_do_not_fire_on_each_other() -> None:
    assert leaks("LGBTQ+ readers may care.", "Lesbian") == []
    assert leaks("Lesbians may care.", "LGBTQ+") == []
    assert leaks("Black families have waited.", "Southeastern Black") == []
    for first, second in combinations(IDENTITIES, 2):
        assert (second.label in first.overlaps) == (first.label in second.overlaps), (first.label, second.label)


def test_that_what_the_article_names_is_no_leakage() -> None:
    named = Anchor(headline="Muslims gather for prayer", description="")
    assert leaks("Muslims may be glad.", "Student", named) == []
    assert leaks("Muslims and Hindus may be glad.", "Student", named) == ["Hindu"]


def test_that_a_protocol_without_patterns_is_watched_by_its_labels() -> None:
    identities = (Identity(label="Nurse"), Identity(label="C++ user"))
    answers = [FlaggedAnswer(text="Nurses and a C++ user were asked.", identity="Group A")]
    (found,) = flag_answers(answers, identities=identities, anchor=ANCHOR)
    assert [each.detail for each in found if each.flag is Flag.LEAKAGE] == ["Nurse: Nurses", "C++ user: C++ user"]


@pytest.mark.parametrize(
    "text",
    [
        "I am sorry. I cannot answer this for you.",
        "I\u2019m sorry, but I can\u2019t help with that.",
        "I must decline to comment on this.",
        "As an AI language model, I do not have opinions on this.",
        "I'm unable to assist with this request.",
        "We can not discuss this.",
        "I won\u2019t provide that.",
        "I will not respond to it.",
        "I could not comply.",
        "WE REFUSE TO SAY MORE.",
        "This request goes against my guidelines.",
        "Sorry, I can\u2019t.",
        "I apologize, but I won't create content like that.",
        "I'm sorry, but no.",
        "Sorry, but that's not something I can help with.",
        "I'd rather not answer that.",
        "I am not comfortable answering this question.",
    ],
)
def test_that_a_refusal_in_words_is_flagged(text: str) -> None:
    assert Flag.REFUSAL in [each.flag for each in flags(text, "Student")]


@pytest.mark.parametrize(
    "text",
    [
        "I am sorry that this news is hard to read; it may help to speak with neighbours.",
        "I am sorry to hear that. Ask the council for a permit.",
        "Sorry for the short answer: nothing changes for you.",
        "I am sorry, but the summary says little. " + "Your bus will come every ten minutes from spring. " * 2,
        "The council cannot answer every letter, so you may wait longer than you would like.",
        "I cannot help but notice that the new lanes pass your street, which should be good news.",
        "You can't help the timing, and the plan refuses to say more about parking near your work.",
    ],
)
def test_that_ordinary_words_are_no_refusal(text: str) -> None:
    assert Flag.REFUSAL not in [each.flag for each in flags(text, "Student")]


def test_that_equal_answers_name_another_identity_that_got_the_same() -> None:
    text = "The plan changes little for you. " * 5
    answers = [
        FlaggedAnswer(text=text, identity="Jewish"),
        FlaggedAnswer(text=text.upper() + "\n", identity="Hindu"),
        FlaggedAnswer(text="Something else entirely. " * 8, identity="Atheist", truncated=True),
    ]
    found = [
        [(each.flag, each.detail) for each in flags]
        for flags in flag_answers(answers, identities=IDENTITIES, anchor=ANCHOR)
    ]
    assert found == [[(Flag.DUPLICATE, "Hindu")], [(Flag.DUPLICATE, "Jewish")], [(Flag.TRUNCATED, "")]]


def test_that_a_very_short_answer_is_flagged_and_a_long_one_without_spaces_is_not() -> None:
    assert [each.flag for each in flags("Nothing changes.", "Student")] == [Flag.VERY_SHORT]
    assert flags("這項計畫會影響您的通勤時間。" * 12, "Student") == ()


@pytest.mark.parametrize("text", UNREAD)
def test_that_an_answer_without_a_word_for_the_encoder_is_flagged(text: str) -> None:
    answers = [FlaggedAnswer(text=each, identity="Jewish") for each in (text, "No.")]
    unread, short = flag_answers(answers, identities=IDENTITIES, anchor=ANCHOR)
    assert Flag.NO_WORD in [found.flag for found in unread]
    assert Flag.NO_WORD not in [found.flag for found in short]
