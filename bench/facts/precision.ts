// Prints what is found, to be judged by a reader: `unrun bench/facts/precision.ts rules|decisions|values|... COUNT SEED`.
// NOTES=FOLDER reads the texts of a folder instead of the corpus (`noteSessions`). A text that occurs in several sessions counts once; more than COUNT are shuffled with SEED and cut.
import { createRandom } from "../../scripts/example-sessions/random.ts";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import type { Ledger } from "../../src/facts/ledger.ts";
import { noteSessions, type SpokenSession, spokenSessions } from "./spoken-sessions.ts";

type Kind = keyof Omit<Ledger, "version">;

const kind = (process.argv[2] ?? "decisions") as Kind;
const count = Number(process.argv[3] ?? 100);
const random = createRandom(Number(process.argv[4] ?? 1));
const form = process.argv[5];

const found = new Map<string, string>();
const sessions = process.env.NOTES === undefined ? spokenSessions() : noteSessions(process.env.NOTES);
for (const session of sessions) for (const [key, line] of linesOf(session)) if (!found.has(key)) found.set(key, line);
const shuffled = [...found.values()]
  .map((line) => ({ line, order: random.whole(0, 1_000_000_000) }))
  .sort((left, right) => left.order - right.order)
  .slice(0, count);
console.log(`${found.size} ${kind} found, ${shuffled.length} shown`);
for (const [at, { line }] of shuffled.entries()) console.log(`${at + 1}. ${line}`);

function linesOf({ name, views }: SpokenSession): readonly (readonly [string, string])[] {
  const inputs = views.map((view, at) => ({ view, source: { step: 1, message: at + 1 } }));
  const facts = extractFacts(inputs, (text) => text)[kind] as readonly Record<string, unknown>[];
  return facts
    .filter((fact) => form === undefined || fact.form === form || fact.by === form)
    .map((fact) => {
      const { source, context, inputs: _inputs, outputs: _outputs, kind: _kind, supersededBy: _later, ...shown } = fact;
      const words = JSON.stringify(kind === "identifiers" ? { ...shown, context } : shown);
      const at = (source as { message: number }).message;
      return [
        String(fact.text ?? fact.value) + String(fact.key ?? ""),
        `[${name.slice(0, 14)}…${name.slice(-8)} ${at}] ${words}`,
      ];
    });
}
