"""Workspaces that somebody was given and shall not trust: what each brings, and who must stop it.

In their texts `{outside}` is a folder of the user's, `{port}` that of a server which asks for
passwords, and BASE is a workspace that works.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.support.ledger import CLOSE, FILES

BASE: Mapping[str, str] = {
    **FILES,
    "datasources/lake.yaml": "datasource: {name: lake, type: csv, options: {root: data}}\n",
    "data/gl.csv": "account,amount,note,_period\n1000,10.50,,2026-01\n",
    "data/rates.csv": "account,rate\n1000,2.0\n",
}
_TO_THIEF = """\
datasource:
  name: lake
  type: jdbc
  options: {{url: "jdbc:postgresql://127.0.0.1:{{port}}/ledger", user: closer}}
  credential_ref: "{reference}"
"""


@dataclass(frozen=True, slots=True)
class Clone:
    """`files` beside or instead of BASE's, and `links` with where they lead. `code` is what the
    commands stop with; `validate` says it too where it `is_finding`."""

    code: str
    files: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    is_finding: bool = True


def _settings(text: str, files: Mapping[str, str] | None = None) -> Clone:
    """A workspace that must be trusted first: `validate` finds nothing, and uses nothing."""
    workspace = f"workspace:\n  name: acme\n  default_resolver_id: lake\n  {text}\n"
    return Clone("WORKSPACE_006", {"rowbook.yaml": workspace, **(files or {})}, is_finding=False)


def _conf(key: str, value: str) -> Clone:
    return _settings(f"engine: {{conf: {{{key}: '{value}'}}}}", {"code.jar": "PK"})


def _linked(code: str, link: str, target: str, *, is_finding: bool = False) -> Clone:
    return Clone(code, links={link: target}, is_finding=is_finding)


_THIEF = '"127.0.0.1:{port}"'

UNTRUSTED: Mapping[str, Clone] = {
    "classes on the path of Java": _conf("spark.driver.extraClassPath", "code.jar"),
    "an agent of Java": _conf("spark.driver.extraJavaOptions", "-javaagent:code.jar"),
    "a command on errors": _conf(
        "spark.driver.extraJavaOptions", "-XX:OnError=touch {outside}/ran -Xmx1k"
    ),
    "options beside a size": _conf("spark.driver.memory", "1k -XX:OnError=true"),
    "plugins": _conf("spark.plugins", "acme.Plugin"),
    "jars": _conf("spark.jars", "code.jar"),
    "packages": _conf("spark.jars.packages", "acme:code:1"),
    "a repository of packages": _conf("spark.jars.ivySettings", "ivy.xml"),
    "a class of the optimiser": _conf("spark.sql.adaptive.customCostEvaluatorClass", "acme.Cost"),
    "extensions": _conf("spark.sql.extensions", "acme.Extension"),
    "another Python": _conf("spark.pyspark.python", "./python"),
    "a remote engine": _settings('engine: {remote: "sc://127.0.0.1:{port}"}'),
    "another master": _settings('engine: {master: "spark://127.0.0.1:{port}"}'),
    "a store on a server": _settings(
        'store: {url: "postgresql://ann@127.0.0.1:{port}/x", credential_ref: env://CANARY}'
    ),
    "a store in a file elsewhere": _settings('store: {url: "sqlite:///{outside}/store.db"}'),
    "a store beside the workspace": _settings('store: {url: "sqlite:///../outside/store.db"}'),
    "a folder of the user's": _settings(
        "allowed_locations: ['{outside}']",
        {
            "projects/close.yaml": CLOSE.replace(
                "{datasource_id: lake, table: closed}",
                "{location: {path: '{outside}/out', format: csv}}",
            )
        },
    ),
    "a secret that it may have itself": _settings(
        f"credentials: [{{ref: env://CANARY, host: {_THIEF}, auth: [password]}}]",
        {"datasources/lake.yaml": _TO_THIEF.format(reference="env://CANARY")},
    ),
    "its state is a link": _linked("WORKSPACE_006", ".rowbook", "{outside}"),
    "its sandboxes are a link": _linked("WORKSPACE_006", ".rowbook/sandbox", "{outside}"),
    "its store is a link": _linked("WORKSPACE_006", ".rowbook/store.db", "{outside}/book.csv"),
}

REFUSED: Mapping[str, Clone] = {
    "a variable to a server": Clone(
        "DATASOURCE_011", {"datasources/lake.yaml": _TO_THIEF.format(reference="env://CANARY")}
    ),
    "a file to a server": Clone(
        "DATASOURCE_011",
        {"datasources/lake.yaml": _TO_THIEF.format(reference="file://{outside}/book.csv")},
    ),
    "a root outside": Clone(
        "DATASOURCE_004",
        {
            "datasources/lake.yaml": BASE["datasources/lake.yaml"].replace(
                "root: data", "root: ../outside"
            )
        },
    ),
    "a rule that leads out": Clone(
        "DATASOURCE_004",
        {
            "resolvers/lake.yaml": FILES["resolvers/lake.yaml"].replace(
                '{type: table, datasource_id: lake, table: "{{table_name}}"}',
                '{type: path, datasource_id: lake, path: "../../outside/book.csv"}',
            )
        },
    ),
    "an output outside": Clone(
        "DATASOURCE_004",
        {
            "projects/close.yaml": CLOSE.replace(
                "{datasource_id: lake, table: closed}",
                "{location: {path: ../outside/out, format: csv}}",
            )
        },
    ),
    "an output through a link": Clone(
        "DATASOURCE_004",
        {
            "projects/close.yaml": CLOSE.replace(
                "{datasource_id: lake, table: closed}", "{location: {path: out/x, format: csv}}"
            )
        },
        {"out": "{outside}"},
    ),
    "its data is a link": Clone(
        "DATASOURCE_004",
        {
            "datasources/lake.yaml": BASE["datasources/lake.yaml"].replace(
                "root: data", "root: linked"
            )
        },
        {"linked": "{outside}"},
    ),
    "one of its tables is a link": _linked("DATASOURCE_004", "data/gl", "{outside}"),
    "a bomb of aliases": Clone(
        "YAML_007",
        {
            "projects/close.yaml": "a0: &a0 x\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 13))
        },
    ),
    "a name of more than one line": Clone(
        "YAML_009",
        {"projects/close.yaml": "", "projects/close\n\x1b[2J0 errors.yaml": "acme: {}\n"},
    ),
}
