// Third act: credit notes, a wrong turn about their numbers, a slow batch, the change log, and work that stays open.
import { edit, read, run, type Step, say, search, think, user } from "./steps.ts";

const creditNoteModule = `import type { Invoice } from "./invoice";
import { type Cents, ZERO, allocate, cents } from "./money";
import type { TaxGroup } from "./tax";

export interface CreditNote {
  readonly number: string;
  readonly invoiceNumber: string;
  readonly issuedOn: string;
  readonly reason: string;
  /** Negative amounts, as they are booked. */
  readonly net: Cents;
  readonly taxes: readonly TaxGroup[];
  readonly total: Cents;
}

export interface CreditRequest {
  /** What the customer gets back, tax included, as a positive amount. */
  readonly amount: Cents;
  readonly issuedOn: string;
  readonly reason: string;
}

/** Credits part of an invoice. The rates are credited in proportion to what they cost, and add up to \`amount\`. */
export function buildCreditNote(invoice: Invoice, request: CreditRequest, number: string): CreditNote {
  if (request.amount <= 0) throw new RangeError("a credit note needs a positive amount");
  if (request.amount > invoice.total) throw new RangeError("a credit note cannot exceed its invoice");
  const totals = invoice.taxes.map((group) => group.net + group.tax);
  const shares = allocate(request.amount, totals);
  const taxes = invoice.taxes.map((group, index) => {
    const [net = ZERO, tax = ZERO] = allocate(shares[index], [group.net, group.tax]);
    return { rate: group.rate, net: cents(-net), tax: cents(-tax) };
  });
  return {
    number,
    invoiceNumber: invoice.number,
    issuedOn: request.issuedOn,
    reason: request.reason,
    net: cents(taxes.reduce((sum, group) => sum + group.net, 0)),
    taxes,
    total: cents(-request.amount),
  };
}
`;

const creditNoteTest = `import { describe, expect, it } from "vitest";
import { buildCreditNote } from "../../src/billing/credit-notes";
import { buildInvoice } from "../../src/billing/invoice";
import { cents } from "../../src/billing/money";

const invoice = buildInvoice(
  {
    customerId: "cus_0041",
    currency: "EUR",
    issuedOn: "2026-05-31",
    discounts: [],
    lines: [
      { description: "Seat", quantity: 3, unitPrice: cents(1000), taxRate: 1900 },
      { description: "Handbook", quantity: 1, unitPrice: cents(1499), taxRate: 700 },
    ],
  },
  "INV-2026-000010",
);

const request = { issuedOn: "2026-06-10", reason: "Outage on 2 June" };

describe("buildCreditNote", () => {
  it.each([1, 2, 99, 1000, invoice.total])("adds up for %i cents", (amount) => {
    const note = buildCreditNote(invoice, { ...request, amount: cents(amount) }, "CN-2026-000001");
    expect(note.net + note.taxes.reduce((sum, group) => sum + group.tax, 0)).toBe(-amount);
    expect(note.total).toBe(-amount);
  });

  it("mirrors the invoice when all of it is credited", () => {
    const note = buildCreditNote(invoice, { ...request, amount: invoice.total }, "CN-2026-000002");
    expect(note.taxes.map((group) => [group.rate, group.tax])).toEqual([[1900, -570], [700, -105]]);
  });

  it("refuses more than the invoice", () => {
    const amount = cents(invoice.total + 1);
    expect(() => buildCreditNote(invoice, { ...request, amount }, "CN-2026-000003")).toThrow(RangeError);
  });
});
`;

const storeTooSimple = `  async find(number: string): Promise<Invoice | undefined> {`;

const creditMethod = (series: string): string => `  /** Credits an invoice; undefined when there is no such invoice. */
  async credit(invoiceNumber: string, request: CreditRequest): Promise<CreditNote | undefined> {
    const invoice = await this.find(invoiceNumber);
    if (invoice === undefined) return undefined;
    return this.database.transaction(async (tx) => {
      const number = await takeNumber(tx, "${series}", Number(request.issuedOn.slice(0, 4)));
      const note = buildCreditNote(invoice, request, number);
      await tx.run(
        \`insert into credit_notes (number, invoice_number, issued_on, total_cents, body)
         values ($1, $2, $3, $4, $5)\`,
        [number, invoiceNumber, request.issuedOn, note.total, JSON.stringify(note)],
      );
      return note;
    });
  }

`;

export const thirdAct: readonly Step[] = [
  user(
    "Second half of the ticket: partial credit notes. `buildCreditNote(invoice, request, number)` in its own module src/billing/credit-notes.ts, amount is gross, split over the rates so that it adds up. The table credit_notes exists already. Look at how numbers are taken and how invoices are stored first.",
  ),
  say(
    "",
    read("src/billing/numbering.ts"),
    read("src/storage/invoice-repository.ts"),
    search("credit_notes", "migrations"),
  ),
  say(
    "`takeNumber` locks the row of a series and must be called inside the transaction that stores the document; the repository does so. Now the module and its test.",
    edit("src/billing/credit-notes.ts", "", creditNoteModule),
    edit("test/billing/credit-notes.test.ts", "", creditNoteTest),
    run(
      "npx vitest run test/billing/credit-notes.test.ts",
      ` RUN  v3.2.0

 ✓ test/billing/credit-notes.test.ts (7 tests) {ms}

 Test Files  1 passed (1)
      Tests  7 passed (7)
   Duration  {ms}`,
    ),
  ),
  say(
    "`allocate` is used twice: over the rates, then inside each rate over net and tax. Now storing it, in the repository beside `issue`:",
    edit("src/storage/invoice-repository.ts", storeTooSimple, `${creditMethod("INV")}${storeTooSimple}`),
    edit(
      "src/storage/invoice-repository.ts",
      `import { type Invoice, type InvoiceDraft, buildInvoice } from "../billing/invoice";`,
      `import { type CreditNote, type CreditRequest, buildCreditNote } from "../billing/credit-notes";
import { type Invoice, type InvoiceDraft, buildInvoice } from "../billing/invoice";`,
    ),
  ),
  user(
    "Stop: credit notes must not take numbers from the invoice series. They have their own series, CN. An auditor would see gaps in INV otherwise.",
  ),
  say(
    "You're right, and the row for `CN` is there since migration 0011; I should have read that instead of copying the line from `issue`.",
    edit(
      "src/storage/invoice-repository.ts",
      `takeNumber(tx, "INV", Number(request`,
      `takeNumber(tx, "CN", Number(request`,
    ),
    read("migrations/0011_number_series.sql"),
  ),
  say(
    "The series exists for 2025 and 2026. I add a test so that nobody mixes them up again:",
    edit(
      "test/storage/credit-notes.test.ts",
      "",
      `import { expect, it } from "vitest";
import { cents } from "../../src/billing/money";
import { InvoiceRepository } from "../../src/storage/invoice-repository";
import { draftOf, freshDatabase } from "./fresh-database";

it("takes credit note numbers from their own series", async () => {
  const database = await freshDatabase();
  const invoices = new InvoiceRepository(database);
  const invoice = await invoices.issue(draftOf({ issuedOn: "2026-05-31" }));
  const request = { amount: cents(100), issuedOn: "2026-06-10", reason: "Goodwill" };

  const note = await invoices.credit(invoice.number, request);
  const next = await invoices.issue(draftOf({ issuedOn: "2026-06-11" }));

  expect(note?.number).toBe("CN-2026-000001");
  expect(next.number).toBe("INV-2026-000002");
});
`,
    ),
    run(
      "npx vitest run test/storage",
      ` RUN  v3.2.0

 ✓ test/storage/credit-notes.test.ts (1 test) {ms}
 ✓ test/storage/invoice-repository.test.ts (6 tests) {ms}

 Test Files  2 passed (2)
      Tests  7 passed (7)
   Duration  {ms}`,
    ),
  ),
  user(
    "Better. Now the route: POST /invoices/:number/credit-notes with {amount, reason}. The support tool retries on timeouts, so it needs an idempotency key, otherwise someone is credited twice. 409 when the sum of credits would exceed the invoice.",
  ),
  say(
    "",
    read("src/http/invoice-routes.ts"),
    search("idempotency", "src"),
    run(
      "psql \"$DEV_DATABASE\" -c '\\d credit_notes'",
      `                 Table "public.credit_notes"
     Column      |  Type   | Collation | Nullable | Default
-----------------+---------+-----------+----------+---------
 number          | text    |           | not null |
 invoice_number  | text    |           | not null |
 issued_on       | date    |           | not null |
 total_cents     | integer |           | not null |
 body            | jsonb   |           | not null |
 request_key     | text    |           |          |
Indexes:
    "credit_notes_pkey" PRIMARY KEY, btree (number)
    "credit_notes_request_key" UNIQUE CONSTRAINT, btree (invoice_number, request_key)
Foreign-key constraints:
    "credit_notes_invoice_number_fkey" FOREIGN KEY (invoice_number) REFERENCES invoices(number)`,
    ),
  ),
  think(
    "The column request_key with a unique constraint already exists, so no migration is needed. Good, because migrations are off limits. Lock the invoice row so that two requests can't both pass the sum check.",
    "Nothing in `src` knows about idempotency yet, but the table has `request_key` with a unique constraint per invoice, so no migration is needed. Inside the transaction I lock the invoice row first; then the look-up of the key and the sum of earlier credits cannot race.",
    edit(
      "src/storage/invoice-repository.ts",
      creditMethod("CN"),
      `  /** Credits an invoice. The same key gives back the note it made the first time. */
  async credit(invoiceNumber: string, request: CreditRequest, key: string): Promise<CreditOutcome> {
    return this.database.transaction(async (tx) => {
      const row = await tx.maybeOne<{ body: Invoice }>(
        "select body from invoices where number = $1 for update",
        [invoiceNumber],
      );
      if (row === undefined) return { kind: "no-invoice" };
      const notes = await tx.all<{ body: CreditNote; request_key: string | null }>(
        "select body, request_key from credit_notes where invoice_number = $1",
        [invoiceNumber],
      );
      const earlier = notes.find((note) => note.request_key === key);
      if (earlier !== undefined) return { kind: "repeated", note: earlier.body };
      const credited = notes.reduce((sum, note) => sum - note.body.total, 0);
      if (credited + request.amount > row.body.total) return { kind: "exceeds", left: cents(row.body.total - credited) };
      const number = await takeNumber(tx, "CN", Number(request.issuedOn.slice(0, 4)));
      const note = buildCreditNote(row.body, request, number);
      await tx.run(
        \`insert into credit_notes (number, invoice_number, issued_on, total_cents, body, request_key)
         values ($1, $2, $3, $4, $5, $6)\`,
        [number, invoiceNumber, request.issuedOn, note.total, JSON.stringify(note), key],
      );
      return { kind: "created", note };
    });
  }

`,
    ),
    edit(
      "src/storage/invoice-repository.ts",
      `import type { Database } from "./database";
`,
      `import { type Cents, cents } from "../billing/money";
import type { Database } from "./database";

export type CreditOutcome =
  | { readonly kind: "created" | "repeated"; readonly note: CreditNote }
  | { readonly kind: "exceeds"; readonly left: Cents }
  | { readonly kind: "no-invoice" };
`,
    ),
    edit(
      "src/http/invoice-routes.ts",
      `  return router;
}`,
      `  router.post("/invoices/:number/credit-notes", async (request, { number }) => {
    const key = request.headers.get("idempotency-key");
    if (key === null || key === "") return Response.json({ errors: ["idempotency-key is missing"] }, { status: 400 });
    const credit = parseCredit(await request.json());
    if (!credit.ok) return Response.json({ errors: credit.errors }, { status: 422 });
    const outcome = await invoices.credit(number, credit.value, key);
    switch (outcome.kind) {
      case "no-invoice":
        return new Response(null, { status: 404 });
      case "exceeds":
        return Response.json({ errors: ["more than is left"], left: outcome.left }, { status: 409 });
      default:
        return Response.json(outcome.note, { status: outcome.kind === "created" ? 201 : 200 });
    }
  });

  return router;
}`,
    ),
    edit(
      "src/http/invoice-routes.ts",
      `import { parseDraft } from "./parse-draft";`,
      `import { parseCredit } from "./parse-credit";
import { parseDraft } from "./parse-draft";`,
    ),
    edit(
      "src/http/parse-credit.ts",
      "",
      `import type { CreditRequest } from "../billing/credit-notes";
import { cents } from "../billing/money";
import { today } from "../server/clock";

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly errors: string[] };

/** All errors of a credit request at once, like parseDraft. */
export function parseCredit(body: unknown): Parsed<CreditRequest> {
  const { amount, reason } = (body ?? {}) as { amount?: unknown; reason?: unknown };
  const errors: string[] = [];
  if (!Number.isSafeInteger(amount) || (amount as number) <= 0) errors.push("amount must be positive integer cents");
  if (typeof reason !== "string" || reason.trim() === "") errors.push("reason must not be empty");
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, value: { amount: cents(amount as number), reason: String(reason).trim(), issuedOn: today() } };
}
`,
    ),
  ),
  say(
    "",
    run(
      "npm run build && npx vitest run test/storage test/http",
      `> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

test/storage/credit-notes.test.ts(12,23): error TS2554: Expected 3 arguments, but got 2.
test/storage/credit-notes.test.ts(15,16): error TS2339: Property 'number' does not exist on type 'CreditOutcome'.

Found 2 errors in the same file, starting at: test/storage/credit-notes.test.ts:12`,
      2,
    ),
  ),
  say(
    "My own test still calls the first version. I bring it up to date and add the three cases you named.",
    edit(
      "test/storage/credit-notes.test.ts",
      `  const note = await invoices.credit(invoice.number, request);
  const next = await invoices.issue(draftOf({ issuedOn: "2026-06-11" }));

  expect(note?.number).toBe("CN-2026-000001");
  expect(next.number).toBe("INV-2026-000002");
});
`,
      `  const outcome = await invoices.credit(invoice.number, request, "key-1");
  const next = await invoices.issue(draftOf({ issuedOn: "2026-06-11" }));

  expect(outcome).toMatchObject({ kind: "created", note: { number: "CN-2026-000001" } });
  expect(next.number).toBe("INV-2026-000002");
});

it("credits once for one key", async () => {
  const invoices = new InvoiceRepository(await freshDatabase());
  const invoice = await invoices.issue(draftOf({ issuedOn: "2026-05-31" }));
  const request = { amount: cents(100), issuedOn: "2026-06-10", reason: "Goodwill" };
  const outcomes = await Promise.all([1, 2, 3].map(() => invoices.credit(invoice.number, request, "key-1")));
  expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual(["created", "repeated", "repeated"]);
});

it("never credits more than the invoice in sum", async () => {
  const invoices = new InvoiceRepository(await freshDatabase());
  const invoice = await invoices.issue(draftOf({ issuedOn: "2026-05-31" }));
  const request = { amount: cents(invoice.total - 1), issuedOn: "2026-06-10", reason: "Goodwill" };
  await invoices.credit(invoice.number, request, "key-1");
  const outcome = await invoices.credit(invoice.number, { ...request, amount: cents(2) }, "key-2");
  expect(outcome).toEqual({ kind: "exceeds", left: 1 });
});
`,
    ),
    run(
      "npm run build && npx vitest run test/storage test/http",
      `> invoice-service@4.12.0 build
> tsc -p . && node build.mjs

built dist/index.js 52.6 kB in {ms}

 RUN  v3.2.0

 ✓ test/http/invoice-routes.test.ts (9 tests) {ms}
 ✓ test/http/parse-draft.test.ts (14 tests) {ms}
 ✓ test/storage/credit-notes.test.ts (3 tests) {ms}
 ✓ test/storage/invoice-repository.test.ts (6 tests) {ms}

 Test Files  4 passed (4)
      Tests  32 passed (32)
   Duration  {ms}`,
    ),
  ),
  say(
    "The build is clean again. Three parallel requests with one key make one note, and the sum is checked under the lock. The route answers 201 the first time, 200 for a repeat, 409 with `left` when too much is asked, 404 for an unknown invoice.",
  ),
  user("Why does insert into invoice_taxes divide by 100? I thought money is cents everywhere."),
  say("", read("migrations/0009_invoice_taxes.sql"), search("invoice_taxes", "src")),
  say(`Because the columns \`net_amount\` and \`tax_amount\` are \`numeric(14, 2)\` since migration 0009, in whole euros. It's the one place where a fraction leaves the program: \`group.net / 100\` is a float on its way to the driver. Two decimals survive that for every amount below about 45 trillion euros, so it's ugly rather than wrong, and nothing in \`src\` reads the table back.

To be strict without touching the migration I could pass the amount as a decimal string, made from integers.`),
  user("Yes, do the string. Don't change the column, the warehouse reads it."),
  say(
    "",
    edit(
      "src/billing/money.ts",
      `/** "1.234,50 EUR" for people`,
      `/** "1234.50" for numeric columns, made without a division. */
export function decimalText(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, "0");
  return \`\${amount < 0 ? "-" : ""}\${digits.slice(0, -2)}.\${digits.slice(-2)}\`;
}

/** "1.234,50 EUR" for people`,
    ),
    edit(
      "src/storage/invoice-repository.ts",
      `[number, group.rate, group.net / 100, group.tax / 100],`,
      `[number, group.rate, decimalText(group.net), decimalText(group.tax)],`,
    ),
    edit(
      "src/storage/invoice-repository.ts",
      `import { type Cents, cents } from "../billing/money";`,
      `import { type Cents, cents, decimalText } from "../billing/money";`,
    ),
    run(
      "npx vitest run",
      ` RUN  v3.2.0

 ✓ test/billing/credit-notes.test.ts (7 tests) {ms}
 ✓ test/billing/invoice.test.ts (5 tests) {ms}
 ✓ test/billing/proration.test.ts (4 tests) {ms}
 ✓ test/http/invoice-routes.test.ts (9 tests) {ms}
 ✓ test/http/parse-draft.test.ts (14 tests) {ms}
 ✓ test/pdf/printed-taxes.test.ts (197 tests) {ms}
 ✓ test/pdf/render-invoice.test.ts (4 tests) {ms}
 ✓ test/storage/credit-notes.test.ts (3 tests) {ms}
 ✓ test/storage/invoice-repository.test.ts (6 tests) {ms}

 Test Files  9 passed (9)
      Tests  249 passed (249)
   Duration  {ms}`,
    ),
  ),
  say(
    "Done: `decimalText` builds the string from the digits, the column stays as it is, 249 tests pass. No division by 100 is left in `src/storage`.",
  ),
  user("The quarter-end run does 40,000 invoices. Is the sort in allocate going to hurt? Measure it, don't guess."),
  say(
    "",
    run(
      "node --import ./test/load-ts.mjs bench/quarter-end.ts --invoices 40000 --lines 12 --runs 5",
      `invoices 40000, lines per invoice 12, runs 5

step                     before {hash:c1}^      now   change
multiply lines                     41 ms     42 ms     +2 %
discounts and shares               97 ms    148 ms    +53 %
group taxes                       118 ms     71 ms    -40 %
build invoice, total              263 ms    268 ms     +2 %
render 500 PDFs                  8841 ms   8806 ms      0 %

heap at the end: 214 MB (before: 209 MB)`,
    ),
  ),
  say(
    "It doesn't hurt. `spreadDiscount` is 53 % slower with the sort (148 instead of 97 ms for all 40,000), but `groupTaxes` is 40 % faster because it rounds once per rate. Building all invoices takes 268 ms instead of 263 ms; the PDFs are 97 % of such a run. I'd leave it.",
  ),
  user("Fine, leave it. Write the CHANGELOG entry for 4.13.0. Short, for the people who read invoices."),
  say(
    "",
    edit(
      "CHANGELOG.md",
      "## 4.12.0",
      `## 4.13.0

- Fixed a bug in which the PDF showed a wrong total, one cent off.
- Fixed a bug in the proration of plan changes.
- Partial credit notes: \`POST /invoices/:number/credit-notes\`, with an \`idempotency-key\` header.

## 4.12.0`,
    ),
  ),
  user(
    'Not "wrong total" and not "bug", please: the charged amounts were right, only the page differed. Say "difference". Support will quote this.',
  ),
  say(
    "",
    edit(
      "CHANGELOG.md",
      `- Fixed a bug in which the PDF showed a wrong total, one cent off.
- Fixed a bug in the proration of plan changes.
`,
      `- The PDF shows the total that is charged. Before, rounding could make a difference of one cent on the page; the
  charged amount was never affected.
- When a plan changes in the middle of a period, refund and charge cover the price exactly. An odd cent goes to the
  customer.
`,
    ),
  ),
  say(
    "",
    run(
      "git status --short && git diff --stat",
      ` M CHANGELOG.md
 M src/billing/money.ts
 M src/http/invoice-routes.ts
 M src/storage/invoice-repository.ts
?? src/billing/credit-notes.ts
?? src/http/parse-credit.ts
?? test/billing/credit-notes.test.ts
?? test/storage/credit-notes.test.ts
 CHANGELOG.md                      |  8 ++++++++
 src/billing/money.ts              |  6 ++++++
 src/http/invoice-routes.ts        | 18 ++++++++++++++++++
 src/storage/invoice-repository.ts | 44 +++++++++++++++++++++++++++++++++++++++++++-
 4 files changed, 75 insertions(+), 1 deletion(-)`,
    ),
  ),
  say(
    "Reworded: it says where the difference was, that charges weren't affected, and who gets the odd cent. Nothing since `{hash:c2}` is committed yet: credit notes, route, `decimalText` and the change log are in the working tree.",
  ),
  user(
    "Keep it uncommitted until I've looked at it. Last part for today: src/billing/statements.ts. I think it has the same problem as the PDF had. Start with a failing test, and before you change the code tell me which customers in test/fixtures/customers-2026-05.json would get a different statement. Same rule as before: what was sent stays as it is, so only months from 2026-06 on may change.",
  ),
  say(
    "I read the module and its callers first, then I compare old and new for every customer of the fixture.",
    read("src/billing/statements.ts"),
    search("buildStatement", "src"),
  ),
  think(
    "Same pattern: rows compute tax from group.net * rate with a float and round once over all groups, not once per rate. Total should be invoice.total. Compare over the fixture without touching src.",
    "It is the same pattern: each row adds unrounded tax over all rates and rounds at the end, instead of taking `invoice.total`. With two rates on one invoice that can differ by a cent. The failing test, and a comparison that only reads:",
    edit(
      "test/billing/statements.test.ts",
      "",
      `import { expect, it } from "vitest";
import { buildInvoice } from "../../src/billing/invoice";
import { cents } from "../../src/billing/money";
import { buildStatement } from "../../src/billing/statements";

it("shows the totals that were charged", () => {
  const lines = [
    { description: "Seat", quantity: 1, unitPrice: cents(1003), taxRate: 1900 },
    { description: "Handbook", quantity: 1, unitPrice: cents(1008), taxRate: 700 },
  ];
  const draft = { customerId: "cus_0033", currency: "EUR", issuedOn: "2026-06-02", discounts: [], lines };
  const invoice = buildInvoice(draft, "INV-2026-000020");
  expect(buildStatement("cus_0033", "2026-06", [invoice]).total).toBe(invoice.total);
});
`,
    ),
    run(
      "node --import ./test/load-ts.mjs scripts/compare-statements.ts --fixture test/fixtures/customers-2026-05.json",
      `customers 58, statements 41, invoices 212

customer  month    invoices  statement  sum of invoice totals  difference
cus_0019  2026-05         3     118.42                 118.43       +0.01
cus_0033  2026-04         2      94.37                  94.37        0.00 (imported)
cus_0033  2026-05         4     402.11                 402.09       -0.02
cus_0074  2026-05         2      61.08                  61.09       +0.01
cus_0112  2026-05         5    1207.55                1207.55        0.00 (reverse charge)
cus_0168  2026-05         7    2290.70                2290.73       +0.03

Shown: 6 of 41 statements, those with two rates on an invoice or a note. The other 35 are equal to the cent.`,
    ),
  ),
];
