// Finds where the new messages begin in a step's transcript. Each transcript is the whole live list, so a later one
// starts with what the step before kept, and its summary; only what follows is new.
import type { SummaryRecord } from "../archive.ts";
import { messageText } from "./message-text.ts";

/** How far apart two lists may drift in one place: healing drops or adds single messages. */
const WINDOW = 8;

export interface AlignedStep {
  /** Index of the first message that the earlier transcript does not hold. */
  readonly firstNew: number;
  /** 1-based numbers in the later transcript of kept messages that differ from their earlier copy (shortened results). */
  readonly changed: readonly number[];
}

/** Undefined when `later` does not continue `earlier`: more than half of what was kept is not there. */
export function alignSteps(
  earlier: readonly unknown[],
  record: SummaryRecord | undefined,
  later: readonly unknown[],
): AlignedStep | undefined {
  const pruned = new Set(record?.pruned);
  const kept = earlier.filter((_, index) => !pruned.has(index + 1));
  const walk = walkTogether(kept, later, summaryTest(record));
  if (walk === undefined || walk.same * 2 < kept.length) return undefined;
  return { firstNew: walk.firstNew, changed: walk.changed };
}

interface Walk extends AlignedStep {
  readonly same: number;
}

function walkTogether(
  kept: readonly unknown[],
  later: readonly unknown[],
  isSummary: (message: unknown) => boolean,
): Walk | undefined {
  const wanted = kept.map((message) => JSON.stringify(message));
  const present = later.map((message) => JSON.stringify(message));
  const changed: number[] = [];
  let same = 0;
  let i = 0;
  let j = 0;
  while (i < wanted.length) {
    if (j >= present.length) return undefined;
    const [overWanted, overPresent] = isSummary(later[j]) ? [0, 1] : step(wanted, present, i, j);
    if (overWanted === overPresent) {
      if (wanted[i] === present[j]) same++;
      else changed.push(j + 1);
    }
    i += overWanted;
    j += overPresent;
  }
  // After the last kept message only the summary can still be old: it is last when nothing but pinned ones stayed.
  if (j < later.length && isSummary(later[j])) j++;
  return { firstNew: j, changed, same };
}

/** How far to go on in both lists: past a pair, or over what only one of them holds. */
function step(wanted: readonly string[], present: readonly string[], i: number, j: number): readonly [number, number] {
  const added = nextWithin(present, wanted[i], j);
  if (added === 0) return [1, 1];
  if (added > 0) return [0, added];
  const dropped = nextWithin(wanted, present[j], i);
  return dropped > 0 ? [dropped, 0] : [1, 1];
}

/** Distance to the next equal text, within the window; -1 when there is none. */
function nextWithin(texts: readonly string[], wanted: string | undefined, from: number): number {
  for (let distance = 0; distance < WINDOW && from + distance < texts.length; distance++) {
    if (texts[from + distance] === wanted) return distance;
  }
  return -1;
}

/** By its recorded text, never by a marker in it: markers can be forged. */
function summaryTest(record: SummaryRecord | undefined): (message: unknown) => boolean {
  const text = record?.text.trim() ?? "";
  return (message) => text !== "" && messageText(message).includes(text);
}
