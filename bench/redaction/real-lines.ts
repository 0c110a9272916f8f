// The texts of real transcripts, as an agent or its tools wrote them: every string of every message, escapes undone.
// Where the files are is said by AGENT_CORPUS; a clone has none. Nothing of them is ever written.
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";

export function realTexts(): readonly string[] {
  return corpusFiles("transcripts", /\.(?:jsonl?|md)(?:\.gz)?$/).flatMap((file) => {
    const text = readText(file);
    if (/\.md(?:\.gz)?$/.test(file)) return [text];
    const strings: string[] = [];
    for (const value of valuesOf(text)) collect(value, strings);
    return strings;
  });
}

function valuesOf(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").map(parsedLine);
  }
}

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function collect(value: unknown, strings: string[]): void {
  if (typeof value === "string") strings.push(value);
  else if (typeof value === "object" && value !== null)
    for (const child of Object.values(value)) collect(child, strings);
}

export interface FalseFinds {
  readonly lines: number;
  /** Lines with a find, by the rule's id. */
  readonly byRule: ReadonlyMap<string, number>;
  /** For the terminal only. */
  readonly shapes: readonly string[];
}

type Finder = (text: string) => readonly { readonly rule: string; readonly start: number; readonly end: number }[];

export function countFalseFinds(texts: readonly string[], find: Finder): FalseFinds {
  const byRule = new Map<string, number>();
  const shapes: string[] = [];
  let lines = 0;
  for (const text of texts) {
    lines += text.split("\n").length;
    const seen = new Set<number>();
    for (const { rule, start, end } of find(text)) {
      const line = text.lastIndexOf("\n", start);
      if (seen.has(line)) continue;
      seen.add(line);
      byRule.set(rule, (byRule.get(rule) ?? 0) + 1);
      shapes.push(
        `${rule}: ${shapeOf(text.slice(Math.max(0, start - 24), start))}[${shapeOf(text.slice(start, end))}]`,
      );
    }
  }
  return { lines, byRule, shapes };
}

/** Letters as a and A, digits as 9: what a find looked like, without what it said. */
function shapeOf(text: string): string {
  return text.slice(0, 60).replace(/[a-z]/g, "a").replace(/[A-Z]/g, "A").replace(/\d/g, "9").replace(/\s/g, " ");
}
