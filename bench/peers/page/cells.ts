// How one figure stands in a cell.
import { percent, whole } from "../../page/markdown.ts";
import type { Compacted } from "../measures/compacted.ts";
import type { ReplayCost } from "../measures/replay-cost.ts";
import { type Faults, sumOf } from "../measures/validity.ts";
import { type Answer, isBroken } from "../run/jobs.ts";
import { isOverBudget, type Sized } from "../verdict/comparable.ts";

export function heldCell({ held, of }: { readonly held: number; readonly of: number }): string {
  return of === 0 ? "-" : `${held}/${of}`;
}

export function tokensCell(sized: Sized, all?: number): string {
  const share = all === undefined ? "" : ` (${percent(sized.tokens / all)})`;
  return `${whole(sized.tokens)}${share}${isOverBudget(sized) ? " over budget" : ""}`;
}

/** By provider, where there are any. */
export function faultsCell(faults: Faults): string {
  return sumOf(faults) === 0 ? "0" : Object.values(faults).join(" / ");
}

export function timeCell({ milliseconds }: Compacted): string {
  if (milliseconds < 1) return "< 1";
  return milliseconds < 10 ? milliseconds.toFixed(1) : whole(Math.round(milliseconds));
}

export function replayCell(replay: Answer<"replay">): string {
  if (isBroken(replay)) return replay.broken;
  return hasCompacted(replay) ? millions(replay.weighted) : "-";
}

export function hasCompacted({ compactions }: ReplayCost): boolean {
  return compactions > 0;
}

export function millions(weighted: number): string {
  return `${(weighted / 1e6).toFixed(2)} M`;
}
