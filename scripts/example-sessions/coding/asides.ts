// What only the session file holds: a prompt that was taken back, a look-around on a side chain, and the
// summary that the host wrote when it compacted.

/** Asked at the start of the second act, then taken back: the developer went to the message before it. */
export const takenBack = {
  prompt: "Now the PDF. Keep the computation there, just round per group like billing does.",
  answer:
    "Then the rule would stand in two places, `groupTaxes` and `renderInvoice`, and the next change of it could make them differ again. Printing the stored tax would avoid that. Shall I still keep the computation?",
} as const;

export const lookAround = {
  prompt:
    "Find every place outside src/billing that does arithmetic with amounts. Report paths and lines, change nothing.",
  query: "/ 100",
  answer: `Arithmetic with amounts outside src/billing:
- src/pdf/render-invoice.ts: multiplies quantity and unit price for the table, computes tax per group and the total
- src/storage/invoice-repository.ts: divides net and tax by 100 for numeric columns
- src/http/preview-route.ts: multiplies quantity and unit price, calls taxOf
Nothing in src/server or src/http/parse-draft.ts.`,
} as const;

/** Stands where the second act ends. `hashes` are the two commits. */
export function hostSummary(hashes: readonly string[]): string {
  return `This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.

1. Request: BILL-482, totals in the PDF are one cent off from what is stored and charged. To be merged before Thursday 2026-06-18, 17:00.
2. Rules from the developer: never touch migrations/; money is integer cents; no new dependencies; commit only when told; keep the public signature of taxOf; what was sent to a customer is never changed.
3. Done: tax is rounded once per rate (src/billing/tax.ts), discounts are spread by largest remainder with allocate() in src/billing/money.ts, the PDF prints stored taxes (src/pdf/render-invoice.ts, printedTaxes), splitPeriod covers the price exactly with the odd cent in the refund (src/billing/proration.ts).
4. Tests: 239 pass, the build passes.
5. For finance: INV-2026-003118, INV-2026-003340, INV-2026-003341 are imported with totals that are one cent off.
6. Commits: ${hashes.join(", ")}. Nothing is pushed.
7. Open: the second half of the ticket, partial credit notes.`;
}
