// First act: the ticket, the rules, a failing test, and the cause.
import { edit, read, run, type Step, say, search, think, user } from "./steps.ts";

export const firstAct: readonly Step[] = [
  user(`Let's take BILL-482. Customers see a total in the PDF that is one cent off from what we store and charge. Ticket: https://tickets.example.com/browse/BILL-482

Some standing rules for the whole session:
- never touch migrations/
- money is integer cents, no floats on anything that ends on an invoice
- no new dependencies
- don't commit until I say so

It has to be merged before Thursday 2026-06-18, 17:00, because the quarter-end run starts that evening. Look around first, change nothing yet.`),
  think(
    "I should get the conventions and the recent history first, then the code that computes totals.",
    "I'll look at the layout, the conventions and the recent history first.",
    run(
      "git ls-files",
      `CHANGELOG.md
CONTRIBUTING.md
bench/quarter-end.ts
migrations/0001_customers.sql
migrations/0004_invoices.sql
migrations/0009_invoice_taxes.sql
migrations/0011_number_series.sql
migrations/0012_credit_notes.sql
package.json
scripts/compare-statements.ts
src/billing/discounts.ts
src/billing/invoice.ts
src/billing/money.ts
src/billing/numbering.ts
src/billing/proration.ts
src/billing/statements.ts
src/billing/tax.ts
src/http/invoice-routes.ts
src/http/parse-draft.ts
src/http/preview-route.ts
src/index.ts
src/pdf/page.ts
src/pdf/render-invoice.ts
src/server/clock.ts
src/server/router.ts
src/storage/database.ts
src/storage/invoice-repository.ts
src/storage/transaction.ts
test/billing/invoice.test.ts
test/billing/proration.test.ts
test/fixtures/customers-2026-05.json
test/fixtures/invoices-2026-05.json
test/http/invoice-routes.test.ts
test/http/parse-draft.test.ts
test/pdf/render-invoice.test.ts
test/storage/fresh-database.ts
test/storage/invoice-repository.test.ts
tsconfig.json`,
    ),
    run(
      "git log --oneline -n 12",
      `{hash:a1} BILL-471: print the reverse charge note on credit-only customers too
{hash:a2} BILL-468: answer 422 with all errors of a draft, not just the first
{hash:a3} BILL-455: spread discounts over the lines
{hash:a4} BILL-455: percent discounts before fixed ones
{hash:a5} BILL-449: take the number inside the transaction
{hash:a6} BILL-440: monthly statements
{hash:a7} BILL-431: show tax per rate in the PDF
{hash:a8} BILL-431: store tax groups
{hash:a9} Upgrade the compiler
{hash:b1} BILL-417: preview of lines for the shop
{hash:b2} BILL-402: basis points instead of percentages
{hash:b3} BILL-399: Cents is a type of its own`,
    ),
    read("CONTRIBUTING.md"),
  ),
  say(
    "Clear conventions. Now the three modules that decide the stored total, and the one that prints it.",
    read("src/billing/invoice.ts"),
    read("src/billing/tax.ts"),
    read("src/billing/discounts.ts"),
    read("src/pdf/render-invoice.ts"),
  ),
  say("And what they stand on:", read("src/billing/money.ts"), read("test/billing/invoice.test.ts")),
  say(`I see two separate causes, and either is enough for a cent:

1. **Tax is rounded at two different places.** \`groupTaxes\` in \`src/billing/tax.ts\` rounds per line and adds up; \`renderInvoice\` in \`src/pdf/render-invoice.ts\` ignores the stored groups' tax and rounds \`group.net * rate\` once per group. Three lines of 3.33 EUR at 19 %: stored tax is 3 x 0.63 = 1.89 EUR, printed tax is 1.90 EUR.
2. **\`spreadDiscount\` loses cents.** It rounds each share alone. 10.00 EUR off three lines of 10.00 EUR gives 3 x 3.33 = 9.99 EUR, so the tax groups' nets add up to 20.01 EUR while \`net\` says 20.00 EUR.

The comment in the PDF says older invoices were stored without tax groups, so the second computation was there on purpose. Before I propose a fix I'd like to know which rounding is the right one: per line or per rate?`),
  user(
    "Per rate, once. That's what the wiki page says and what finance signed off on: https://wiki.example.com/billing/rounding . Reproduce both causes with tests first, I want to see them red before you fix anything.",
  ),
  say(
    "Red first, then. I add both as tests of `buildInvoice`, with the numbers from above.",
    edit(
      "test/billing/invoice.test.ts",
      `    expect(invoice.total).toBe(4900);
  });
});`,
      `    expect(invoice.total).toBe(4900);
  });

  it("rounds tax once per rate", () => {
    const invoice = buildInvoice({ ...draft, lines: [line(333), line(333), line(333)] }, "INV-2026-000004");
    expect(invoice.taxes).toEqual([{ rate: 1900, net: 999, tax: 190 }]);
    expect(invoice.total).toBe(1189);
  });

  it("spreads a discount without losing a cent", () => {
    const discounts = [{ kind: "fixed" as const, amount: cents(1000), label: "Goodwill" }];
    const lines = [line(1000), line(1000, 1, 700), line(1000, 1, 0)];
    const invoice = buildInvoice({ ...draft, lines, discounts }, "INV-2026-000005");
    expect(invoice.net).toBe(2000);
    expect(invoice.taxes.reduce((sum, group) => sum + group.net, 0)).toBe(2000);
  });
});`,
    ),
  ),
  say(
    "",
    run(
      "npx vitest run test/billing/invoice.test.ts",
      ` RUN  v3.2.0

 ❯ test/billing/invoice.test.ts (5 tests | 2 failed) {ms}
   ✓ buildInvoice > adds lines and tax {ms}
   ✓ buildInvoice > keeps two rates apart {ms}
   ✓ buildInvoice > charges no tax under reverse charge {ms}
   × buildInvoice > rounds tax once per rate {ms}
     → expected [ { rate: 1900, net: 999, tax: 189 } ] to deeply equal [ { rate: 1900, net: 999, tax: 190 } ]
   × buildInvoice > spreads a discount without losing a cent {ms}
     → expected 2001 to be 2000 // Object.is equality

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 2 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  test/billing/invoice.test.ts > buildInvoice > rounds tax once per rate
AssertionError: expected [ { rate: 1900, net: 999, tax: 189 } ] to deeply equal [ { rate: 1900, net: 999, tax: 190 } ]

- Expected
+ Received

  [
    {
      "net": 999,
      "rate": 1900,
-     "tax": 190,
+     "tax": 189,
    },
  ]

 ❯ test/billing/invoice.test.ts:35:27

 FAIL  test/billing/invoice.test.ts > buildInvoice > spreads a discount without losing a cent
AssertionError: expected 2001 to be 2000 // Object.is equality

- Expected
+ Received

- 2000
+ 2001

 ❯ test/billing/invoice.test.ts:44:73

 Test Files  1 failed (1)
      Tests  2 failed | 3 passed (5)
   Duration  {ms}`,
      1,
    ),
  ),
  say(`Both are red for the reasons I expected: tax 189 instead of 190, and group nets that add up to 2001.

My proposal:
- \`groupTaxes\` adds the nets of a rate and rounds once per group. \`taxOf\` then has no caller in billing and can go.
- A new \`allocate(total, weights)\` in \`src/billing/money.ts\` splits an amount so that the parts always add up (largest remainder, ties to the earlier line). \`spreadDiscount\` becomes a call of it.
- The PDF prints what is stored.

Shall I go on in that order?`),
  user(
    "Yes, largest remainder is what we want, and ties to the earlier line. Do tax and the discounts now, the PDF after that as its own step.",
  ),
  say(
    "",
    edit(
      "src/billing/tax.ts",
      `export function taxOf(line: TaxableLine): Cents {
  return roundHalfUp(line.net * (line.rate / 10_000));
}

/** One entry per rate, highest rate first, as printed at the foot of the invoice. */
export function groupTaxes(lines: readonly TaxableLine[]): TaxGroup[] {
  const groups = new Map<BasisPoints, TaxGroup>();
  for (const line of lines) {
    const group = groups.get(line.rate) ?? { rate: line.rate, net: ZERO, tax: ZERO };
    groups.set(line.rate, {
      rate: line.rate,
      net: add(group.net, line.net),
      tax: add(group.tax, taxOf(line)),
    });
  }
  return [...groups.values()].sort((a, b) => b.rate - a.rate);
}`,
      `/** One entry per rate, highest rate first. Tax is rounded once per rate, never per line. */
export function groupTaxes(lines: readonly TaxableLine[]): TaxGroup[] {
  const nets = new Map<BasisPoints, Cents>();
  for (const line of lines) nets.set(line.rate, add(nets.get(line.rate) ?? ZERO, line.net));
  return [...nets]
    .map(([rate, net]) => ({ rate, net, tax: roundHalfUp((net * rate) / 10_000) }))
    .sort((a, b) => b.rate - a.rate);
}`,
    ),
    edit(
      "src/billing/money.ts",
      `/** "1.234,50 EUR" for people`,
      `/**
 * Splits \`total\` in proportion to \`weights\` so that the parts add up to it. Each part is rounded down; the
 * cents that are left go to the largest remainders, ties to the earlier part.
 */
export function allocate(total: Cents, weights: readonly number[]): Cents[] {
  const sum = weights.reduce((left, right) => left + right, 0);
  if (sum === 0) return weights.map(() => ZERO);
  const parts = weights.map((weight, index) => {
    const product = total * weight;
    const remainder = ((product % sum) + sum) % sum;
    return { index, amount: (product - remainder) / sum, remainder };
  });
  let left = total - parts.reduce((taken, part) => taken + part.amount, 0);
  for (const part of [...parts].sort((a, b) => b.remainder - a.remainder || a.index - b.index)) {
    if (left === 0) break;
    part.amount += 1;
    left -= 1;
  }
  return parts.map((part) => cents(part.amount));
}

/** "1.234,50 EUR" for people`,
    ),
    edit(
      "src/billing/discounts.ts",
      `  const sum = add(...nets);
  if (sum === 0) return nets.map(() => ZERO);
  return nets.map((net) => roundHalfUp((total * net) / sum));
}`,
      `  return allocate(total, nets);
}`,
    ),
    edit(
      "src/billing/discounts.ts",
      `import { type Cents, ZERO, add, cents, roundHalfUp, subtract } from "./money";`,
      `import { type Cents, allocate, cents, roundHalfUp, subtract } from "./money";`,
    ),
  ),
  say(
    "Tests and build together:",
    run(
      "npx vitest run test/billing",
      ` RUN  v3.2.0

 ✓ test/billing/invoice.test.ts (5 tests) {ms}
 ✓ test/billing/proration.test.ts (3 tests) {ms}

 Test Files  2 passed (2)
      Tests  8 passed (8)
   Duration  {ms}`,
    ),
    run(
      "npm run build",
      `> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

src/http/preview-route.ts(2,10): error TS2305: Module '"../billing/tax"' has no exported member 'taxOf'.
src/index.ts(6,28): error TS2305: Module '"./billing/tax"' has no exported member 'taxOf'.

Found 2 errors in 2 files.

Errors  Files
     1  src/http/preview-route.ts:2
     1  src/index.ts:6`,
      2,
    ),
  ),
  say(
    "The tests pass, but the build fails: `taxOf` has callers after all, outside of billing. I searched only the billing folder before; let me look at all of them.",
    search("taxOf", "src"),
    read("src/http/preview-route.ts"),
  ),
  say(
    "Two users: the shop's preview, and `src/index.ts`, which exports it from the package. I could rewrite the preview to call `groupTaxes` with one line and drop the export from the index.",
  ),
  user(
    "No, keep the public signature. The checkout team imports taxOf from our package and I don't want a major release for this. Put it back, same name and parameters, and say in its comment that it's for display only.",
  ),
  say(
    "Understood: `taxOf(line)` stays exported exactly as it was, and the comment says what it must not be used for.",
    edit(
      "src/billing/tax.ts",
      `/** One entry per rate, highest rate first. Tax`,
      `/**
 * The tax of one line alone, for display beside it. Do not add these up: an invoice's tax is rounded once per
 * rate, see \`groupTaxes\`. Public: other packages import it.
 */
export function taxOf(line: TaxableLine): Cents {
  return roundHalfUp((line.net * line.rate) / 10_000);
}

/** One entry per rate, highest rate first. Tax`,
    ),
  ),
  say(
    "",
    run(
      "npm run build && npx vitest run",
      `> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

built dist/index.js 48.2 kB in {ms}

 RUN  v3.2.0

 ✓ test/billing/invoice.test.ts (5 tests) {ms}
 ✓ test/billing/proration.test.ts (3 tests) {ms}
 ✓ test/http/invoice-routes.test.ts (9 tests) {ms}
 ✓ test/http/parse-draft.test.ts (14 tests) {ms}
 ✓ test/pdf/render-invoice.test.ts (4 tests) {ms}
 ✓ test/storage/invoice-repository.test.ts (6 tests) {ms}

 Test Files  6 passed (6)
      Tests  41 passed (41)
   Duration  {ms}`,
    ),
  ),
  say(
    "The build is fixed and all 41 tests pass. `taxOf` is back with its old signature; I only moved the division to the end so that no fraction of a rate is multiplied. Next is the PDF.",
  ),
];
