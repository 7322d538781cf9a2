"""The shares behind the census-like table.

All of them are made up: plausible, and not to be measured against any country or year.
"""

from __future__ import annotations

import numpy as np

AGES = np.arange(16, 95)
SHARE_OF_AGE = 1 / (1 + np.exp((AGES - 70) / 8))
WOMEN_OF_AGE = 0.49 + 0.14 / (1 + np.exp((75 - AGES) / 6))

N_EDUCATION_LEVELS = 17
N_SALARY_CLASSES = 50

GENDERS = ("Female", "Male")
RACES = (
    "White",
    "Black",
    "American Indian",
    "Chinese",
    "Japanese",
    "Other Asian",
    "Pacific Islander",
    "Other",
    "Two or more",
)

# By region of birth: the shares of the races, in the order above.
RACES_OF_REGION = {
    "Northern America": (78, 13, 1.2, 0.4, 0.3, 1.0, 0.3, 3.0, 2.8),
    "Central America": (45, 2, 3.0, 0.1, 0.05, 0.1, 0.1, 45, 4.7),
    "Caribbean": (40, 48, 0.4, 0.3, 0.05, 0.6, 0.1, 7, 3.6),
    "South America": (58, 5, 1.5, 0.4, 0.8, 0.8, 0.1, 29, 4.4),
    "Northern Europe": (93, 3, 0.1, 0.3, 0.1, 1.8, 0.1, 0.4, 1.2),
    "Western Europe": (91, 4, 0.1, 0.4, 0.2, 1.5, 0.1, 1.2, 1.5),
    "Southern Europe": (96, 1, 0.1, 0.2, 0.1, 0.4, 0.1, 1.2, 0.9),
    "Eastern Europe": (98, 0.3, 0.1, 0.1, 0.1, 0.5, 0.1, 0.3, 0.5),
    "Western Asia": (84, 1, 0.1, 0.2, 0.1, 9, 0.1, 3, 2.5),
    "Southern Asia": (3, 1, 0.4, 0.4, 0.1, 92, 0.3, 1.2, 1.6),
    "South-eastern Asia": (3, 0.4, 0.2, 11, 0.3, 80, 2.6, 0.7, 1.8),
    "Eastern Asia": (1.2, 0.3, 0.1, 53, 18, 26, 0.3, 0.2, 0.9),
    "Africa": (14, 81, 0.1, 0.1, 0.1, 2.2, 0.1, 0.9, 1.5),
}

# By region, in the order above: how many are born there, and how their schooling differs, in levels.
SHARE_OF_REGION = np.array([82, 6, 2.0, 1.6, 0.9, 0.8, 0.8, 0.9, 0.6, 1.1, 1.6, 1.4, 0.6])
SCHOOLING_OF_REGION = np.array([0, -3.5, -1.2, -0.6, 0.8, 0.6, -1.5, 0.4, 0.6, 1.6, -0.4, 1.1, 0.5])

# By age band and gender: the marital statuses in the order of their tree.
AGE_BANDS = np.array([20, 25, 30, 40, 50, 65, 80])
MARITAL_OF_BAND = np.array(
    [
        [(3, 1, 0.5, 0.2, 0.1, 95), (1, 0.5, 0.2, 0.1, 0.05, 98)],
        [(25, 2.5, 2, 2, 0.1, 68), (15, 2, 1, 1, 0.05, 81)],
        [(50, 2, 3, 6, 0.3, 39), (41, 2, 2, 4, 0.1, 51)],
        [(63, 1.5, 4, 13, 0.7, 18), (61, 2, 3, 10, 0.2, 24)],
        [(65, 1.3, 4, 18, 2, 10), (67, 1.7, 3, 15, 0.5, 13)],
        [(64, 1.2, 2.5, 17, 9, 6), (74, 1.6, 2, 13, 2, 7)],
        [(45, 0.9, 1, 8, 41, 4), (74, 1.5, 1, 7, 12, 4.5)],
        [(16, 0.6, 0.3, 3, 76, 4), (57, 1.5, 0.6, 3, 34, 4)],
    ]
)

# By stage of life (at school, at work, retired): the ten work classes in the order of their tree.
STAGES = np.array([20, 66])
WORK_OF_STAGE = np.array(
    [
        (40, 3, 0.4, 1.2, 1.5, 0.2, 1.0, 0.5, 9, 43),
        (54, 6, 2.4, 4.0, 6.0, 3.0, 5.5, 0.25, 4, 15),
        (9, 1.5, 0.3, 0.5, 1.0, 1.2, 3.0, 0.3, 0.8, 82),
    ]
)
# By schooling (no diploma, diploma, degree): how much likelier each work class becomes.
DIPLOMA, DEGREE = 9, 13
WORK_OF_SCHOOLING = np.array(
    [
        (1.0, 0.4, 0.4, 0.4, 0.4, 0.5, 1.1, 1.5, 1.8, 1.5),
        (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
        (0.9, 2.0, 1.4, 1.7, 1.8, 1.5, 0.9, 0.7, 0.5, 0.6),
    ]
)
# By work class: whose work it is. Occupations are tied to these in census-occupations.csv.
SECTORS = ("any", "public", "own")
SECTOR_OF_WORK = np.array([0, 0, 1, 1, 1, 2, 2, 2, 0, 0])
