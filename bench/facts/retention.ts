// What of a real session stands in the text that a compaction leaves: users' messages, written files, identifiers,
// system messages, by the plain reading of oracle.ts. `unrun bench/facts/retention.ts`; LOST=1 names what is missing.
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { readRaw } from "../../test/corpus/corpus.ts";
import { percent } from "../page/markdown.ts";
import { type Held, heldIn, USER_UNITS } from "./held.ts";
import { leastTokens } from "./least-tokens.ts";
import { countMentions, textOf } from "./oracle.ts";
import { type RealSession, realSessions } from "./sessions.ts";

/** At a smaller size only what is named more often must be there. */
const LEVELS = [
  { reduction: 0.95, mentions: 2 },
  { reduction: 0.98, mentions: 3 },
] as const;

console.log(
  "| session | tokens | reduction | least | left | reached | user messages | written | identifiers | system |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
const counter = createTokenCounter({ encoding: "o200k_base" });
const totals = new Map<string, { of: number; lost: number }>();
for (const session of realSessions())
  for (const level of LEVELS) await printRow(session, level.reduction, level.mentions);
for (const [name, { of, lost }] of totals)
  console.log(`${name}: ${of - lost} of ${of} (${percent((of - lost) / Math.max(1, of))})`);

async function printRow(session: RealSession, reduction: number, mentions: number): Promise<void> {
  const { messages, format, file, name } = session;
  const before = counter.countMessages(messages);
  const targetTokens = Math.floor(before * (1 - reduction));
  const policy = { keepRecentTurns: 1, keepToolIoPairs: 1 };
  const manager = new CompactManager({ archive: createMemoryArchive(), policy, maxContextTokens: 1_000_000 });
  const { messages: left, report } = await manager.compact("bench", messages, { format, targetTokens });
  const text = textOf(left);
  const { users, written, systems } = readRaw(file);
  const often = [...countMentions(messages)].flatMap(([value, count]) => (count >= mentions ? [value] : []));
  const starts = users.map((words) => words.slice(0, USER_UNITS));
  const held: Readonly<Record<string, Held>> = {
    users: heldIn(text, starts),
    written: heldIn(text, [...new Set(written)]),
    identifiers: heldIn(text, often),
    systems: heldIn(text, systems),
  };
  const isReached = report.warnings.every(({ code }) => code !== "target_not_reached");
  const cells = Object.values(held).map(({ of, lost }) => (of === 0 ? "-" : `${of - lost.length}/${of}`));
  const row = [
    name,
    before,
    percent(reduction),
    percent(leastTokens(left, [...starts, ...written, ...often], counter) / before),
    percent(report.tokens_after / before),
    isReached ? "yes" : "no",
    ...cells,
  ];
  console.log(`| ${row.join(" | ")} |`);
  for (const [kind, { of, lost }] of Object.entries(held)) {
    const total = totals.get(`${percent(reduction)} ${kind}`) ?? { of: 0, lost: 0 };
    totals.set(`${percent(reduction)} ${kind}`, { of: total.of + of, lost: total.lost + lost.length });
    if (process.env.LOST !== undefined)
      for (const value of lost.slice(0, 5)) console.log(`    lost ${kind}: ${value.slice(0, 120)}`);
  }
}
