// Compares the sections of notes with the whole memory: which are redundant by the specification, which are contained in
// it though they are not alike as a whole, and which of them may leave.
import { createTokenReader } from "../../../similarity/normal/fact-tokens.ts";
import type { Section } from "../../../text/markdown/sections.ts";
import type { Stepwise } from "../../../tokens/turns/stepwise.ts";
import type { CrossFileIssue, HeldReason, RedundantSection, Severity } from "../../analysis.ts";
import { type MemoryFile, type Note, textOf } from "../../memory-file.ts";
import { notesNamedBy } from "../../named-notes.ts";
import { type HeldMemory, holdMemory } from "../holding/hold-memory.ts";
import { isInUse } from "../in-use.ts";
import type { Count } from "../measure-file.ts";
import { tokenize } from "../tokenize.ts";
import { createJudge, type Judge, type Judged } from "./judge-section.ts";
import { readMemorySections } from "./memory-sections.ts";
import { type PlacedSection, placeSections } from "./note-sections.ts";
import { isContained, type Overlap, overlapOf, severityOf } from "./overlap.ts";
import { recommend } from "./recommend.ts";

export interface RedundancyInNote {
  readonly issues: readonly CrossFileIssue[];
  readonly contained: readonly RedundantSection[];
  /** Of all its sections. */
  readonly overlaps: readonly Overlap[];
}

export interface RedundancyFinder {
  /** Of the memory. */
  readonly tokens: ReadonlySet<string>;
  /** In the order of its sections. */
  find(note: Note): Stepwise<RedundancyInNote>;
}

export function createRedundancyFinder(memory: readonly MemoryFile[], now: number, count: Count): RedundancyFinder {
  const sections = readMemorySections(memory);
  const tokens = createTokenReader();
  let held: HeldMemory | undefined;
  // Read when the first section asks for it: most workspaces have nothing that does.
  const heldMemory = (): HeldMemory => {
    held ??= holdMemory(memory, tokens);
    return held;
  };
  const isNamed = notesNamedBy(memory);
  const judge = createJudge(sections, heldMemory, count, tokens);
  return {
    tokens: sections.tokens,
    *find(note) {
      if (sections.tokens.size === 0 || isRotated(note)) return { issues: [], contained: [], overlaps: [] };
      const judged = yield* judgeSections(note, placeSections(note), sections.tokens, judge, isInUse(note.date, now));
      return decide(judged, isNamed(note));
    },
  };
}

interface Compared {
  readonly section: Section;
  readonly overlap: Overlap;
  readonly severity: Severity | undefined;
  /** Undefined where it is neither redundant nor contained. */
  readonly judged: Judged | undefined;
}

function* judgeSections(
  note: Note,
  placed: readonly PlacedSection[],
  memory: ReadonlySet<string>,
  judge: Judge,
  inUse: boolean,
): Stepwise<readonly Compared[]> {
  const compared: Compared[] = [];
  for (const one of placed) {
    const tokens = tokenize(textOf(note, one.section.from, one.section.to));
    const overlap = overlapOf(tokens, memory);
    const severity = severityOf(overlap);
    const isWorth = severity !== undefined || isContained(overlap);
    const judged = isWorth ? judge.judge(note, one, { tokens, ...overlap }, inUse) : undefined;
    compared.push({ section: one.section, overlap, severity, judged });
    yield;
  }
  return compared;
}

/** From the last to the first, since a section waits for those below it. */
function decide(sections: readonly Compared[], isNamed: boolean): RedundancyInNote {
  const issues: CrossFileIssue[] = [];
  const contained: RedundantSection[] = [];
  const leaving = new Set<Compared>();
  for (let at = sections.length - 1; at >= 0; at -= 1) {
    const compared = sections[at];
    if (compared?.judged === undefined) continue;
    const { report, addsNothing } = compared.judged;
    const { severity } = compared;
    const stays = below(sections, at).some((other) => !leaving.has(other));
    const removable = addsNothing && !stays && !isNamed;
    const needed = isNamed ? "scoped" : undefined;
    const held: HeldReason | undefined = report.held_because ?? (stays ? "has_subsections" : needed);
    const said = { ...report, removable, ...(held === undefined ? {} : { held_because: held }) };
    if (severity === undefined) contained.unshift(said);
    else
      issues.unshift({
        ...said,
        severity,
        recommendation: recommend(severity, removable && severity === "high", held),
      });
    if (removable && severity === "high") leaving.add(compared);
  }
  return { issues, contained, overlaps: sections.map(({ overlap }) => overlap) };
}

/** What a rotation left: a preview of what is in the archive. */
function isRotated({ lines }: Note): boolean {
  return /^# Rotated Daily Note\s*$/.test(lines[0]?.text ?? "");
}

/** Levels are three at most, so each section is looked at twice at most. */
function below(sections: readonly Compared[], at: number): readonly Compared[] {
  const end = sections[at]?.section.whole ?? 0;
  let to = at + 1;
  while (to < sections.length && (sections[to]?.section.from ?? end) < end) to += 1;
  return sections.slice(at + 1, to);
}
