// `npm run bench:probes`: what a reader of a compacted session still knows. Sessions of several hosts are cut before
// their last fifth, compacted, and asked what the last fifth needed. Writes docs/reference/probes.md; with names of
// sessions it prints their figures only, with TEXTS=folder it leaves the texts there for readers.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderPage } from "./page.ts";
import { answeredBy, readProbes } from "./probes.ts";
import { probedSessions } from "./sessions.ts";
import { compactTo, TARGETS, WAYS } from "./ways.ts";

export interface ProbedText {
  readonly session: string;
  readonly way: string;
  readonly percent: number;
  readonly tokens: number;
  readonly target: number;
  readonly isOver: boolean;
  readonly milliseconds: number;
  /** By question, with its kind. */
  readonly answers: readonly { readonly kind: string; readonly isAnswered: boolean }[];
}

const names = process.argv.slice(2);
const texts: ProbedText[] = [];
for (const session of probedSessions(names)) {
  const probes = readProbes(session.name);
  if (probes === undefined) continue;
  for (const way of WAYS) {
    for (const target of TARGETS) {
      const compacted = await compactTo(way, session, target);
      if (compacted === undefined) continue;
      const { text, isOver, ...figures } = compacted;
      leave(`${session.name}.${way.name.replaceAll(" ", "-")}.${target.percent}.txt`, text);
      const answered = answeredBy(text, probes);
      const answers = probes.map(({ kind }, at) => ({ kind, isAnswered: !isOver && answered[at] === true }));
      texts.push({ session: session.name, way: way.name, percent: target.percent, isOver, ...figures, answers });
    }
  }
}
const page = renderPage(texts);
if (names.length > 0) console.log(page);
else writeFileSync(new URL("../../docs/reference/probes.md", import.meta.url), page);
console.error(`${texts.length} texts`);

function leave(name: string, text: string): void {
  const folder = process.env.TEXTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
