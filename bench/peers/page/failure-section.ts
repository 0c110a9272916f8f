// What came out when the model failed.
import { table, whole } from "../../page/markdown.ts";
import { INVENTED } from "../model/failing-models.ts";
import { isBroken } from "../run/jobs.ts";
import type { FailureCell } from "../run/walk.ts";
import { heldCell } from "./cells.ts";
import { budgetCell, nameCell } from "./session-sections.ts";

export function failureSection(cells: readonly FailureCell[]): string {
  const [first] = cells;
  if (first === undefined) return "";
  const rows = cells.map(({ peer, fault, failed }) => {
    const start = [nameCell(peer.name), fault];
    if (isBroken(failed)) return [...start, failed.broken, "", "", ""];
    const { outcomes, tokens, retained, invented } = failed;
    const kept = retained === undefined ? "" : heldCell(retained.namedTwice);
    return [...start, outcomes.join(", "), outcomes.includes("threw") ? "" : whole(tokens), kept, String(invented)];
  });
  return `## When the model fails

${first.session.name} at ${budgetCell(first.share)}, each library that asks a model. The model throws (an overloaded provider), answers nothing, declines in a sentence, writes twice the length of its prompt regardless of its cap, or adds ${INVENTED.length} names that nobody said to an answer that is otherwise as good as above.

"Threw": the caller is told and keeps the list it had. "List unchanged": nothing was compacted. "Bad text stored": the refusal, the error, the padding or an invented name stands in the result as memory. "History lost": fewer than half of the recurring identifiers are left that the same library keeps with a model that works. "Kept": none of these.

${table(["library", "the model", "what came out", "tokens left", "identifiers named ≥ 2 times", "invented names stored"], rows)}`;
}
