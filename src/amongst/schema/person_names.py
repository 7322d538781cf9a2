"""Whether texts are names of people: by their shape, by titles, and by some names that are common in several languages.

The list is short. It need not know a name: a column of names has a few of the common ones among the others. Words that
are also places, colours, months or other things are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

GIVEN = """
aaliyah aaron abdul abdullah abigail adam aditya adrian agnes agnieszka ahmed aicha aisha akira albert alberto
alejandra alejandro alessandro alex alexander alexandra alfred alfredo ali alice alicia alonzo alyssa amanda amina
amir amy ana ananya andre andrea andreas andrei andrew andrzej angela angelica anil anita anja anjali ann anna anne
annette anthony antoine anton antonio arjun armando arthur arturo asha ashley astrid ayse aziz barbara beatrice
beatriz benjamin bernadette bernard bernd betty birgit bob bogdan bradley brandon brenda brent brett brian bruce bryan
caitlin cameron camille candice carl carla carlos carmen carol carolina caroline catherine cecile cedric celine
chantal charles cheryl chiara chloe christian christina christine christoph christopher claire clara claudia claudio
clemens cody colleen connor courtney craig curtis cynthia daisuke damien daniel daniela danielle darius darnell darren
david deborah debra deepak deepika dennis derek derrick diana diego dieter dimitri dirk dmitri dominic dominique
donald donna doris dorota dorothy douglas dustin dwayne ebony eduardo edward edwin eileen elena elif elizabeth elke
ellen emily emma emre enrique eric erica erik erika erin ernest ernesto ernst esther ethan eugene eva evelyn fabian
fatima fatma federico felipe felix fernanda fernando filip fiona florian francesca francesco francisco francois
frederic freya friedrich gabriel gabriela gary geoffrey george gerald gerhard gianluca gina giovanni gisela giulia
giuseppe gloria greg gregory grzegorz guenter guillaume guillermo gustav gustavo gwendolyn hakim hamza hannah hans
harold harry hassan heather hector heidi heike heinrich helen helena helga helmut henri henry herbert hiroshi hussein
ian ibrahim ignacio igor imani ines ingrid irene irina isaac isabel isabella isabelle ivan jacob jacqueline jacques
jada jakub jamal james jamie jan jana janet janice jared jasmine jason javier jean jeanette jeffrey jennifer jeremiah
jeremy jerome jerry jessica jesus jimmy joan joanna joaquin jocelyn joerg johan johann johannes john johnny jonathan
jorge jose josefina joseph joshua joyce juan juanita judith juergen julia julian julie julien juliette justin jutta
karen karim karin karl katarzyna katharina katherine kathleen kathryn kathy katja kay kayla keisha keith kelly kenji
kenneth kevin kim kimberly klaus kristen kristina krzysztof kurt kyle lakisha lamar lars latoya laura lauren laurent
lea leila leon leonard leonie leroy leticia liam lillian linda ling lisa lorenzo lothar louis louisa louise luca lucas
lucia lucie lucy luigi luis lukas malgorzata malik manfred manon manuel manuela marc marcel marcela marcin marco
marcus marek margaret margarita maria mariam mariana marianne marie marilyn marina mario marion markus marta martha
martin martina marvin mateusz mathieu matteo matthew matthias maureen maurice max maximilian megan mehmet melanie
melissa melvin michael michal michel michele michelle miguel mike miroslav mitchell mohamed mohammad mohammed monica
monika monique mustafa nadia nancy natalia natalie natasha nathan neil nicholas nicolas nicole nikhil nikola nina noah
noelle norbert olga oliver olivier omar oscar osman otto pablo pamela patricia patrick paul paula pauline pedro peter
petra philip philippe pierre piotr pooja preeti priya rachel rafael rahul raj rajesh ralf ralph ramesh ramon ramona
randall raquel rashid raul ravi raymond rebecca renate renee ricardo richard rita robert roberto robin rodney rodrigo
roger ronald rosa roxanne ruben russell ruth ryan sabine sakura salvatore samantha samuel sandra sanjay sara sarah
scott sean sebastian sergei sergey sergio sharon shawn sheila shelby sherry shirley silke silvia simon simone sofia
sonia sonja sophia sophie stefan stefanie stephan stephanie stephen steve steven sunil suresh susan susanne suzanne
sven svetlana sylvia sylvie tamara tanja tanya tariq tatiana teresa terrence terry theresa thierry thomas tiffany
timothy tina tobias todd tom tomasz tracy travis trevor tyler tyrone ulrich ulrike umar ursula ute uwe valerie vanessa
vera veronica veronique vicki victor victoria vijay viktor vincent vladimir walter waltraud wei wendy werner wesley
wilhelm william wojciech wolfgang xavier xiomara yann yasmin yolanda youssef yuki yuri yusuf yves yvonne zachary
zainab zoe zofia
"""
FAMILY = """
abbott adams aguilar ahmed akhtar albrecht allen alvarez andersen anderson andersson andrews armstrong ballard
banerjee barnes bauer baumann beck becker bennett berger bergmann bernhard bertrand bianchi bonnet boucher braun
brooks bryant burke busch butler campbell cardenas carlson carroll carter castillo castro chandra chang chapman chavez
chen cho christensen clark cohen coleman collins colombo cooper costa cruz cunningham davis delgado demir desai diaz
dietrich doyle dubois duncan dupont durand edwards engel eriksson esposito estrada evans fernandez ferrari fischer
fitzgerald flores fontaine foster fournier fowler franke fraser freeman fuchs gallagher garcia garnier garza gauthier
gibbs gibson girard gomez gonzales gonzalez graf graham griffin gross gruber guerin guerrero gupta gutierrez guzman
haas hall hansen hansson harris hartmann harvey hawkins hayes heinrich henderson hernandez herrera herrmann hicks
hoffman hoffmann hofmann holm horn horvat howard huber hughes hussain hwang ivanov iyer jacobs jansen jenkins jensen
jimenez johansen johansson johnson johnston jones joshi jung kaiser kaplan kaufmann kaya keller kelley kelly kennedy
khan kim klein koch koehler kowalski kozlowski kraus krause krueger kruger kuhn kumar lambert lang larsen larson
lefebvre legrand lehman lehmann leroy lewandowski lewis lin lindberg liu lopez lorenz ludwig maier maldonado mancini
marino martin martinez mayer mccarthy mcdonald medina mehta meier mendez mendoza mercier meyer michel miller mitchell
molina moore morales moreau morel moreno morgan morin morris morrison mueller muller munoz murphy murray myers nair
nakamura nelson neumann nguyen nielsen nilsson nowak obrien oconnor okafor oliveira olsen olson ortega ortiz owens
ozturk park parker patel paulsen pereira perez perkins perrin perry persson peters petersen peterson petrov pfeiffer
pham phillips pierce pohl powell price rahman ramirez ramos ramsey rao reid reyes reynolds ricci richter rios ritter
rivera roberts robertson robin robinson roche rodriguez rogers romano romero rossi roth rousseau roux ruiz russo ryan
salazar sanchez sanders santos sato sauer schaefer schmid schmidt schmitt schmitz schneider scholz schroeder schubert
schulte schultz schulz schulze schumacher schwartz schwarz seidel serrano sharma silva silverman simmons simon singh
smirnov smith sommer stein stewart suarez sullivan suzuki svensson takahashi tanaka taylor thomas thompson thomson
torres tran tucker turner vargas vasquez vazquez vidal vogel vogt wagner walker wallace walter wang watson weber weiss
werner west williams williamson wilson winkler winter wolf wong wright yamamoto yang yilmaz young zhang zhao ziegler
zimmerman zimmermann
"""
TITLE = r"(?i)^(dr|mr|mrs|ms|miss|prof|herr|frau|mme|mlle|sr|sra|dott)\.? +(dr\.? +)?[\pL]{2,}"
SHAPE = r"^[\pL][\pL'’.-]*(,? +[\pL][\pL'’.-]*){0,4}$"
"""One to five words of letters: "Jean-Luc O'Neill", "lovelace, ada k."."""
NO_LETTER = r"[^\pL]+"
SHAPED = 0.8
"""The least share of values that have the shape of a name."""
LISTED = 0.04
"""The least share of values with a common name; a column of names has at least so many of them."""
LISTED_AGAINST = 0.3
"""The least share where the column's name speaks of something else, such as a place or work."""
MANY = 20
FEWEST = 3
"""Fewer values with a common name may be chance."""


def are_names(values: pa.Array, *, against: bool = False, told: bool = False) -> bool:
    """Whether most of the texts are names of people.

    ``against`` asks for more, since the name of the column speaks of something else; ``told`` for nothing but the
    shape, since the name of the column says so.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.schema.person_names import are_names
    >>> are_names(pa.array(["maria", "josef k.", "Anna", "Peter", "xiu"]))
    True
    >>> are_names(pa.array(["Ohio", "Texas", "New York", "Utah", "Maine"]))
    False
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(values):
        return False
    values = pc.utf8_trim_whitespace(values)
    titled = float(pc.mean(pc.match_substring_regex(values, for_letters_of(values, TITLE))).as_py() or 0)
    if titled >= 0.5:
        return True
    shaped = values.filter(pc.match_substring_regex(values, for_letters_of(values, SHAPE)))
    if len(shaped) < SHAPED * len(values):
        return False
    if told or _family_then_given(shaped):
        return True
    words = pc.split_pattern_regex(pc.utf8_lower(plain_letters(shaped)), for_letters_of(shaped, NO_LETTER))
    known = pa.array(sorted(set(GIVEN.split()) | set(FAMILY.split())))
    rows = pc.list_parent_indices(words).filter(pc.is_in(pc.list_flatten(words), known))
    n_listed = len(pc.unique(rows))
    return n_listed >= FEWEST and n_listed >= (LISTED_AGAINST if against else LISTED) * len(values)


def _family_then_given(values: pa.Array) -> bool:
    """Whether nearly all texts are one name before a comma and another after it; "Austin, TX" is a place."""
    import pyarrow.compute as pc

    pattern = r"^[\pL'’. -]+, +[\pL][\pL'’. -]*$"
    if (
        len(values) < MANY
        or pc.mean(pc.match_substring_regex(values, for_letters_of(values, pattern))).as_py() < SHAPED
    ):
        return False
    after = pc.replace_substring_regex(values, r"^.*, *", "")
    return not pc.mean(pc.match_substring_regex(after, "^[A-Z]{2}$")).as_py() >= SHAPED


def for_letters_of(values: pa.Array, regex: str) -> str:
    """A pattern as these texts need it: one of all the world's letters takes a hundred times as long to compile."""
    import pyarrow.compute as pc

    plain = regex.replace(r"\pL", "a-zA-Z")
    return regex if plain == regex or not pc.all(pc.string_is_ascii(values)).as_py() else plain


def plain_letters(values: pa.Array) -> pa.Array:
    """The texts without accents; umlauts as two letters."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for letter, plain in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")):
        values = pc.replace_substring(values, letter, plain)
    if pc.all(pc.string_is_ascii(values)).as_py():
        return values
    apart = pc.utf8_normalize(values, "NFKD")
    return pc.replace_substring_regex(apart.cast(pa.string()), r"\p{M}", "")
