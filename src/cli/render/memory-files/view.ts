// The one screen of `memory-files`: what fills the memory, what is double, what would be done, what to type next.
import type { MemoryFilesResult } from "../../../memory-files/compact-memory-files.ts";
import { renderAnalysis } from "./analysis.ts";
import { nextCommand, type PlanView, renderPlan } from "./plan.ts";
import { renderRedundancy } from "./redundancy.ts";
import { renderReport } from "./report.ts";

export interface MemoryFilesView extends PlanView {
  /** The workspace, in a sentence. */
  readonly shown: string;
}

/** `last`: the line with what to type next. */
export function renderView(
  result: MemoryFilesResult,
  view: MemoryFilesView,
  last = nextCommand(result.plan, view),
): string {
  const { colors, shown } = view;
  const blocks = [
    ...renderAnalysis(result, shown, colors),
    ...renderRedundancy(result, colors),
    ...renderPlan(result.plan, view),
    last,
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** What was done, where it was asked for; else the view. */
export function renderResult(result: MemoryFilesResult, view: MemoryFilesView): string {
  const { shown, word, colors } = view;
  if (result.report === undefined) return renderView(result, view);
  const restore = `agent-compact memory-files restore ${word}`;
  return `${renderReport(result.report, { shown, restore, colors }).join("\n\n")}\n`;
}
