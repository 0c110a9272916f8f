// Real sessions cut anywhere: prefixes, middles that begin with a user's words, two joined, and the same in three
// rounds. What a compaction of each leaves is read like in retention.ts, for every host and every strategy.
// `unrun bench/facts/cuts.ts [seed] [cuts]`; LOST=1 names what is missing, ONLY=pi takes sessions named so.

import { createRandom, type Random } from "../../scripts/example-sessions/random.ts";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { percent } from "../page/markdown.ts";
import { type Demands, demandsOf } from "./cuts/demands.ts";
import { everySession } from "./cuts/every-session.ts";
import { readSections } from "./cuts/sections.ts";
import { heldIn } from "./held.ts";
import { textOf } from "./oracle.ts";
import type { RealSession } from "./sessions.ts";

/** At a smaller size only what is named more often must be there. */
const LEVELS = [
  { reduction: 0.95, mentions: 2 },
  { reduction: 0.98, mentions: 3 },
] as const;
const STRATEGIES = ["task_state", "task_state", "decision_log", "code_delta", "brief"] as const;
const ROUNDS = 3;
/** A cut is so long at most: the longest log would take the whole time. */
const MOST_MESSAGES = 1200;
const LEAST_TOKENS = 6000;

interface Cut {
  readonly name: string;
  readonly format: string;
  readonly messages: readonly unknown[];
  readonly rounds: number;
  readonly strategy: (typeof STRATEGIES)[number];
}

const seed = Number(process.argv[2] ?? 1);
const cutsEach = Number(process.argv[3] ?? 4);
const counter = createTokenCounter({ encoding: "o200k_base" });
const totals = new Map<string, { of: number; lost: number }>();
const sizes = new Map<string, { of: number; reached: number }>();
const sessions = everySession().filter(({ name }) => name.includes(process.env.ONLY ?? ""));
for (const session of sessions)
  for (const cut of cutsOf(session, createRandom(seed + session.name.length))) await measure(cut);
console.log("| level | kind | of | held | share |\n|---|---|---|---|---|");
for (const [key, { of, lost }] of [...totals].sort())
  console.log(`| ${key} | ${of} | ${of - lost} | ${percent((of - lost) / Math.max(1, of))} |`);
for (const [level, { of, reached }] of sizes) console.log(`${level}: size reached ${reached} of ${of}`);

function cutsOf(session: RealSession, random: Random): readonly Cut[] {
  return Array.from({ length: cutsEach }, (_, at) => {
    const { messages, how } = pick(session, at, random);
    const strategy = STRATEGIES[random.whole(0, STRATEGIES.length - 1)] ?? "task_state";
    const rounds = random.whole(0, 1) === 0 ? 1 : ROUNDS;
    return { name: `${session.name}, ${how}`, format: session.format, messages, rounds, strategy };
  });
}

function pick(session: RealSession, at: number, random: Random) {
  const { messages } = session;
  const starts = messages.flatMap((message, index) => (isUsers(message) ? [index] : []));
  const from = starts[random.whole(0, Math.floor((starts.length - 1) / 2))] ?? 0;
  const to = random.whole(Math.floor((from + messages.length) / 2), messages.length);
  if (at % 3 === 0)
    return { messages: messages.slice(0, Math.min(to, MOST_MESSAGES)), how: `first ${Math.min(to, MOST_MESSAGES)}` };
  const end = Math.min(to, from + MOST_MESSAGES);
  if (at % 3 === 1) return { messages: messages.slice(from, end), how: `${from} to ${end}` };
  const others = sessions.filter((other) => other.format === session.format && other !== session);
  const other = others[random.whole(0, others.length - 1)] ?? session;
  const half = MOST_MESSAGES / 2;
  const joined = [...messages.slice(from, Math.min(end, from + half)), ...other.messages.slice(0, half)];
  return { messages: joined, how: `${from} on, then ${other.name}` };
}

/* biome-ignore lint/suspicious/noExplicitAny: foreign JSON as it comes. */
function isUsers(message: any): boolean {
  if (message.role !== "user") return false;
  return (
    typeof message.content === "string" ||
    !message.content?.some?.((block: { type: string }) => block.type === "tool_result")
  );
}

async function measure(cut: Cut): Promise<void> {
  if (counter.countMessages(cut.messages) < LEAST_TOKENS) return;
  for (const { reduction, mentions } of LEVELS) {
    const { text, left, isReached, share } = await compact(cut, reduction);
    const level = percent(reduction);
    const size = sizes.get(level) ?? { of: 0, reached: 0 };
    sizes.set(level, { of: size.of + 1, reached: size.reached + Number(isReached) });
    const demands = demandsOf(cut.messages, mentions, left);
    const faults = cut.strategy === "task_state" ? readSections(text, demands.content) : { of: 0, lost: [] };
    report(`${cut.name}, ${cut.strategy}, ${cut.rounds} rounds, ${percent(share)}`, level, text, demands, faults);
  }
}

async function compact({ messages, format, rounds, strategy }: Cut, reduction: number) {
  const policy = { keepRecentTurns: 1, keepToolIoPairs: 1, strategy };
  const manager = new CompactManager({ archive: createMemoryArchive(), policy, maxContextTokens: 4_000_000 });
  let left: readonly unknown[] = [];
  let said = 0;
  let isReached = true;
  let after = 0;
  for (let round = 0; round < rounds; round += 1) {
    const part = (of: number) => Math.floor((messages.length * of) / rounds);
    const added = messages.slice(part(round), part(round + 1));
    said += counter.countMessages(added);
    const targetTokens = Math.floor(said * (1 - reduction));
    const result = await manager.compact("cut", [...left, ...added], { format, targetTokens });
    left = result.messages;
    after = result.report.tokens_after;
    isReached = result.report.warnings.every(({ code }) => code !== "target_not_reached");
  }
  return { text: textOf(left), left, isReached, share: after / said };
}

function report(
  name: string,
  level: string,
  text: string,
  { users, written, identifiers, systems }: Demands,
  sections: { readonly of: number; readonly lost: readonly string[] },
): void {
  const held = {
    users: heldIn(text, users),
    written: heldIn(text, written),
    identifiers: heldIn(text, identifiers),
    systems: heldIn(text, systems),
    sections,
  };
  for (const [kind, { of, lost }] of Object.entries(held)) {
    const total = totals.get(`${level} | ${kind}`) ?? { of: 0, lost: 0 };
    totals.set(`${level} | ${kind}`, { of: total.of + of, lost: total.lost + lost.length });
    if (lost.length === 0 || process.env.LOST === undefined) continue;
    console.log(`${level} ${name}: ${kind} ${of - lost.length}/${of}`);
    for (const value of lost.slice(0, 5)) console.log(`    ${value.slice(0, 140).replaceAll("\n", "⏎")}`);
  }
}
