// What is redundant once sections of the memory have moved: what they held the notes must keep, and a second run must find
// nothing. Places are told by the lines of the file as it is.

import { createPacer } from "../../../tokens/turns/pacer.ts";
import { type AnalysisSettings, type AnalyzedWorkspace, inTurns } from "../../analysis/analyze-workspace.ts";
import { createRedundancyFinder } from "../../analysis/redundancy/find-redundant.ts";
import type { CrossFileIssue, MemoryAnalysis, RedundantSection } from "../../analysis.ts";
import { without } from "../../applying/splice.ts";
import type { MemoryFile } from "../../memory-file.ts";
import type { HeldChange, PlannedRange } from "../../plan.ts";
import { isUnread, readMemoryFile } from "../../workspace/read-memory-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";

type MovedSettings = Pick<AnalysisSettings, "now" | "count" | "signal">;

/**
 * The analysis as it will be, but for the figures, which are those of now. Only notes that may have something in common with
 * what stays are read again.
 */
export async function analyzeMoved(
  workspace: Workspace,
  { analysis: now, reach }: AnalyzedWorkspace,
  ranges: readonly PlannedRange[],
  settings: MovedSettings,
): Promise<{ readonly analysis: MemoryAnalysis; readonly held: readonly HeldChange[] }> {
  const [main, ...others] = workspace.memory;
  if (main === undefined || ranges.length === 0) return { analysis: now, held: [] };
  const after = readMemoryFile(main.file, without(main.bytes, ranges));
  if (isUnread(after)) return { analysis: now, held: [] };
  const memory = [after, ...others, ...workspace.imported];
  const finder = createRedundancyFinder(memory, settings.now, settings.count);
  const near = workspace.notes.filter(({ file }) => reach.mayMatch(file, finder.tokens));
  const lines = linesBefore(main, after, ranges);
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const pacer = createPacer();
  for (const { file, date } of near) {
    const note = await workspace.read(file);
    if (note === undefined) continue;
    const found = await inTurns(finder.find({ ...note, date }), pacer, settings);
    issues.push(...found.issues.map((issue) => placed(issue, main.file, lines)));
    contained.push(...found.contained.map((section) => placed(section, main.file, lines)));
  }
  return {
    analysis: { ...now, cross_file_issues: issues, contained_sections: contained },
    held: heldByMoved(now.cross_file_issues, issues),
  };
}

/** For each line of `after` the line in which it stands now, both counted from 1. */
function linesBefore(main: MemoryFile, after: MemoryFile, ranges: readonly PlannedRange[]): readonly number[] {
  const lines: number[] = [];
  let [line, range] = [1, 0];
  while (lines.length < after.lines.length && line <= main.lines.length + 1) {
    const next = ranges[range];
    if (next === undefined || line < next.line_from) {
      lines.push(line);
      line += 1;
      continue;
    }
    // A pointer says nothing that a note could be held by.
    const inserted = (next.insert ?? "").split(/\r\n|\n|\r/);
    if (inserted.at(-1) === "") inserted.pop();
    for (const _ of inserted) lines.push(next.line_from);
    line = next.line_to + 1;
    range += 1;
  }
  return lines;
}

function placed<Section extends RedundantSection>(section: Section, file: string, lines: readonly number[]): Section {
  const place = section.memory_section;
  if (place === undefined || place.file !== file) return section;
  return { ...section, memory_section: { ...place, line_from: lines[place.line_from - 1] ?? place.line_from } };
}

function heldByMoved(now: readonly CrossFileIssue[], after: readonly CrossFileIssue[]): readonly HeldChange[] {
  const keyOf = ({ file, line_from }: CrossFileIssue) => `${file}:${line_from}`;
  const leaving = new Set(after.filter(({ removable, severity }) => removable && severity === "high").map(keyOf));
  const message = "It stays, since the section of the memory that says the same moves to the archive.";
  return now
    .filter((issue) => issue.severity === "high" && issue.removable && !leaving.has(keyOf(issue)))
    .map(({ file, section }) => ({ file, section, code: "moves", message }));
}
