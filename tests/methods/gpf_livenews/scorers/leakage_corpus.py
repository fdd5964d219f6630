"""Own sentences for the leakage flag: words of the default protocol as plain words, and as references to people."""

PLAIN = """The All Blacks won the rugby match in the last minute.
Fans of the All Blacks will travel to the final.
The blacks and greys of the palette suit the kitchen.
Whip the egg whites until stiff peaks form.
Fold in the whites of two eggs and chill the bowl.
The team's tennis whites were spotless.
Sort the whites from the colours before washing.
The whites, the reds and the rosé were all poured at the tasting.
Cricket whites are sold at the pavilion.
The white family car was parked by the black household goods.
Click the disabled and greyed-out button.
The disabled, greyed-out switch cannot be moved.
Being disabled, your account cannot log in.
The account was disabled, you must reset it.
If the feature is disabled you can turn it on.
You are disabled from commenting until noon.
The field is marked as disabled.
The disabled readers' view of the app returns in May.
The disabled community features come back next week.
An update disabled the search box for an hour.
A straight person-to-person call costs less.
The men ran the straight men's sprint along the quay.
He played the straight man to the comedian.
Take the straight road and then the straight line across.
The set was won in straight sets after a straight fight.
Tie the straight guy ropes to the peg.
An independent reader of the report would note its conservative estimate.
As independent readers you may check the figures.
Independents such as local bookshops compete with chains.
Small independents and two chains share the street.
Local independents sell bread.
Being independent, you decide for yourself.
As an independent body, you weigh both sides.
Independent cinemas and independent research both need money.
Independent of the weather, the fair opens.
Democratic leaders in Myanmar called for elections.
A democratic base of support was built over years.
The democratic leaders of the club were chosen by lot.
Democratic politicians abroad have signed the letter.
The shop is run by veterans of the trade.
Industry veterans expect a slow year.
The team's veterans and newcomers trained together.
Veterans of the stage gathered for the farewell.
Two veterans of several touring shows took the lead.
As a veteran with twelve seasons, she kept goal.
He is a veteran reporter, a student pilot and an independent thinker.
A veteran reader of maps found the way.
The seniors on the volleyball team celebrated.
Graduating seniors at the school threw their caps.
A senior engineer and her senior colleague explained it.
He is a student of the game, and so are other students of history.
Student fares and student rooms go up.
A liberal dose of rain is expected.
A liberal worker protection rule and a liberal family leave policy are planned.
Liberal amounts of salt, and a liberal reading of the rule.
A conservative population estimate puts the loss at nine trees.
Conservative accounting and conservative dentistry have little in common.
A conservative reader of the forecast would take an umbrella.
A conservative adult dose is two drops.
The community garden gained a rural community hall and an urban community garden.
A super-rich chocolate cake with an ultra-rich and creamy filling.
A queer noise came from the engine.
The tree bears bisexual flowers in spring.
His catholic selection of records was sold.
Social democrats and the Sweden Democrats debated the fishing quota.
A native speaker labelled the native plants.
The middle of the rich seam was reached by a working pump.
A gay tune and bright colours opened the fair.""".splitlines()
"""Nobody of an identity is spoken of here."""

PEOPLE = (
    ("Black American", "Blacks are named twice in stories of this kind."),
    ("Black American", "It repeats stereotypes of blacks and whites alike."),
    ("Black American", "Black workers and Black families will notice first."),
    ("White American", "White Americans may not notice."),
    ("White American", "Many whites live further from the line."),
    ("White American", "The poll found more support among whites."),
    ("White American", "Whites may see it in another light."),
    ("White American", "The majority of whites were not asked."),
    ("Disabled", "Disabled people will find the ramp useful."),
    ("Disabled", "It matters for the disabled and the elderly."),
    ("Disabled", "The town has done little for the disabled."),
    ("Disabled", "If you are disabled, the new stop is nearer."),
    ("Disabled", "A disabled person may need more time."),
    ("Disabled", "Those who are disabled were not asked."),
    ("Disabled", "Being disabled, you may want to call ahead."),
    ("Disabled", "Disabled workers and disabled students ride this line."),
    ("Straight Male", "Straight men are not addressed."),
    ("Straight Male", "A straight man may read past it."),
    ("Straight Male", "Straight men's health is not the subject."),
    ("Straight Female", "Straight women are not addressed."),
    ("Straight Female", "Straight couples will find little here."),
    ("Independent", "Independents may wonder what it costs."),
    ("Independent", "As an independent, you weigh both sides."),
    ("Independent", "Independent voters often decide such matters."),
    ("Independent", "Registered independent voters were polled."),
    ("Democrat", "Democrats have asked for this."),
    ("Democrat", "Democratic voters will be glad."),
    ("Democrat", "Many Democratic leaders support it."),
    ("Democrat", "Democratic lawmakers wrote the bill."),
    ("Veteran", "As a veteran, you know the clinic."),
    ("Veteran", "Veterans gain a shorter way to the clinic."),
    ("Veteran", "Veterans of the Vietnam War will remember."),
    ("Veteran", "Disabled veterans ride free."),
    ("Veteran", "You are a veteran who waited long."),
    ("Student", "Students pay half."),
    ("Student", "As a student, you may pay less."),
    ("Senior Citizen", "Seniors use the bus in the morning."),
    ("Senior Citizen", "Older adults with time to spare will come."),
    ("Conservative", "It does not reinforce stereotypes about conservatives."),
    ("Conservative", "A conservative reader may object."),
    ("Conservative", "Conservative voters and conservative families were asked."),
    ("Liberal", "Many liberals will read it otherwise."),
    ("Liberal", "Liberal communities will approve."),
    ("Liberal", "As a liberal, you may approve."),
    ("Ultra-rich", "The ultra-rich will not notice."),
    ("Ultra-rich", "It helps super-rich families."),
    ("Lesbian", "Gay and lesbian people were not asked."),
    ("Gay Male", "Gay men and gay readers were not asked."),
    ("Bisexual", "Lesbian, gay, bisexual and transgender people were not asked."),
    ("LGBTQ+", "The queer community was not asked."),
    ("Catholic", "Catholics will find the church nearer."),
    ("Rural American", "Rural communities lose a bus."),
)
"""The identity spoken of, and how."""

KIN = (
    ("Gay Male", "Gay and lesbian people were not asked."),
    ("Gay Male", "Lesbian, gay, bisexual and transgender readers were not asked."),
    ("Lesbian", "Gay, lesbian and queer people were not asked."),
    ("Bisexual", "Lesbian, gay, bisexual and transgender readers were not asked."),
    ("Transgender / Nonbinary", "Gay and transgender people were not asked."),
    ("Veteran", "Disabled veterans ride free."),
    ("Disabled", "Disabled veterans ride free."),
    ("Middle class", "The upper middle class drives."),
    ("Southeastern Black", "African Americans have waited."),
)
"""A label, and words that speak of its people together with those of a label that overlaps."""
