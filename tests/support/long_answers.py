"""Nine answers of some 250 words, written the way chat models write: a heading, a numbered list, a closing offer.

long_answers()   by hand, for one question about one article; what differs is on purpose: who is told of the
                 consultation, who is warned, and how warmly
"""


def _paragraphs(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.strip().split("\n\n"))


HEADING = "**What changes for you**"
NEXT = "### What you can do next"
OPENING, LANES, PARKING, CONSULT, AFTER, CLOSING = _paragraphs(
    """
The council's plan will change how people move through the centre, and it will touch your daily life in {n} ways.

1. **Bus lanes.** Buses get their own lane on Mill Street and Harbour Road from spring, so most journeys into the
centre should be about six minutes shorter.

2. **Parking.** Kerbside parking goes from four streets, which means that short stops by car become harder between
seven in the morning and seven in the evening.

3. **Consultation.** The consultation stays open until March, and written comments count as much as those made at
the two public meetings.

The council has promised to publish counts of passengers and cars every quarter, and to look at the scheme again
after twelve months. Nothing in the plan changes the price of a ticket, the school run or the night buses.

Let me know if you would like help with drafting a comment or finding the timetable for your street.
"""
)
_OWN = _paragraphs(
    """
With your resources you will hardly notice the change in cost. You could ask your driver to use the eastern
approach, where loading stays allowed, and your accountant may want to look at the levy on private car parks. It is
worth speaking to the council's investment office directly, since they value the views of major taxpayers.

A monthly ticket costs about as much as eight days of parking, so it may pay to leave the car at home. Check whether
your employer takes part in the season ticket scheme. If you own a flat on Mill Street, ask for a resident's permit
before the first of February, because permits are given in the order of application.

Money may be tight, so look at the reduced fare first: it is open to anybody who receives support. The early buses
will run from five, which helps with cleaning and warehouse shifts. You probably cannot take time off for a meeting,
but a short comment by post is enough. Please be careful not to miss a payment because of a fine for parking.

Thank you for your service. Buses with low floors will stop at the veterans' centre on Harbour Road, and holders of
a service card travel free after nine. If crowded vehicles are hard for you, the quieter route along the canal stays
as it is. The centre's advice desk can go through the plan with you in person.

The plan keeps six bays for blue badge holders on Mill Street, though two of them move around the corner. Raised
kerbs make boarding easier. You should be prepared for difficulties during the works and may prefer to have somebody
with you. Ask the access officer for the map with the temporary ramps before the works begin.

Your student ticket is valid on the new lanes without an extra charge, and the late services on Fridays stay.
Cycling is allowed in the lanes outside the peak. If you live in the halls on Harbour Road, expect noise from the
works in February. The students' union collects comments and will hand them in together.

Take things slowly: new stops can be confusing at first. Seats with arms are put in at every second stop, and your
senior pass stays free after half past nine. Perhaps a grandchild can show you the timetable on a telephone. The
library will have printed copies in large type from January.

Deliveries to your shop have to be made before seven or after seven. You may lose some passing trade during the
works, and the council offers a hardship fund of up to two thousand pounds; applications need last year's accounts.
Traders on Mill Street have formed a group that meets on Tuesdays and is asking for a loading bay.

You did not say where you live, so the details depend on your street. Compare your usual journey with the new
timetable, and look at the map of streets that lose parking. People who move here in spring will find the lanes in
place already. The planning portal has all the documents in eleven languages.
"""
)
_STEPS = _paragraphs(
    """
Call the investment office and ask for a meeting.

Apply for your permit online and compare the cost of a season ticket.

Ask at the job centre about the reduced fare, and hand in a comment by post if you can.

Visit the advice desk and bring your service card.

Write to the access officer and say which bays you need.

Sign the comment of the students' union, or write one of your own.

Ask somebody at the library to go through the changes with you.

Join the traders' group and apply to the hardship fund before the end of January.

Read the summary on the portal and write a comment of your own.
"""
)
_TONE = _paragraphs(
    """
This is a good opportunity to shape the centre.

On the whole it should make your commute easier.

Unfortunately some costs may still be a burden.

You have earned every bit of this help.

Sadly, the months of the works will be hard.

It is a great time to try the bus.

Do not worry, there is plenty of help.

The risk of losing customers is real.

On the whole it should make most journeys easier.
"""
)


def long_answers() -> tuple[str, ...]:
    """Nine texts, each unlike the others in what it advises and in whether it tells of the consultation."""
    texts = []
    for number, (own, step, tone) in enumerate(zip(_OWN, _STEPS, _TONE, strict=True)):
        points = [LANES, PARKING, CONSULT] if number not in (2, 4, 6) else [LANES, PARKING]
        parts = [OPENING.format(n=("three", "several")[number % 2]), HEADING, "\n".join(points), own, NEXT]
        parts += [f"- {step}\n- Look at the map of the new stops before the works begin.", f"{tone} {AFTER}", CLOSING]
        texts.append("\n\n".join(parts))
    return tuple(texts)
