// Second act: the PDF, a question about reverse charge, proration, and the first commits.
import { edit, read, run, type Step, say, search, think, user } from "./steps.ts";

export const secondAct: readonly Step[] = [
  user(
    "Go ahead with the PDF. Old invoices without tax groups must still print, there are about 1,900 of them from before BILL-431.",
  ),
  think(
    "The old invoices have taxes: [] or the field is missing. The renderer loops over invoice.taxes, so for them it prints no tax at all today. Check how they look in the fixture before assuming.",
    "Before I change it, I check what an old invoice looks like in the fixture, because the present loop would print no tax at all for a missing list.",
    run(
      "jq -c '.[] | select(.number < \"INV-2025-000900\") | {number, net, total, taxes}' test/fixtures/invoices-2026-05.json | head -5",
      `{"number":"INV-2024-018204","net":4900,"total":5831,"taxes":[{"rate":1900,"net":4900}]}
{"number":"INV-2024-018377","net":12600,"total":14994,"taxes":[{"rate":1900,"net":12600}]}
{"number":"INV-2024-018911","net":1998,"total":2377,"taxes":[{"rate":1900,"net":999},{"rate":1900,"net":999}]}
{"number":"INV-2025-000113","net":700,"total":749,"taxes":[{"rate":700,"net":700}]}
{"number":"INV-2025-000542","net":5599,"total":6591,"taxes":[{"rate":1900,"net":4999},{"rate":700,"net":600}]}`,
    ),
    search("taxes", "src"),
  ),
  say(
    "So they do have groups, but without `tax`, and one of them lists a rate twice. For such an invoice the stored total is the truth: tax to print is `total - net`, and only if there are several rates it has to be split. `allocate` does that, with `net * rate` as weights, so the printed lines always add up to what the customer paid.",
  ),
  say(
    "",
    edit(
      "src/pdf/render-invoice.ts",
      `  // The foot is computed here, because older invoices were stored without tax groups.
  let total: number = invoice.net;
  for (const group of invoice.taxes) {
    const tax = (group.net * group.rate) / 10_000;
    total += tax;
    page.row(\`Tax \${group.rate / 100} %\`, money(cents(Math.round(tax)), invoice));
  }
  page.row("Total", money(cents(Math.round(total)), invoice));
`,
      `  for (const group of printedTaxes(invoice)) {
    page.row(\`Tax \${group.rate / 100} %\`, money(group.tax, invoice));
  }
  page.row("Total", money(invoice.total, invoice));
`,
    ),
    edit(
      "src/pdf/render-invoice.ts",
      `function money(amount: Cents, invoice: Invoice): string {`,
      `/**
 * The stored tax of each rate. Invoices from before February 2025 were stored without it; there the difference
 * between total and net is split over the rates, so that the page adds up to what was charged.
 */
export function printedTaxes(invoice: Invoice): readonly TaxGroup[] {
  if (invoice.taxes.every((group) => group.tax !== undefined)) return invoice.taxes;
  const weights = invoice.taxes.map((group) => group.net * group.rate);
  const shares = allocate(subtract(invoice.total, invoice.net), weights);
  return invoice.taxes.map((group, index) => ({ ...group, tax: shares[index] }));
}

function money(amount: Cents, invoice: Invoice): string {`,
    ),
    edit(
      "src/pdf/render-invoice.ts",
      `import { type Cents, cents, formatCents, multiply } from "../billing/money";
`,
      `import { type Cents, allocate, formatCents, multiply, subtract } from "../billing/money";
import type { TaxGroup } from "../billing/tax";
`,
    ),
    edit(
      "test/pdf/printed-taxes.test.ts",
      "",
      `import { describe, expect, it } from "vitest";
import type { Invoice } from "../../src/billing/invoice";
import { printedTaxes } from "../../src/pdf/render-invoice";
import fixtures from "../fixtures/invoices-2026-05.json";

const invoices = fixtures as unknown as Invoice[];

describe("printedTaxes", () => {
  it.each(invoices.map((invoice) => [invoice.number, invoice] as const))("adds up to the total of %s", (_, invoice) => {
    const tax = printedTaxes(invoice).reduce((sum, group) => sum + group.tax, 0);
    expect(invoice.net + tax).toBe(invoice.total);
  });
});
`,
    ),
  ),
  say(
    "",
    run(
      "npx vitest run test/pdf",
      ` RUN  v3.2.0

 ❯ test/pdf/printed-taxes.test.ts (212 tests | 3 failed) {ms}
   × printedTaxes > adds up to the total of INV-2026-003118 {ms}
     → expected 11881 to be 11880 // Object.is equality
   × printedTaxes > adds up to the total of INV-2026-003340 {ms}
     → expected 2001 to be 2000 // Object.is equality
   × printedTaxes > adds up to the total of INV-2026-003341 {ms}
     → expected 7438 to be 7437 // Object.is equality
 ✓ test/pdf/render-invoice.test.ts (4 tests) {ms}

 Test Files  1 failed | 1 passed (2)
      Tests  3 failed | 213 passed (216)
   Duration  {ms}`,
      1,
    ),
  ),
  say(
    "209 of 212 add up. I want to see what the three have in common before I touch anything.",
    run(
      'jq -c \'.[] | select(.number | IN("INV-2026-003118", "INV-2026-003340", "INV-2026-003341")) | {number, customerId, net, total, taxes, source}\' test/fixtures/invoices-2026-05.json',
      `{"number":"INV-2026-003118","customerId":"cus_0207","net":9983,"total":11880,"taxes":[{"rate":1900,"net":9983,"tax":1898}],"source":"import"}
{"number":"INV-2026-003340","customerId":"cus_0033","net":1869,"total":2000,"taxes":[{"rate":700,"net":1869,"tax":132}],"source":"import"}
{"number":"INV-2026-003341","customerId":"cus_0033","net":6250,"total":7437,"taxes":[{"rate":1900,"net":6250,"tax":1188}],"source":"import"}`,
    ),
  ),
  say(`All three have \`source: "import"\`: they came in from the old system with a total that was already one cent off. Our code didn't compute them. 1869 at 7 % is 130.83, so the imported 132 isn't even a rounding of it.

I can leave them failing, exclude imported invoices from the test, or print total minus net for them too. I'd exclude them with the reason in the test, and list the three numbers in the ticket.`),
  user(
    "Exclude them, with the reason. And list the three numbers for me at the end so that I can hand them to finance. We never change what was already sent to a customer.",
  ),
  say(
    "",
    edit(
      "test/pdf/printed-taxes.test.ts",
      `const invoices = fixtures as unknown as Invoice[];
`,
      `// Imported invoices keep the totals of the old system, which were sent to customers and stay as they are.
const invoices = (fixtures as unknown as (Invoice & { source?: string })[]).filter(
  (invoice) => invoice.source !== "import",
);
`,
    ),
  ),
  say(
    "",
    run(
      "npx vitest run test/pdf && npm run build",
      ` RUN  v3.2.0

 ✓ test/pdf/printed-taxes.test.ts (197 tests) {ms}
 ✓ test/pdf/render-invoice.test.ts (4 tests) {ms}

 Test Files  2 passed (2)
      Tests  201 passed (201)
   Duration  {ms}

> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

built dist/index.js 48.9 kB in {ms}`,
    ),
  ),
  say(
    "197 invoices that we computed add up on the page; 15 imported ones are left out with the reason beside the filter. For finance: INV-2026-003118, INV-2026-003340, INV-2026-003341.",
  ),
  user(
    'Good. Quick question in between: does reverse charge go through the same path? cus_0112 complained last month that their PDF showed a row "Tax 0 %" and their accountant didn\'t like it.',
  ),
  say("", search("reverseCharge", "src"), read("src/pdf/render-invoice.ts")),
  say(`Yes, the same path: \`buildInvoice\` sets the rate of every line to 0, so \`groupTaxes\` returns one group \`{rate: 0, net, tax: 0}\` and the PDF prints it as a row. The amounts are right, only the row is unnecessary beside the reverse charge note.

Dropping it would be one condition in \`renderInvoice\`: skip groups with rate 0 when \`invoice.reverseCharge\` is set. A line with a true rate of 0 on a normal invoice should keep its row. I haven't changed anything; it isn't part of BILL-482.`),
  user(
    "Right, leave it, I'll open a separate ticket. Next: does proration have the same kind of loss? A plan change refunds the one part and charges the other, they must cover the price exactly.",
  ),
  say("", read("src/billing/proration.ts"), read("test/billing/proration.test.ts")),
  think(
    "used and left are rounded independently. If both fractions are exactly .5 both round up: one cent too much. 15 of 30 days and an odd price.",
    "`splitPeriod` rounds both parts on its own, so an exact half is rounded up twice. The existing test uses March with 31 days, where a half can't occur. April, 15 of 30 days and an odd price should show it:",
    edit(
      "test/billing/proration.test.ts",
      `    expect(used + left).toBe(999);
  });
});`,
      `    expect(used + left).toBe(999);
  });

  it("covers the price exactly when the period is cut in half", () => {
    const april = { start: "2026-04-01", end: "2026-05-01" };
    const { used, left } = splitPeriod(cents(1005), april, "2026-04-16");
    expect(used + left).toBe(1005);
  });
});`,
    ),
    run(
      "npx vitest run test/billing/proration.test.ts",
      ` RUN  v3.2.0

 ❯ test/billing/proration.test.ts (4 tests | 1 failed) {ms}
   ✓ proration > counts whole days {ms}
   ✓ proration > charges the days that are left {ms}
   ✓ proration > loses no cent between the old plan and the new one {ms}
   × proration > covers the price exactly when the period is cut in half {ms}
     → expected 1006 to be 1005 // Object.is equality

 ❯ test/billing/proration.test.ts:22:25

 Test Files  1 failed (1)
      Tests  1 failed | 3 passed (4)
   Duration  {ms}`,
      1,
    ),
  ),
  say(
    "Confirmed: 503 + 503 = 1006. Which side should get the odd cent? If I split with `allocate`, the tie goes to the earlier part, which is the used one, so the customer's refund would be 502.",
  ),
  user(
    "In favour of the customer: the refund gets it. So left is rounded as today and used is the rest. And no float share please, multiply first, divide once.",
  ),
  say(
    "",
    edit(
      "src/billing/proration.ts",
      `  const left = daysIn({ start: day, end: period.end });
  const share = left / daysIn(period);
  return roundHalfUp(price * share);
}`,
      `  const left = daysIn({ start: day, end: period.end });
  return roundHalfUp((price * left) / daysIn(period));
}`,
    ),
    edit(
      "src/billing/proration.ts",
      `/** What is used up and what is left of a price when the plan changes on \`day\`. */
export function splitPeriod(price: Cents, period: Period, day: string): { used: Cents; left: Cents } {
  const usedShare = daysIn({ start: period.start, end: day }) / daysIn(period);
  return { used: roundHalfUp(price * usedShare), left: prorate(price, period, day) };
}`,
      `/**
 * What is used up and what is left of a price when the plan changes on \`day\`. The two cover the price exactly;
 * an odd cent is in \`left\`, which is refunded.
 */
export function splitPeriod(price: Cents, period: Period, day: string): { used: Cents; left: Cents } {
  const left = prorate(price, period, day);
  return { used: subtract(price, left), left };
}`,
    ),
    edit(
      "src/billing/proration.ts",
      `import { type Cents, roundHalfUp } from "./money";`,
      `import { type Cents, roundHalfUp, subtract } from "./money";`,
    ),
  ),
  say(
    "",
    run(
      "npm run build && npx vitest run",
      `> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

built dist/index.js 48.9 kB in {ms}

 RUN  v3.2.0

 ✓ test/billing/invoice.test.ts (5 tests) {ms}
 ✓ test/billing/proration.test.ts (4 tests) {ms}
 ✓ test/http/invoice-routes.test.ts (9 tests) {ms}
 ✓ test/http/parse-draft.test.ts (14 tests) {ms}
 ✓ test/pdf/printed-taxes.test.ts (197 tests) {ms}
 ✓ test/pdf/render-invoice.test.ts (4 tests) {ms}
 ✓ test/storage/invoice-repository.test.ts (6 tests) {ms}

 Test Files  7 passed (7)
      Tests  239 passed (239)
   Duration  {ms}`,
    ),
  ),
  say(
    "Once more the whole module after three edits, to see that nothing of the old computation is left:",
    read("src/billing/proration.ts"),
  ),
  say("Green: 239 tests, build passes. The refund of 1005 cents over half of April is 503, the used part 502."),
  user(
    "Commit now, in two commits: rounding and PDF together, proration on its own. Ticket id in the subject, say what changes for the reader, not how.",
  ),
  say(
    "",
    run(
      "git add src/billing/money.ts src/billing/tax.ts src/billing/discounts.ts src/pdf test/billing/invoice.test.ts test/pdf && git commit -q -m 'BILL-482: the PDF shows the total that is charged' && git log --oneline -n 1 --stat",
      `{hash:c1} BILL-482: the PDF shows the total that is charged
 src/billing/discounts.ts       |  6 ++----
 src/billing/money.ts           | 22 ++++++++++++++++++++++
 src/billing/tax.ts             | 23 +++++++++++------------
 src/pdf/render-invoice.ts      | 26 ++++++++++++++++++--------
 test/billing/invoice.test.ts   | 15 +++++++++++++++
 test/pdf/printed-taxes.test.ts | 16 ++++++++++++++++
 6 files changed, 84 insertions(+), 24 deletions(-)`,
    ),
    run(
      "git add src/billing/proration.ts test/billing/proration.test.ts && git commit -q -m 'BILL-482: a plan change refunds and charges exactly the price' && git status --short && git log --oneline -n 1",
      "{hash:c2} BILL-482: a plan change refunds and charges exactly the price",
    ),
  ),
  say(
    "Two commits: `{hash:c1}` (rounding and PDF) and `{hash:c2}` (proration). The working tree is clean; nothing is pushed.",
  ),
];
