"""Whether texts are names of people: by their shape, by titles, and by some names that are common in several languages.

The list is short. It need not know a name: a column of names has a few of the common ones among the others. Words that
are also places, colours, months or other things are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

GIVEN = """
aaron abdul abigail adam adrian ahmed albert alejandro alex alexander alexandra alfred ali alice alicia alyssa
amanda amy ana andrea andreas andrew angela anita anja ann anna anne annette anthony antoine antonio arthur ashley
aziz barbara beatriz benjamin bernard bernd betty birgit bob brandon brenda brian bruce camille carl carla carlos
carmen carol caroline catherine cecile celine charles cheryl chloe christian christina christine christoph
christopher claire claudia clemens craig cynthia daniel daniela danielle david deborah debra dennis diana diego
dieter dirk dmitri dominique donald donna doris dorothy douglas edward elena elizabeth elke ellen emily emma eric
erik ernst esther ethan eugene eva evelyn fatima felix fernando florian francesca francesco francisco francois
frederic friedrich gabriel gary george gerald gerhard giovanni gisela giuseppe gloria greg gregory guenter guillaume
gustav hannah hans harold harry hassan heather heidi heike heinrich helen helena helga helmut henri henry herbert
ibrahim igor ines ingrid irene isabel isabelle ivan jacob jacqueline jacques james jamie jan janet janice jason
javier jean jeffrey jennifer jeremy jerry jessica jesus joan joanna joerg johann johannes john jonathan jorge jose
joseph joshua joyce juan juergen julia julian julie julien juliette jutta karen karin karl katharina katherine
kathleen kathryn katja kay keith kelly kenneth kevin kimberly klaus kurt kyle lars laura lauren laurent lea leila
leon leonard leonie linda lisa lothar louis louise luca lucas lucia lucie luis lukas manfred manon manuel manuela
marc marcel marco marcus margaret maria marianne marie marina mario marion markus marta martha martin martina
mathieu matthew matthias maurice max maximilian megan melanie melissa michael michel michele michelle miguel mike
mohamed mohammed monica monika monique nancy natalia natalie nathan nicholas nicolas nicole nina noah norbert olga
oliver olivier oscar otto pablo pamela patricia patrick paul paula pauline pedro peter petra philip philippe pierre
rachel rafael raj ralf ralph ramon raymond rebecca renate richard rita robert roberto roger ronald ruth ryan sabine
samantha samuel sandra sara sarah scott sean sebastian sergei sergio sharon shirley silke silvia simon simone sofia
sonja sophia sophie stefan stefanie stephan stephanie stephen steven susan susanne suzanne sven sylvia sylvie tanja
teresa theresa thierry thomas tiffany timothy tina tobias todd tom tyler ulrich ulrike ursula ute uwe valerie
vanessa vera veronica veronique victor victoria viktor vincent vladimir walter waltraud wei werner wilhelm william
wolfgang xavier yann yusuf yves yvonne zoe
"""
FAMILY = """
adams aguilar albrecht alvarez anderson andersson bauer baumann beck becker bennett berger bergmann bernhard
bertrand bianchi bonnet boucher braun brooks bryant busch butler campbell carter castillo castro chavez chen clark
cohen coleman collins colombo cooper costa cruz davis delgado diaz dietrich dubois dupont durand edwards engel
esposito evans fernandez ferrari flores fontaine foster franke fuchs garcia garnier gauthier gibson girard gomez
gonzales gonzalez graf griffin gross gruber guerin gupta gutierrez haas hall hansen harris hartmann heinrich
henderson hernandez herrmann hoffmann hofmann horn howard huber hughes ivanov jacobs jansen jenkins jensen jimenez
johansson johnson jones jung kaiser kaufmann keller kelley kim klein koch koehler kowalski kraus krause krueger
kruger kuhn kumar lambert lang larsen lefebvre lehmann leroy lewis lin lopez lorenz ludwig maier martinez mayer
mcdonald medina meier mendoza meyer miller mitchell molina moore morales moreau morel moreno morgan morin morris
mueller muller murphy murray myers nelson neumann nguyen nielsen nowak olsen ortega ortiz owens park parker patel
pereira perez perrin perry petersen peterson petrov pfeiffer phillips pohl powell price ramirez ramos reyes reynolds
ricci richter rivera roberts robinson rodriguez rogers romano romero rossi roth rousseau roux ruiz russo ryan
sanchez sanders santos sauer schaefer schmid schmidt schmitt schmitz schneider scholz schroeder schubert schulte
schultz schulz schulze schumacher schwarz seidel silva simmons simon singh smirnov smith sommer stein stewart suarez
sullivan svensson taylor thompson torres tran tucker turner vargas vasquez vidal vogel vogt wagner walker wallace
walter wang watson weber weiss werner west wilson winkler winter wolf wong wright yang young zhang zhao ziegler
zimmermann
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
    titled = float(pc.mean(pc.match_substring_regex(values, for_letters_of(values, TITLE))).as_py() or 0)
    if titled >= 0.5:
        return True
    shaped = values.filter(pc.match_substring_regex(values, for_letters_of(values, SHAPE)))
    if len(shaped) < SHAPED * len(values):
        return False
    if told:
        return True
    words = pc.split_pattern_regex(pc.utf8_lower(plain_letters(shaped)), for_letters_of(shaped, NO_LETTER))
    known = pa.array(sorted(set(GIVEN.split()) | set(FAMILY.split())))
    rows = pc.list_parent_indices(words).filter(pc.is_in(pc.list_flatten(words), known))
    n_listed = len(pc.unique(rows))
    return n_listed >= FEWEST and n_listed >= (LISTED_AGAINST if against else LISTED) * len(values)


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
