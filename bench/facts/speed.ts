// How long finding facts takes, in milliseconds of processor time for a megabyte of what was said and printed: kind
// by kind, all together, and for the next round alone. `unrun bench/facts/speed.ts`.

import { extractCalls } from "../../src/facts/calls.ts";
import { extractCommands } from "../../src/facts/commands.ts";
import { extractErrors } from "../../src/facts/errors.ts";
import { extractFacts, mergeLedgers } from "../../src/facts/extract-facts.ts";
import { type FactInput, type FactMessage, readFactMessage } from "../../src/facts/fact-message.ts";
import { extractFiles } from "../../src/facts/files.ts";
import type { Ledger } from "../../src/facts/ledger.ts";
import { extractPlans } from "../../src/facts/plans.ts";
import { extractRules } from "../../src/facts/rules.ts";
import { extractDecisions, extractIdentifiers, extractStatements, extractUserMessages } from "../../src/facts/said.ts";

import { FORMATS } from "../../src/index.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { textOf } from "./oracle.ts";
import { type RealSession, realSessions } from "./sessions.ts";

const ROUNDS = 3;
const KINDS: Readonly<Record<string, (messages: readonly FactMessage[]) => unknown>> = {
  identifiers: extractIdentifiers,
  files: (messages) => runThrough(extractFiles(messages)),
  commands: (messages) => runThrough(extractCommands(messages)),
  errors: (messages) => runThrough(extractErrors(messages)),
  rules: (messages) => runThrough(extractRules(messages)),
  decisions: extractDecisions,
  plans: (messages) => runThrough(extractPlans(messages)),
  calls: (messages) => runThrough(extractCalls(messages)),
  "user messages": extractUserMessages,
  statements: extractStatements,
};
const same = (text: string) => text;

const sessions = realSessions().map((session) => ({
  inputs: inputsOf(session),
  units: textOf(session.messages).length,
}));
const megabytes = sessions.reduce((sum, { units }) => sum + units, 0) / 1_000_000;
console.log(
  `${sessions.length} sessions, ${megabytes.toFixed(1)} MB of text; best of ${ROUNDS}, ms of processor time per MB`,
);
const read = sessions.map(({ inputs }) => inputs.map((input) => readFactMessage(input, same)));
for (const [kind, extract] of Object.entries(KINDS))
  report(kind, () => read.forEach((messages) => void extract(messages)));
report("all, messages read too", () => sessions.forEach(({ inputs }) => void extractFacts(inputs, same)));
report("the second half, merged", mergeHalves());

function inputsOf({ messages, format }: RealSession): readonly FactInput[] {
  const known = FORMATS.find(({ name }) => name === format);
  if (known === undefined) throw new Error(`No format ${format}`);
  return messages.map((message, at) => ({ view: known.view(message), source: { step: 1, message: at + 1 } }));
}

/** A round finds facts in the new messages only: it must cost its share, whatever is carried. */
function mergeHalves(): () => void {
  const halves = sessions.map(({ inputs }) => {
    const middle = Math.floor(inputs.length / 2);
    const carried: Ledger = extractFacts(inputs.slice(0, middle), same);
    return { carried, added: inputs.slice(middle) };
  });
  return () => {
    for (const { carried, added } of halves) mergeLedgers(carried, extractFacts(added, same));
  };
}

function report(name: string, run: () => void): void {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(started).user / 1000);
  }
  console.log(`${name.padEnd(26)} ${(best / megabytes).toFixed(1).padStart(8)}`);
}
