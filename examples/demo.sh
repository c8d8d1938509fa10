#!/bin/sh
# Shows Rowbook at work: a new workspace, from its first check to two closed months. Needs nothing
# but the installed command; leaves the workspace for whoever wants to go on with it.
set -eu
rowbook=${ROWBOOK:-$(cd "$(dirname "$0")/.." && pwd)/.venv/bin/rowbook}
home=$(mktemp -d)
demo="$home/acme_close"

step() { printf '\n== %s\n\n' "$1"; }

step "A workspace that works at once: rowbook init acme_close"
(cd "$home" && "$rowbook" init acme_close)
cd "$demo"

step "Check every definition, without Spark: rowbook validate"
"$rowbook" validate

step "The same with a typo in the project: what is wrong, where, what to do"
cp projects/monthly_close.yaml "$home/kept.yaml"
sed 's/ROUND(gl\.amount/ROUND(gl.amout/' "$home/kept.yaml" > projects/monthly_close.yaml
"$rowbook" validate || echo "(exit code $?)"
cp "$home/kept.yaml" projects/monthly_close.yaml

step "What would a run do? rowbook plan monthly_close --period 2026-01"
"$rowbook" plan monthly_close --period 2026-01

step "Make it count: rowbook apply, rowbook activate monthly_close"
"$rowbook" apply --yes
"$rowbook" activate monthly_close

step "Close two months: rowbook run monthly_close --periods 2026-01..2026-02"
"$rowbook" run monthly_close --periods 2026-01..2026-02

step "The statement of both months: line, actual, budget, variance in US dollars"
for month in reports/profit_and_loss/*; do
    printf '%s\n' "${month##*=}"
    cat "$month"/*.csv | grep -E '^(group|result)' | sort \
        | awk -F, '{ printf "  %-28s%16s%16s%14s\n", $3, $4, $5, $6 }'
done

step "What ran, and what it registered: rowbook runs list, rowbook datasets list"
"$rowbook" runs list
"$rowbook" datasets list

step "Prove the rules: rowbook test"
"$rowbook" test

cat <<END

What to try next:
  cd $demo
  rowbook=$rowbook
  \$rowbook run monthly_close --period 2026-03 --draft --report march.html
  \$rowbook preview monthly_close --period 2026-01 --after 60 --limit 10
  edit a rule in projects/monthly_close.yaml, then see what it would change:
  \$rowbook diff monthly_close --period 2026-01
