#!/bin/sh
# Shows Rowbook at work on a copy of the sample workspace examples/close.
set -eu
cd "$(dirname "$0")/close"
bin=../../.venv/bin

step() { printf '\n== %s\n\n' "$1"; }

step "Check every definition, without Spark: rowbook validate"
"$bin/rowbook" validate

step "The same with a typo in the project: what is wrong, where, what to do"
broken=$(mktemp -d)
trap 'rm -rf "$broken"' EXIT
cp -r rowbook.yaml datasets datasources resolvers calendars projects scenarios "$broken"
sed -i.bak 's/gl\.amount \/ COALESCE/gl.amout \/ COALESCE/' "$broken/projects/monthly_close.yaml"
(cd "$broken" && "$OLDPWD/$bin/rowbook" validate) || echo "(exit code $?)"

step "Record the definitions as versions: rowbook apply"
close=$(mktemp -d)
trap 'rm -rf "$broken" "$close"' EXIT
cp -r . "$close"
rm -rf "$close/.rowbook"
"$bin/rowbook" apply --yes -C "$close"

step "A project version that runs: rowbook activate monthly_close"
"$bin/rowbook" activate monthly_close -C "$close"

step "Close January 2026: rowbook run monthly_close --period 2026-01"
"$bin/rowbook" run monthly_close --period 2026-01 -C "$close" --format json > "$broken/run.json"
"$bin/python" ../show_run.py "$broken/run.json" "$close"

step "What ran, and what it registered: rowbook runs list, rowbook datasets list"
"$bin/rowbook" runs list -C "$close"
"$bin/rowbook" datasets list -C "$close"

step "Prove the rules: rowbook test"
"$bin/rowbook" test

cat <<'END'

What to try next, in examples/close:
  ../../.venv/bin/rowbook run monthly_close --period 2026-01 --draft
  ../../.venv/bin/rowbook preview monthly_close --period 2026-02 --after 20 --limit 10
  edit projects/monthly_close.yaml, then: ../../.venv/bin/rowbook validate
END
