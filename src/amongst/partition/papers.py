"""What the papers are called from which several methods are."""

from __future__ import annotations

MONDRIAN = "LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006"

INCOGNITO = "LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005"

UTILITY = "Xu, Wang, Pei, Wang, Shi, Fu: Utility-Based Anonymization Using Local Recoding, KDD 2006"

ONE_DIMENSIONAL = "Ghinita, Karras, Kalnis, Mamoulis: Fast Data Anonymization with Low Information Loss, VLDB 2007"

MANY_TABLES = "Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009"
