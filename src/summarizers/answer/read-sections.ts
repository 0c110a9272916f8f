// Reads an answer line by line: titles make sections, list items and paragraphs make statements. Prefaces and remarks
// about the summary itself are dropped.
import type { Section } from "../digest/digest-line.ts";
import { STRATEGY_SHAPES } from "../digest/strategies.ts";
import type { Strategy } from "../summarizer.ts";
import { isAboutItself } from "./answer-cues.ts";
import { isTitle, sectionOfTitle } from "./section-titles.ts";
import type { ReadAnswer, Statement } from "./statement.ts";

const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;
const ITEM = /^(?: {0,3}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}|(?=\[))/u;
const RULE = /^\s*(?:[-*_=] ?){3,60}$/;
/** What stands in a section to say that nothing does. */
const NOTHING =
  /^(?:[-*•]\s{0,3})?[([]?(?:none|nothing|n\/a|not applicable|empty|no (?:open )?(?:errors|decisions|files|changes|commands|values|rules|constraints|blockers)(?: (?:yet|so far|mentioned|recorded))?|keine|ninguno|ninguna|nenhum|nenhuma|aucune?|nessuno|无|沒有|没有|なし|없음|-|—)[)\]]?[.。]?$/iu;

/** Linear in the answer. */
export function readSections(text: string, strategy: Strategy): ReadAnswer {
  const wanted = new Set<Section>(STRATEGY_SHAPES[strategy].sections.map(([section]) => section));
  const fallback: Section = wanted.has("progress") ? "progress" : wanted.has("written") ? "written" : "decisions";
  const titled = new Set<Section>();
  const reader = createReader(fallback);
  let isCode = false;
  const lines = text.split("\n");
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
  if (!isTitle(line) && !isUnderlined(next)) return "text";
  return sectionOfTitle(line) ?? "label";
}

function isUnderlined(next: string | undefined): boolean {
  return next !== undefined && next.length <= 120 && /^(?:={3,}|-{3,})\s*$/.test(next);
}

interface Draft {
  readonly section: Section;
  readonly lines: string[];
  /** Stands before the first title. */
  readonly isPreface: boolean;
}

function createReader(fallback: Section) {
  const drafts: Draft[] = [];
  let section = fallback;
  let isPreface = true;
  let isOpen = false;
  let label = "";
  return {
    enter(next: Section) {
      section = next;
      isPreface = false;
      isOpen = false;
      label = "";
    },
    /** A title inside a section (`**Done:**`, `### src/a.ts`) is said with each statement below it. */
    label(line: string) {
      isOpen = false;
      label = isPreface ? "" : `${line.replace(/^[\s#*_]{1,20}|[\s#*_:：]{1,20}$/gu, "")}: `;
    },
    /** A blank line: what follows without indentation is another statement. */
    pause() {
      isOpen = false;
    },
    take(line: string, isCode: boolean) {
      const last = drafts.at(-1);
      const isIndented = /^(?: {2,}|\t)\S/.test(line);
      const flowsOn = isOpen && !ITEM.test(line) && !isComplete(last) && !isAboutItself(line);
      if (last?.section === section && (isCode || isIndented || flowsOn)) last.lines.push(line.trimEnd());
      else drafts.push({ section, lines: [label + line.replace(ITEM, "").trim()], isPreface });
      isOpen = true;
    },
    statements: () => drafts,
  };
}

/** Its last line ends in a citation or a fence: what follows without indentation is another statement. */
function isComplete(draft: Draft | undefined): boolean {
  const line = draft?.lines.at(-1) ?? "";
  return FENCE.test(line) || /\][.)]?$/.test(line);
}

/** Prefaces without content, remarks about the summary, and words that say that a section is empty. */
function withoutRemarks(drafts: readonly Draft[], hasTitles: boolean): readonly Statement[] {
  return drafts.flatMap(({ section, lines, isPreface }) => {
    const text = lines.join("\n").trim();
    const isEmpty = text === "" || NOTHING.test(text.slice(0, 80));
    if (isEmpty || isAboutItself(text)) return [];
    if (isPreface && hasTitles && !/\[[^\]\n]{1,80}\]/.test(text)) return [];
    return [{ section, text }];
  });
}
