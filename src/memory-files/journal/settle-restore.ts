// A restore that died: the hash of the file says whether what left is back.
import type { SettledChange } from "../report.ts";
import type { Root } from "../workspace/open-root.ts";
import { hashNow } from "./file-bytes.ts";
import { idOf, type JournalChange, type JournalEntry } from "./journal.ts";

export async function settleRestore(root: Root, entry: JournalEntry) {
  const found: SettledChange[] = [];
  const changes: JournalChange[] = [];
  for (const change of entry.changes) {
    if (change.restoring === undefined) {
      changes.push(change);
      continue;
    }
    const state = await standingOf(root, change);
    changes.push(state === "done" ? restoredChange(change) : { ...change, restoring: undefined });
    found.push({ id: idOf(entry, change), file: change.file, state });
  }
  return { entry: { ...entry, changes }, found };
}

async function standingOf(root: Root, { kind, file, restoring }: JournalChange): Promise<SettledChange["state"]> {
  // Its notes tell themselves whether they are back, and whoever restores it again goes on.
  if (kind === "digest") return "undone";
  const hash = await hashNow(root, file);
  if (hash === restoring?.to) return "done";
  return (hash ?? null) === restoring?.from ? "undone" : "unclear";
}

/** With what its restore was about marked as back: all of it, or some of its ranges. */
export function restoredChange(change: JournalChange): JournalChange {
  const { restoring, ...rest } = change;
  const back = restoring?.ranges;
  if (rest.kind === "digest" || rest.kind === "rotate" || back === undefined) return { ...rest, state: "restored" };
  const ranges = rest.ranges.map((range, index) =>
    back.includes(index) ? { ...range, restored: true as const } : range,
  );
  return ranges.every(({ restored }) => restored) ? { ...rest, ranges, state: "restored" } : { ...rest, ranges };
}
