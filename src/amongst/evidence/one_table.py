"""What evidence tells of a release of one table or two: risk, earlier releases, what models leave open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.evidence.told import proved
from amongst.report.wording import count, hidden_count, percent

if TYPE_CHECKING:
    from amongst.evidence.pack import Evidence
    from amongst.risk.figures import Risk


@dataclass(frozen=True, eq=False)
class OneTable:
    """The account of one table."""

    risk: Risk
    place = ("file", "it")

    def k(self, pack: Evidence) -> int:
        return pack.release.threshold

    def of_people(self, pack: Evidence) -> bool:
        return pack.release.unit is not None

    def n_rows(self, pack: Evidence) -> int:
        return pack.verdict.n_rows

    def columns(self, pack: Evidence) -> list[str]:
        return pack.release.manifest.columns

    def input(self, pack: Evidence) -> dict[str, Any]:
        """What is told of the table that came in."""
        return {key: pack.release.full.input.get(key) for key in ("name", "rows", "columns", "unit", "sha256")}

    def counted(self, pack: Evidence) -> dict[str, Any]:
        """What was counted for the proof."""
        verdict = pack.verdict
        return {"rows": verdict.n_rows, "classes": verdict.n_classes, "told_apart_by": verdict.columns}

    def assumed(self, pack: Evidence, public: bool) -> list[str]:
        """What was taken for granted."""
        from amongst.release.caveats import assumptions
        from amongst.verify.together.against import ASSUMED

        unit = pack.release.unit
        if public and unit is not None:
            unit = "a column that is not published"
        said = list(assumptions(pack.models, unit))
        said += [text for text in self.risk.assumptions if text not in said]
        return said + (list(ASSUMED) if pack.together else [])

    def not_protected(self, pack: Evidence) -> list[str]:
        """What the models leave open."""
        if pack.release.is_pair:
            from amongst.release.anatomy_story import CAVEATS

            return list(CAVEATS)
        from amongst.release.caveats import caveats

        return list(caveats(pack.models, pack.release.schema))

    def singling_out(self, pack: Evidence, public: bool) -> list[str]:
        k, after, before = pack.k, self.risk.after, self.risk.before
        models = [one for one, model in zip(pack.verdict.models, pack.models, strict=False) if model.counts != "values"]
        facts = proved(models)
        if after is None or (pack.release.unit is not None and after.n_people is None):
            facts.append(
                "The chance of finding a person was not measured: whose the rows of the release are is not told here."
            )
        elif after.prosecutor.highest <= (1 + 1e-12) / k:
            facts.append(f"Nobody known to be in the release can be found with a chance above 1/k = 1/{count(k)}.")
        elif public or pack.release.is_pair:
            facts.append("The chance of finding the row of a person is not bounded by 1/k.")
        if public:
            return facts
        if after is not None:
            facts.append(
                f"The highest chance of being found is {percent(after.prosecutor.highest)}, on average "
                f"{percent(after.prosecutor.average)}; {hidden_count(after.uniques, k)} {after.counted} are alone "
                "with what is published."
            )
        if before is not None:
            facts.append(
                f"In the input it was {percent(before.prosecutor.highest)}, on average "
                f"{percent(before.prosecutor.average)}; {hidden_count(before.uniques, k)} {before.counted} were alone."
            )
            most = [one.columns[0] for one in before.columns[:3]]
            facts.append(
                "The columns that tell most people apart in the input: " + ", ".join(f"'{name}'" for name in most)
            )
        for name, one in (("release", after), ("input", before)):
            if one is not None and one.journalist is not None:
                facts.append(
                    f"Of the population, the highest chance of being found in the {name} is "
                    f"{percent(one.journalist.highest)}, on average {percent(one.journalist.average)}."
                )
        return facts

    def linkability(self, pack: Evidence, public: bool) -> list[str]:
        if not pack.together:
            return ["No earlier release of the same people was given to compare with."]
        if public:
            n = len(pack.together)
            held = f"It was held against {n} earlier release{'' if n == 1 else 's'} of the same people."
            return [held, "Beside each of them, k still holds."] if all(pack.together) else [held]
        facts = []
        for one in pack.together:
            name = f"the earlier release '{one.earlier}'"
            if one.same_file:
                facts.append(f"Beside {name} nothing new is told: the same file was published.")
            elif one.ok:
                facts.append(f"Beside {name}, k = {one.k} still holds.")
            else:
                facts.append(f"Beside {name}, what was asked is NOT shown to hold.")
                facts += [f"{finding.what} {finding.found}".strip() for finding in one.findings]
        return facts

    def inference(self, pack: Evidence, public: bool) -> list[str]:
        models = [one for one, model in zip(pack.verdict.models, pack.models, strict=False) if model.counts == "values"]
        facts = proved(models)
        if not models:
            facts.append("No model of sensitive values was asked for: rows of a class may share a value.")
        if public:
            return facts
        for one in pack.release.full.get("sensitive", ()):
            after = one["after"]
            facts.append(
                f"'{one['column']}' in the worst class: l = {after['l_frequency']:.3g} by frequency, "
                f"{after['l_distinct']} different values, t = {after['t']:.3g}."
            )
        return facts

    def figures(self, pack: Evidence, public: bool) -> dict[str, Any]:
        """What the release is worth, and for the inside what it risks."""
        utility, k, verdict = dict(pack.release.full.get("utility", {})), pack.k, pack.verdict
        if public:  # as the labels show it: a loss measured on the input would tell of who is not published
            loss: dict[str, Any] = {"gcp": verdict.gcp} if verdict.gcp is not None else {}
            if known := {name: lost for name, lost in verdict.loss.items() if lost is not None}:
                loss["ncp"] = known
            return {"utility": {**loss, "n_published": verdict.n_rows, "n_classes": verdict.n_classes}}
        for name in ("n_suppressed", "uniques_before", "uniques_after"):
            if isinstance(utility.get(name), int):
                utility[name] = f"fewer than {k}" if 0 < utility[name] < k else utility[name]
        return {"utility": utility, "risk": self.risk.to_dict()}
