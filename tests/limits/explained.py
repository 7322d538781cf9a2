"""Numbers in the code that are not moved, with the reason; and what may change where one is."""

from __future__ import annotations

from fnmatch import fnmatch

DRAWN = "how something is drawn on a page; tests/app_figures and tests/report look at the drawing"
MADE_UP = "of an invented data set: it says what is drawn, not how a table of a user is treated"
ROUNDING = "a tolerance of floating point, not a size"
REFERENCE = "of the naive version that the tests hold the kernels against"
SERVER = "of an engine that needs a server; its own tests move it"
KERNEL = "compiled into the kernels too: the two must be the same"
SAID = "a default that a person sees and may change; the option is tested where it is read"
FORMAT = "the number of a file format or version"
CLOCK = "seconds or a share of progress; it changes when something is told, not what"

NOT_MOVED: dict[str, str] = {
    "app.*": DRAWN,
    "report.charts.*": DRAWN,
    "report.vega*": DRAWN,
    "lattice.page:*": DRAWN,
    "datasets.*": MADE_UP,
    "engines.spark.*": SERVER,
    "engines.postgresql.*": SERVER,
    "kernels.numpy*": REFERENCE,
    "kernels.axis:FIXED_POINT": KERNEL,
    "kernels.*:FULL": KERNEL,
    "kernels.target:FIXED_POINT": KERNEL,
    "kernels.*:MOST_COLUMNS": KERNEL,
    "kernels.*:MOST_DIMENSIONS": KERNEL,
    "kernels.compiled_rows:MOST_RECORD_BYTES": KERNEL,
    "encode.coded:WEIGHT_STEPS": KERNEL,
    "partition.line.curve:BITS": KERNEL,
    "partition.packing:WORD": KERNEL,
    "engines.parts.curve_parts:WORD": KERNEL,
    "engines.parts.ring_parts:WORD": KERNEL,
    "schema.node_weights:MOST_WEIGHTED": "a larger tree with weights is refused; test_node_weights.py tries one",
    "relations.verify.values_apart:FEW_CLASSES": "in fewer a copy may be chance; test_anatomization.py finds one",
    "partition.full_domain.incognito_materialized:MOST_VIEWS": (
        "which frequency sets are kept, never the answer: test_incognito_oracle.py holds that against brute force"
    ),
    "engines.duckdb.formed:BLOCK": "moved by test_forms_in_files.py: the same bytes block by block",
    "engines.duckdb.as_written:A_CELL": "moved by test_forms_in_files.py: what needs memory minds its limit",
    "month_names:SHORTEST": "letters of a month's name; tests/read/test_forms.py reads short forms in all languages",
    "published.named_months:_FEWEST": "the verifier's own letters of a month's name; the same tests read it back",
    "*:ROUNDING": ROUNDING,
    "*:NEARLY": ROUNDING,
    "*:SLACK": ROUNDING,
    "query.figures:EPSILON": ROUNDING,
    "cli.*": SAID,
    "attack.made:USUAL_K": SAID,
    "*:FORMAT": FORMAT,
    "read.header:LONGEST_HEADER": "a longer line of names is refused; tests/read tries one",
    "read.text:MOST_BYTES_A_SIGN": "of UTF-8; tests/read reads names of such signs",
    "read.as_read:PRECISION": "the digits that a decimal of Arrow holds",
    "published.parquet_footer:_BYTE_ARRAY": FORMAT,
    "published.runs:NULL": "the mark of a null among codes, not a size",
    "published.parquet_footer:_DEEPEST": "how deep a footer may nest; lower, sound files are refused",
    "*:TICK": CLOCK,
    "engines.duckdb.connect:POLL": CLOCK,
    "attack.rate:Z": "the 97.5 % point of the normal distribution",
    "relations.verify.loose_links:*": "how sure the verifier is that a column holds keys; lower, it refuses more",
    "analysis.*": "of a model or of how often is drawn: tests/analysis and benchmarks/coverage.py see what comes of it",
    "attack.membership:FEWEST_DIVISIONS": "from how many on their spread counts; test_membership.py tries both sides",
    "harden.harden:FINEST": "how closely membership is looked at; lower, a small table is divided more often",
    "partition.applied.find_class:MOST_KINDS": "of a 64-bit number; test_saved_recoding.py has rows beyond it",
    "attack.presence:*": "how many moves and boxes are looked at; test_presence.py moves the boxes",
    "relations.attacks.*": "how many persons are tried, or codes known; test_attack_database.py tries a sample",
    "compare.choose:*": "weighs one candidate against another; tests/compare decides on both sides of each",
}

NOT_READ = "no little flow reads it yet; the tests of its folder do"
NOT_MOVED |= dict.fromkeys(
    (
        "attack.cut_worlds:*",
        "engines.csv_text:BATCH",
        "engines.parts.diverse:AT_A_TIME",
        "harden.finer:*",
        "partition.applied.find_class:BLOCK",
        "partition.refine:refine*",
        "published.csvw:*",
        "read.encoding:*",
        "read.formats.*",
        "read.forms:EXACT_DIGITS",
        "read.header:MOST_UNPACKED",
        "read.header:MOST_TIMES",
        "relations.find_persons:*",
        "relations.km_anonymity:MOST_CODES",
        "relations.known_codes:*",
        "relations.methods.codes:*",
        "relations.shared_codes:*",
        "release.release:least_loss(rounds)",
        "republish.*",
        "verify.together.all_releases:MOST_WAYS",
        "attack.learner:MOST_BINS",
        "attack.worlds:*",
        "partition.cells.cell_cover:SEED",
        "partition.intervals.cut_certainty:*",
        "partition.intervals.cut_start:SHARE",
        "partition.anatomy.eligible_parts:MOST_CELLS",
        "partition.frequency_sets:SAMPLE",
        "partition.mend:FAR_MORE",
        "partition.target_weights:LEAST",
        "partition.clusters.top_down:ORDER_SEED",
        "partition.trees.unrestricted:MOST_NAMED",
        "kernels.cell_price:SMALL",
        "encode.rank:BLOCK",
        "recode.stream:PIECE",
        "relations.verify.verify_database:SMALL",
        "relations.methods.d_miracle:*",
        "relations.methods.anatomization:*",
        "relations.skeleton:MOST_FEATURES",
        "relations.times:*",
        "relations.uniqueness:*",
        "relations.withheld:MOST_CELLS",
        "relations.stores.sqlite_file:BATCH",
        "release.anatomy_story:ENOUGH_BITS",
        "risk.population_uniques:*",
        "release.worth_knowing:*",
        "schema.check_digits:*",
        "schema.columns_together:*",
        "schema.doubts:HEAD",
        "schema.person_names:MANY",
        "schema.suggest_hierarchy:*",
        "schema.suggest_role:*",
        "schema.value_evidence:IN_LISTS",
        "schema.value_words:*",
        "schema.value_evidence:HALF",
        "schema.value_evidence:SHARE",
        "verify.checks.all_distinct:*",
        "published.compatible:*",
        "verify.checks.folder_files:*",
        "published.people:*",
        "schema.problem:listed(most)",
    ),
    NOT_READ,
)
NOT_MOVED |= {
    "pseudonyms.*": "of keys and digests, held against the standard library; or a default that a person sees",
    "attack.replay:MOST_IN_FULL": "how many ways to deal out values are all run: ten times as many take minutes",
    "engines.parts.curve_parts:STEP": "how many bits of a key are looked at at once: a table of 2 to that power",
    "engines.memory:ROOM": "memory set aside for the libraries, in bytes",
    "engines.parts.plan:*": "of the plan for a given memory; tests/engines/parts plans on both sides",
}

EFFORT = "how much is tried for less loss: another grouping, which is verified as any other"
LISTED = "how much is shown or measured: less or more of the same"
MAY_DIFFER: dict[str, str] = {
    "partition.cells.few_columns:ONE_ORDER": EFFORT,
    "partition.published_price:FAR": "moved as near as this it takes different ends of ranges for the same",
    **dict.fromkeys(
        (
            "partition.clusters.best:*",
            "partition.clusters.bottom_up:*",
            "partition.line.curve:LATER",
            "partition.clusters.ladders:*",
            "partition.clusters.sweep:*",
            "partition.clusters.top_down:*",
            "partition.trees.unrestricted:*",
            "partition.line.idistance:*",
            "partition.refine:*",
            "partition.intervals.k_optimize:*",
            "partition.trees.full_subtree:*",
            "partition.trees.set_search:*",
            "partition.cells.cell_groups:*",
            "relations.*(cluster_limit)",
            "relations.grouping:*",
            "query.steer:*",
            "query.workload:*",
            "query.random_workload:*",
            "dual:*",
        ),
        EFFORT,
    ),
    **dict.fromkeys(
        (
            "attack.*",
            "query.fidelity:*",
            "query.joint:*",
            "lattice.view:*",
            "release.story:*",
            "report.*",
            "risk.attributes:*",
            "risk.figures:*",
            "risk.minimal_uniques:*",
            "partition.lower_bound:*",
            "measure.sensitive:*",
            "learn.*",
            "verify.together.composition:*",
            "verify.row_numbers:FEW_ROWS",
            "verify.pair.pair:*",
            "published.*listed*",
        ),
        LISTED,
    ),
    "risk.individual:FEW_ROWS": "which of two formulas estimates the risk of a row",
    "schema.*": "a suggestion: what counts as few, many or nearly all",
}
TOO_MUCH = "more than this is refused, with words"
MAY_REFUSE: dict[str, str] = {
    "partition.cells.few_columns:MOST_CHOICES": TOO_MUCH,
    **dict.fromkeys(
        (
            "encode.target:MOST_CLASSES",
            "learn.classification:classification(share)",
            "partition.mondrian.large_counts:MOST_ROWS",
            "partition.clusters.top_down:refuse_wrong_window(most)",
            "read.cells:LONGEST_CELL",
            "read.header:LONGEST_HEADER",
            "verify.together.common_rows:MOST_CELLS",
            "partition.ask:*",
            "partition.full_domain.full_domain_optimum:*",
            "partition.clusters.top_down:top_down(window)",
            "partition.refine:refine(window)",
            "partition.intervals.k_optimize:*",
            "query.ask:MOST_LINES",
            "query.matching:MOST_CASES",
            "query.sql:*",
            "query.random_workload:*",
            "relations.methods.bitmap:MOST_BYTES",
            "relations.loose_keys:*",
        ),
        TOO_MUCH,
    ),
    "published.csv_file:*": "a header or a row that is longer than a block is refused; nothing is left out silently",
    "engines.duckdb.formed:BLOCK": "rows that are given their values at a time, each by its own cell alone",
    "engines.duckdb.as_written:A_CELL": "an estimate of memory: what is larger than the limit is refused",
    "engines.duckdb.csv_columns:BLOCK": "a row must fit into a block; cells of more than a megabyte are refused before",
}


def reason(limit: str, among: dict[str, str]) -> str | None:
    """Why, or None; a pattern may stand for several."""
    return next((why for pattern, why in among.items() if fnmatch(limit, pattern)), None)
