"""Transcripts: four students, the worked example of the paper on many tables."""

from __future__ import annotations

from amongst.datasets.database_set import DatabaseSet
from amongst.datasets.dataset import About
from amongst.relations.relation import DatabaseSchema, Relation
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Four students with their courses and books, the worked example of MultiRelational k-Anonymity",
    source="rebuilt from the text of Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, table 3 and "
    "figures 1 and 3; what the text does not say is made up",
    licence="made-up people; no licence needed",
)

COURSES = {"Science": ["Math", "Physics", "CS"], "Social": ["History", "Religion"]}
BOOKS = {
    "Science book": ["Calculus", "Dynamics", "Discrete"],
    "Social book": ["American History", "World Religions"],
}


def transcripts() -> DatabaseSet:
    """Students S1 and S2 are those of figure 3; S4 takes History with an American History book, and Religion.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.load_database("transcripts").tables["courses"].num_rows
    10
    """
    import pyarrow as pa

    students = pa.table({"Sid": ["S1", "S2", "S3", "S4"], "GPA": ["3.72", "2.34", "3.12", "4.00"]})
    courses = pa.table(
        {
            "SCid": [f"SC{i}" for i in range(1, 11)],
            "Sid": ["S1", "S1", "S1", "S2", "S2", "S2", "S3", "S3", "S4", "S4"],
            "Course": [
                "Math",
                "Physics",
                "History",
                "CS",
                "Physics",
                "Religion",
                "Religion",
                "CS",
                "Religion",
                "History",
            ],
            "Grade": [93, 91, 84, 78, 82, 88, 75, 97, 95, 98],
        }
    )
    books = pa.table(
        {
            "SCid": ["SC1", "SC2", "SC2", "SC4", "SC5", "SC8", "SC10"],
            "Book": ["Discrete", "Calculus", "Dynamics", "Discrete", "Dynamics", "Discrete", "American History"],
            "Price": [40, 65, 70, 42, 68, 41, 30],
        }
    )
    return DatabaseSet("transcripts", {"students": students, "courses": courses, "books": books}, _schema(), ABOUT)


def _schema() -> DatabaseSchema:
    course = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(COURSES))
    book = Column(role="quasi", kind="categorical", hierarchy=Hierarchy.nested(BOOKS))
    sensitive = Column(role="sensitive")
    return DatabaseSchema(
        {
            "students": Relation(Schema({"GPA": sensitive}), key="Sid"),
            "courses": Relation(
                Schema({"Course": course, "Grade": sensitive}), key="SCid", parent="students", foreign_key="Sid"
            ),
            "books": Relation(Schema({"Book": book, "Price": sensitive}), parent="courses", foreign_key="SCid"),
        }
    )
