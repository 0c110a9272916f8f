// The page of the probes: figures first, then what they mean and what they do not.
import { existsSync, readFileSync } from "node:fs";
import { table, whole } from "../page/markdown.ts";
import type { ProbedText } from "./main.ts";
import { GROUPS } from "./sessions.ts";

/** Grades that readers' answers were given, by text and question. */
interface Reading {
  readonly session: string;
  readonly way: string;
  readonly percent: number;
  readonly grades: readonly number[];
  /** What the expressions said of the same text. */
  readonly expected: readonly number[];
}

export function renderPage(texts: readonly ProbedText[]): string {
  return `# What a reader still knows

<!-- Written by \`npm run bench:probes\`; needs real sessions (\`AGENT_CORPUS\`). -->

Real sessions of several hosts, cut before their last fifth and compacted to 5 and 10 % of their tokens, at least 4,000 and 8,000. Each has 16 questions that the last fifth needed, written from the full text by somebody who had not seen any output. A text that is more than 10 % over its target counts as wrong in all its questions.

## In short

${summaryTable(texts)}

## By session

${sessionTable(texts)}

## By kind of question, ours

${kindTable(texts)}

## Do the expressions agree with readers?

A question counts as answered when every one of its expressions, written for the fact in any wording, matches the text. ${readersSection()}

## What it does not say

The sessions of the first group were looked at while the ranking was made, those of the second were not; the last two were read, and their questions written, when it was finished. All are coding or support sessions in English. "Ours with a model" replays, once for each session, the answer of an independent writer to the product's own prompt: no model could be reached where this was made.
`;
}

function rate(texts: readonly ProbedText[]): string {
  if (texts.length === 0) return "-";
  const shares = texts.map(({ answers }) => answers.filter(({ isAnswered }) => isAnswered).length / answers.length);
  return `${Math.round((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 100)} %`;
}

function summaryTable(texts: readonly ProbedText[]): string {
  const ways = [...new Set(texts.map(({ way }) => way))];
  const rows = ways.flatMap((way) =>
    [5, 10].map((percent) => {
      const own = texts.filter((text) => text.way === way && text.percent === percent);
      const sizes = own.map(({ tokens }) => tokens).toSorted((a, b) => a - b);
      return [
        `${percent} %`,
        way,
        ...Object.values(GROUPS).map((names) => rate(own.filter(({ session }) => names.includes(session)))),
        sizes.length === 0 ? "-" : `${whole(sizes[0] ?? 0)} to ${whole(sizes.at(-1) ?? 0)}`,
        String(own.filter(({ isOver }) => isOver).length),
      ];
    }),
  );
  const byTarget = rows.toSorted((a, b) => Number.parseInt(a[0] ?? "", 10) - Number.parseInt(b[0] ?? "", 10));
  return table(["target", "what the reader has", ...Object.keys(GROUPS), "tokens", "over"], byTarget);
}

function sessionTable(texts: readonly ProbedText[]): string {
  const columns = [...new Set(texts.map(({ way, percent }) => `${way}, ${percent} %`))];
  const sessions = [...new Set(texts.map(({ session }) => session))];
  const rows = sessions.map((session) => [
    session,
    ...columns.map((column) =>
      rate(texts.filter((text) => text.session === session && `${text.way}, ${text.percent} %` === column)),
    ),
  ]);
  return table(["session", ...columns], rows);
}

function kindTable(texts: readonly ProbedText[]): string {
  const kinds = [...new Set(texts.flatMap(({ answers }) => answers.map(({ kind }) => kind)))].toSorted();
  const rows = kinds.map((kind) => {
    const cells = [5, 10].map((percent) => {
      const own = texts
        .filter((text) => text.way === "ours" && text.percent === percent)
        .flatMap(({ answers }) => answers.filter((answer) => answer.kind === kind));
      const right = own.filter(({ isAnswered }) => isAnswered).length;
      return own.length === 0 ? "-" : `${Math.round((right / own.length) * 100)} % of ${own.length}`;
    });
    return [kind.replaceAll("_", " "), ...cells];
  });
  return table(["kind", "5 %", "10 %"], rows);
}

function readersSection(): string {
  const file = new URL("readings.json", import.meta.url);
  if (!existsSync(file)) return "No readers have been asked yet.";
  const readings = JSON.parse(readFileSync(file, "utf8")) as readonly Reading[];
  const kinds = [...new Set(readings.map(({ way, percent }) => `${way}, ${percent} %`))];
  const rows = kinds.map((kind) => {
    const own = readings.filter(({ way, percent }) => `${way}, ${percent} %` === kind);
    return [kind, whole(own.length), percentOf(own, "grades"), percentOf(own, "expected")];
  });
  const pairs = readings.flatMap(({ grades, expected }) => grades.map((grade, at) => [grade, expected[at] ?? 0]));
  const same = pairs.filter(([grade = 0, match = 0]) => grade >= 0.5 === match >= 0.5).length;
  const byText = correlation(
    readings.map(({ grades }) => mean(grades)),
    readings.map(({ expected }) => mean(expected)),
  );
  return `Fresh readers answered all questions of ${readings.length} texts from the text alone, others graded their answers against the gold answers without knowing where they came from. They agree with the expressions on ${Math.round((same / pairs.length) * 100)} % of ${pairs.length} questions; over texts the two correlate with ${byText.toFixed(2)}.

${table(["what the reader had", "texts", "right", "by the expressions"], rows)}`;
}

function percentOf(readings: readonly Reading[], what: "grades" | "expected"): string {
  return `${Math.round(mean(readings.flatMap((reading) => reading[what])) * 100)} %`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [mx, my] = [mean(xs), mean(ys)];
  const sum = (of: (x: number, y: number) => number) =>
    xs.reduce((total, x, at) => total + of(x - mx, (ys[at] ?? 0) - my), 0);
  return sum((x, y) => x * y) / Math.sqrt(sum((x) => x * x) * sum((_, y) => y * y));
}
