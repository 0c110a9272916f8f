// Reads an answer line by line: titles make sections, list items and paragraphs make statements. Prefaces and remarks
// about the summary itself are dropped.
import type { Section } from "../../shapes.ts";
import { SHAPES } from "../../shapes.ts";
import type { Strategy } from "../../summarizer.ts";
import type { ReadAnswer, Statement } from "../statement.ts";
import { isAboutItself, saysNothing } from "./answer-cues.ts";
import { plainTables } from "./plain-tables.ts";
import { isTitle, sectionOfTitle } from "./section-titles.ts";
import { createReader, type Draft, FENCE } from "./statement-reader.ts";

/** Some models make sections of tags. */
const TAG = /^\s{0,8}<(\/?)([a-z][\w-]{1,40})>\s{0,3}$/i;
const RULE = /^\s*(?:[-*_=] ?){3,60}$/;
/** Linear in the answer. */
export function readSections(text: string, strategy: Strategy): ReadAnswer {
  const wanted = new Set<Section>(SHAPES[strategy].sections.map(([section]) => section));
  const fallback: Section = wanted.has("progress") ? "progress" : wanted.has("written") ? "written" : "decisions";
  const titled = new Set<Section>();
  const reader = createReader(fallback);
  let isCode = false;
  const lines = plainTables(text.split("\n"));
  for (const [index, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const kind = isFence || isCode ? "text" : kindOf(line, lines[index + 1]);
    if (kind === "blank") reader.pause();
    else if (kind === "label") reader.label(line);
    else if (kind === "text") reader.take(line, isCode || isFence);
    else {
      const section = wanted.has(kind) ? kind : fallback;
      titled.add(section);
      reader.enter(section);
    }
  }
  return { statements: withoutRemarks(reader.statements(), titled.size > 0), titled };
}

/** A line outside of code: the title of a section, one inside a section, or something said. */
function kindOf(line: string, next: string | undefined): Section | "blank" | "label" | "text" {
  if (line.trim() === "" || RULE.test(line)) return "blank";
  const [, closing, tag = ""] = TAG.exec(line) ?? [];
  if (closing !== undefined) return (closing === "" ? sectionOfTitle(tag.replaceAll("_", " ")) : undefined) ?? "blank";
  if (!isTitle(line) && !isUnderlined(next)) return "text";
  return sectionOfTitle(line) ?? "label";
}

function isUnderlined(next: string | undefined): boolean {
  return next !== undefined && next.length <= 120 && /^(?:={3,}|-{3,})\s*$/.test(next);
}

/** Prefaces without content, remarks about the summary, words that say that a section is empty, and what was said before. */
function withoutRemarks(drafts: readonly Draft[], hasTitles: boolean): readonly Statement[] {
  const said = new Set<string>();
  return drafts.flatMap(({ section, lines, isPreface }) => {
    const text = lines.join("\n").trim();
    if (text === "" || isAboutItself(text) || saysNothing(text, section)) return [];
    if (isPreface && hasTitles && !/\[[^\]\n]{1,80}\]/.test(text)) return [];
    const key = `${section} ${text}`;
    if (said.has(key)) return [];
    said.add(key);
    return [{ section, text }];
  });
}
