// Judges one section of a note: what of it the memory lacks, whether it may leave, and if not, why.
import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import { factTokens, gravestOf } from "../../../similarity/same-fact.ts";
import type { HeldReason, RedundantSection } from "../../analysis.ts";
import { type Note, textOf } from "../../memory-file.ts";
import type { HeldMemory } from "../holding/hold-memory.ts";
import { isKept, isScoped } from "../holding/note-scope.ts";
import type { Count } from "../measure-file.ts";
import { previewOf } from "../preview.ts";
import { headingOf, spanOf } from "../section-reports.ts";
import { describe, type MemorySection, type MemorySections } from "./memory-sections.ts";
import type { PlacedSection } from "./note-sections.ts";
import { containmentOf, type Overlap, similarityOf } from "./overlap.ts";
import { hasRelativeDate } from "./relative-date.ts";

export interface Judged extends PlacedSection {
  readonly report: RedundantSection;
  /** Nothing would be lost; whether it is removable depends on its severity and on the sections below it, too. */
  readonly addsNothing: boolean;
}

export interface TokenOverlap extends Overlap {
  readonly tokens: ReadonlySet<string>;
}

export interface Judge {
  judge(note: Note, placed: PlacedSection, overlap: TokenOverlap, isInUse: boolean): Judged;
}

/** Listed of what the memory lacks. */
const MOST_NOVEL = 20;
/** Kinds of difference that are facts of their own, whatever the words. */
const SAYS_MORE: ReadonlySet<string> = new Set(["negation", "date", "number", "modality", "direction", "task", "name"]);

export function createJudge(
  sections: MemorySections,
  held: () => HeldMemory,
  count: Count,
  reader: TokenReader,
): Judge {
  const known = new Map<MemorySection, ReadonlySet<string>>();
  const factsOf = (section: MemorySection): ReadonlySet<string> => {
    const facts =
      known.get(section) ?? new Set(factTokens(textOf(section.file, section.section.from, section.section.to), reader));
    known.set(section, facts);
    return facts;
  };

  const differenceOf = (
    text: string,
    { placed }: PlacedSection,
    novel: readonly string[],
    best: MemorySection | undefined,
  ) => {
    const unknown = placed === undefined ? [] : held().unknownTokens(placed);
    const facts = best === undefined ? new Set<string>() : factsOf(best);
    const lacking = [...unknown.filter((token) => !facts.has(token)), ...novel];
    if (lacking.length > 0) return gravestOf(lacking, text);
    return unknown.length > 0 ? "order" : undefined;
  };

  return {
    judge(note, placed, overlap, isInUse) {
      const { section } = placed;
      const text = textOf(note, section.from, section.to);
      const { tokens } = overlap;
      const place = placed.placed === undefined ? undefined : held().placeOf(placed.placed);
      const best = (place === undefined ? undefined : sections.at(place)) ?? sections.most(tokens);
      const novel = [...tokens].filter((token) => !sections.tokens.has(token));
      const differs = place === undefined ? differenceOf(text, placed, novel, best) : undefined;
      const saysMore = novel.length > 0 || SAYS_MORE.has(differs ?? "");
      const content: HeldReason = saysMore ? "says_more" : "said_differently";
      const reason =
        heldBecause(placed, isInUse) ?? (place === undefined ? content : undefined) ?? heldAround(placed, text);
      const report: RedundantSection = {
        file: note.file,
        section: headingOf(section),
        similarity: similarityOf(overlap),
        shared_tokens: overlap.shared,
        section_tokens: overlap.own,
        containment: containmentOf(overlap),
        novel_tokens: novel.slice(0, MOST_NOVEL),
        ...(differs === undefined ? {} : { differs_in: differs }),
        removable: false,
        ...(reason === undefined ? {} : { held_because: reason }),
        ...spanOf(note, section),
        tokens_exact: count(text),
        preview: previewOf(textOf(note, section.body, section.to)),
        ...(best === undefined ? {} : { memory_section: describe(best) }),
      };
      return { ...placed, report, addsNothing: reason === undefined };
    },
  };
}

function heldBecause({ section, placed }: PlacedSection, isInUse: boolean): HeldReason | undefined {
  if (isInUse) return "in_use";
  if ((section.heading?.level ?? 1) === 1) return "no_heading_of_its_own";
  return placed !== undefined && isKept(placed) ? "marked" : undefined;
}

/** Though the memory has the same text. */
function heldAround({ placed }: PlacedSection, text: string): HeldReason | undefined {
  if (hasRelativeDate(text)) return "relative_date";
  return placed !== undefined && isScoped(placed) ? "scoped" : undefined;
}
