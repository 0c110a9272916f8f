// Whether the promises hold on real sessions: each is cut at seeded places (prefixes, middles that begin with a user's
// words, two joined), compacted in one round or in three, without a model, and what is left is searched plainly.
// `unrun bench/facts/promises.ts [seed] [cuts]`; LOST=1 names what is missing, ONLY=pi takes sessions named so.

import { createRandom, type Random } from "../../scripts/example-sessions/random.ts";
import { CompactManager, createMemoryArchive, FORMATS } from "../../src/index.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { percent, table, whole } from "../page/markdown.ts";
import { demandsOf } from "./demands.ts";
import { heldIn } from "./held.ts";
import { textOf } from "./oracle.ts";
import { everySession, type RealSession } from "./sessions.ts";

const LEVELS = [
  { name: "5 %", share: 0.05, least: 4_000 },
  { name: "10 %", share: 0.1, least: 8_000 },
] as const;
const STRATEGIES = ["task_state", "task_state", "decision_log", "code_delta", "brief"] as const;
const ROUNDS = 3;
/** A cut is so long at most: the longest log would take the whole time. */
const MOST_MESSAGES = 1_200;
/** Of a shorter one next to nothing has to go. */
const LEAST_TOKENS = 12_000;
/** Longer texts are carried with their middle left out. */
const LONGEST_WORDS = 9_000;

const PROMISES = [
  "written files are named",
  "names said twice, and again in the last third",
  "users' words whole, where they take less than a third of the summary",
  "size reached, or a warning says so",
  "the list is valid",
] as const;
type Promised = (typeof PROMISES)[number];

interface Cut {
  readonly name: string;
  readonly format: string;
  readonly messages: readonly unknown[];
  readonly rounds: number;
  readonly strategy: (typeof STRATEGIES)[number];
}

const seed = Number(process.argv[2] ?? 1);
const cutsEach = Number(process.argv[3] ?? 2);
const counter = createTokenCounter({ encoding: "o200k_base" });
const totals = new Map<string, { of: number; held: number }>();
const sessions = everySession().filter(({ name }) => name.includes(process.env.ONLY ?? ""));
let compactions = 0;
for (const session of sessions)
  for (const cut of cutsOf(session, createRandom(seed + session.name.length))) await measure(cut);
console.log(`${sessions.length} sessions, ${compactions} compactions of cuts, seed ${seed}.\n`);
console.log(table(["promise", ...LEVELS.flatMap(({ name }) => [`at ${name}`, "share"])], PROMISES.map(row)));

function row(promise: Promised): readonly string[] {
  const cells = LEVELS.flatMap(({ name }) => {
    const { of, held } = totals.get(`${name} ${promise}`) ?? { of: 0, held: 0 };
    return [`${whole(held)} of ${whole(of)}`, of === 0 ? "" : percent(held / of)];
  });
  return [promise, ...cells];
}

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
  const { written, names, users } = demandsOf(cut.messages);
  for (const level of LEVELS) {
    compactions += 1;
    const { left, target, after, warnings, isRoomy } = await compact(cut, level);
    const text = textOf(left);
    const name = `${level.name} ${cut.name}, ${cut.strategy}, ${cut.rounds} rounds`;
    const note = (promise: Promised, of: number, lost: readonly string[]) =>
      record(`${level.name} ${promise}`, name, of, lost);
    note("written files are named", written.length, heldIn(text, written).lost);
    note("names said twice, and again in the last third", names.length, heldIn(text, names).lost);
    // The others make no record of what was said.
    const whole = users.filter((words) => words.length <= LONGEST_WORDS);
    if (cut.strategy === "task_state" && isRoomy)
      note(
        "users' words whole, where they take less than a third of the summary",
        whole.length,
        heldIn(text, whole).lost,
      );
    const isTold = warnings.some((code) => code === "target_not_reached" || code === "limit_exceeded");
    note("size reached, or a warning says so", 1, after <= target || isTold ? [] : [`${after} of ${target}`]);
    const format = FORMATS.find((known) => known.name === cut.format);
    // A cut may end in a call that still runs.
    const running = new Set(format?.validate(cut.messages).map(({ message }) => message));
    const faults = format?.validate(left).filter(({ message }) => !running.has(message)) ?? [];
    note(
      "the list is valid",
      1,
      faults.slice(0, 1).map(({ message }) => message),
    );
  }
}

async function compact({ messages, format, rounds, strategy }: Cut, { share, least }: (typeof LEVELS)[number]) {
  const manager = new CompactManager({
    archive: createMemoryArchive(),
    policy: { strategy },
    maxContextTokens: 4_000_000,
  });
  let left: readonly unknown[] = [];
  let said = 0;
  let target = 0;
  let after = 0;
  let warnings: readonly string[] = [];
  let isRoomy = true;
  for (let round = 0; round < rounds; round += 1) {
    const part = (of: number) => Math.floor((messages.length * of) / rounds);
    const added = messages.slice(part(round), part(round + 1));
    said += counter.countMessages(added);
    target = Math.max(least, Math.floor(said * share));
    const result = await manager.compact("cut", [...left, ...added], { format, targetTokens: target });
    left = result.messages;
    after = result.report.tokens_after;
    warnings = result.report.warnings.map(({ code }) => code);
    // The room is the summary's; what had to go in one round does not come back in the next.
    isRoomy &&=
      counter.count(demandsOf(messages.slice(0, part(round + 1))).users.join("\n")) <
      (result.report.summary?.tokens ?? 0) / 3;
  }
  return { left, target, after, warnings, isRoomy };
}

function record(key: string, name: string, of: number, lost: readonly string[]): void {
  const total = totals.get(key) ?? { of: 0, held: 0 };
  totals.set(key, { of: total.of + of, held: total.held + of - lost.length });
  if (lost.length === 0 || process.env.LOST === undefined) return;
  console.log(`${name}: ${key} ${of - lost.length}/${of}`);
  for (const value of lost.slice(0, 5)) console.log(`    ${value.slice(0, 140).replaceAll("\n", "⏎")}`);
}
