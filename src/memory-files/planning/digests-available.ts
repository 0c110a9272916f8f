// Says that notes of past months could become digests. Writing them only to propose it would cost what the proposal is to
// save, so they are counted.
import { isOver } from "../digest/is-over.ts";
import type { HeldChange } from "../plan.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { plural } from "./draft.ts";

const MONTH = "2031-02".length;
export function digestsAvailable({ notes, memory }: Workspace, now: number): readonly HeldChange[] {
  const months = new Map<string, number>();
  for (const { date } of notes) {
    const month = date?.slice(0, MONTH);
    if (month !== undefined && isOver(month, now)) months.set(month, (months.get(month) ?? 0) + 1);
  }
  const several = [...months.values()].filter((count) => count > 1);
  if (several.length === 0) return [];
  const count = several.reduce((sum, each) => sum + each, 0);
  const message = `${plural(count, "note")} of ${plural(several.length, "past month")} could become ${plural(several.length, "digest")}.`;
  const first = notes.find(({ date }) => date !== undefined)?.file ?? memory[0]?.file ?? "";
  return [{ file: first, code: "digest_available", message }];
}
