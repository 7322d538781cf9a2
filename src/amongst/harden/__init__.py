"""A release that withstands the attacks that were promised to fail: search, attack, repair, attack again."""
