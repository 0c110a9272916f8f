// Says that notes of past months may become digests. Writing them only to propose it would cost what the proposal is to
// save, so they are counted; a month may yet turn out not to be worth one.
import type { MemoryAnalysis } from "../analysis.ts";
import { isOver } from "../digest/is-over.ts";
import type { HeldChange } from "../plan.ts";
import { plural } from "./draft.ts";

const MONTH = "2031-02".length;

/** Of the notes that could be read. */
export function digestsAvailable({ notes }: MemoryAnalysis, now: number): readonly HeldChange[] {
  const months = new Map<string, number>();
  for (const { date } of notes) {
    const month = date?.slice(0, MONTH);
    if (month !== undefined && isOver(month, now)) months.set(month, (months.get(month) ?? 0) + 1);
  }
  const several = [...months.values()].filter((count) => count > 1);
  if (several.length === 0) return [];
  const count = several.reduce((sum, each) => sum + each, 0);
  const message = `${plural(count, "note")} of ${plural(several.length, "past month")} may become ${plural(several.length, "digest")}.`;
  const first = notes.find(({ date }) => date !== undefined)?.file ?? "";
  return [{ file: first, code: "digest_available", message }];
}
