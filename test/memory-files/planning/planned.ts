// What the tests of planning share: real workspaces in, plans out, and what a plan makes of the bytes of a file.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RedundantSection } from "../../../src/memory-files/analysis.ts";
import type { PlanRequest } from "../../../src/memory-files/options.ts";
import { planRemovals } from "../../../src/memory-files/plan/plan-notes.ts";
import type { MemoryFilesPlan, PlannedChange, PlannedEdit, PlannedRange } from "../../../src/memory-files/plan.ts";
import { planMemoryFilesCompaction } from "../../../src/memory-files/plan-memory-files-compaction.ts";
import { readMemoryFile } from "../../../src/memory-files/workspace/read-memory-file.ts";
import type { MemoryFile } from "../../../src/memory-files/workspace.ts";
import type { NewCompactEvent } from "../../../src/trace/emit.ts";

export const NOW = Date.UTC(2031, 1, 20, 12);

export const count = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

export async function planOf(root: string, request: Omit<PlanRequest, "root"> = {}, now = NOW) {
  const events: NewCompactEvent[] = [];
  const summarizer = {
    summarize: () => {
      throw new Error("no digest was asked for");
    },
  };
  const trace = { emit: (event: NewCompactEvent) => void events.push(event) };
  const options = { now, count, trace, summarizer: summarizer as never };
  const { plan, analysis } = await planMemoryFilesCompaction({ root, ...request }, options);
  return { plan, analysis, events };
}

export function fileOf(text: string | Uint8Array, name = "MEMORY.md"): MemoryFile {
  const read = readMemoryFile(name, typeof text === "string" ? new TextEncoder().encode(text) : text);
  if ("code" in read) throw new Error(read.message);
  return read;
}

/** By the bytes alone, as an apply does it, but not with its code. */
export function applied(bytes: Uint8Array, ranges: readonly PlannedRange[]): Uint8Array {
  let result = Buffer.from(bytes);
  for (const { byte_from, byte_to, insert = "" } of [...ranges].reverse()) {
    result = Buffer.concat([result.subarray(0, byte_from), Buffer.from(insert), result.subarray(byte_to)]);
  }
  return result;
}

export function appliedText(text: string, ranges: readonly PlannedRange[]): string {
  return Buffer.from(applied(Buffer.from(text), ranges)).toString();
}

/** Makes the edits of a plan that are to be made, all of one file at once, as their ranges are of the file as it was. */
export function applyEdits(root: string, { changes }: MemoryFilesPlan): void {
  const edits = changes.filter(isEdit).filter(({ apply }) => apply);
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const ranges = edits.filter((edit) => edit.file === file).flatMap((edit) => edit.ranges);
    ranges.sort((left, right) => left.byte_from - right.byte_from);
    writeFileSync(join(root, file), applied(readFileSync(join(root, file)), ranges));
  }
}

export function isEdit(change: PlannedChange): change is PlannedEdit {
  return "ranges" in change;
}

/** The text of a note when the sections that begin in these lines, counted from 1, are found to be redundant. */
export function without(text: string, lines: readonly number[], moreThanHalf = true): string {
  const note = fileOf(text, "memory/2031-02-03.md");
  const { changes } = planRemovals(note, { chosen: lines.map(redundant), proposed: [] }, { ...context, moreThanHalf });
  return appliedText(
    text,
    changes.flatMap((change) => ("ranges" in change ? change.ranges : [])),
  );
}

export const context = { count, moreThanHalf: false, taken: 0, restsOn: { "MEMORY.md": "0".repeat(64) } };

export function redundant(line: number): RedundantSection {
  return {
    file: "memory/2031-02-03.md",
    section: "",
    similarity: 1,
    shared_tokens: 9,
    section_tokens: 9,
    containment: 1,
    novel_tokens: [],
    novel_words: [],
    removable: true,
    line_from: line,
    line_to: line,
    byte_from: 0,
    byte_to: 0,
    tokens_exact: 9,
    preview: "",
    memory_section: { file: "MEMORY.md", heading: "Held", line_from: 1, preview: "" },
  };
}
