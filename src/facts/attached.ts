// What was attached to messages, shown by tools or made by the model, a line each; and what the model declined to do. The
// bytes leave with their message: the line says what there was, and where it is.
import type { FactMessage } from "./fact-message.ts";
import type { AttachmentFact } from "./ledger.ts";

/** Carried over all rounds: the newest. */
const MOST = 400;

export function extractAttachments(messages: readonly FactMessage[]): readonly AttachmentFact[] {
  const found = messages.flatMap(({ attached, source }) =>
    attached.map((one): AttachmentFact => ({ kind: "attachment", ...one, times: 1, source })),
  );
  return mergeAttachments([], found);
}

/** One that has a name is told once, where it was shown last. */
export function mergeAttachments(
  earlier: readonly AttachmentFact[],
  later: readonly AttachmentFact[],
): readonly AttachmentFact[] {
  const named = new Map<string, AttachmentFact>();
  const all = [...earlier, ...later];
  for (const fact of all) {
    if (!fact.isNamed) continue;
    named.set(fact.text, { ...fact, times: fact.times + (named.get(fact.text)?.times ?? 0) });
  }
  const last = new Map(all.map((fact, at) => [fact.text, at]));
  const told = all.flatMap((fact, at) =>
    fact.isNamed ? (last.get(fact.text) === at ? [named.get(fact.text) ?? fact] : []) : [fact],
  );
  return told.slice(-MOST);
}
