// Research over 1,000 turns in a window of 16,000 tokens: many rounds of compaction, and what was said in the first minutes
// still stands at the end. No model; traced where Ariadne runs. Run it: npx unrun examples/long-research.ts
import assert from "node:assert/strict";
import { CompactManager, createAriadneSink, createCallbackSink, createMemoryArchive } from "../src/index.ts";

const rounds: { readonly before: number; readonly after: number }[] = [];
const trace = createCallbackSink((event) => {
  if (event.event === "compact.pruned_messages")
    rounds.push({ before: event.tokens_before, after: event.tokens_after });
});
const archive = createMemoryArchive();
const ariadne = createAriadneSink({ url: "http://127.0.0.1:5175" });
const manager = new CompactManager({ maxContextTokens: 16_000, archive, trace: [trace, ariadne] });

const TASK = "Find out why the tern colony on Skerry Point shrank. The report is due on 2027-03-14.";
const RULE = "Never cite the 2019 census: its counts were withdrawn.";
const CORRECTION = "I was wrong before: the ferry began in 2012, not in 2014.";

let history: readonly unknown[] = [
  { role: "system", content: "You are a careful field biologist." },
  { role: "user", content: `${TASK}\n${RULE}` },
];
for (let turn = 1; turn <= 1_000; turn += 1) {
  const id = `call_${turn}`;
  const call = { id, type: "function", function: { name: "read_source", arguments: JSON.stringify({ number: turn }) } };
  const text = source(turn);
  history = [
    ...history,
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: text },
    { role: "assistant", content: `Source ${turn} says little about the terns; row ${turn * 3} was counted twice.` },
    { role: "user", content: turn === 40 ? CORRECTION : `Go on with source ${turn + 1}.` },
  ];
  history = await manager.preflight("research", history);
}

await manager.close();

const text = JSON.stringify(history);
for (const said of [TASK, RULE, CORRECTION]) assert.ok(text.includes(JSON.stringify(said).slice(1, -1)), said);
assert.ok(rounds.length > 5);
assert.ok(rounds.every(({ after }) => after <= 16_000 - 1_500));
// What left is one call away: the fifth source, as it was read a thousand turns ago.
const steps = await archive.steps("research");
const first = await archive.readTranscript("research", steps[0]?.step ?? 1);
assert.ok(JSON.stringify(first).includes(JSON.stringify(source(5)).slice(1, -1)));

console.log(`1,000 turns, ${rounds.length} compactions, ${history.length} messages left.`);
for (const { before, after } of rounds.slice(0, 3)) console.log(`  ${before} -> ${after} tokens`);
console.log("  ...\nThe task, the rule and the correction stand in the list word for word.");

function source(number: number): string {
  const lines = Array.from(
    { length: 6 },
    (_, line) => `Plot ${(number * 7 + line) % 97}: ${(number * line) % 41} nests, wind ${line}.`,
  );
  return [`Source ${number}: field notes of ${1950 + (number % 60)}.`, ...lines].join("\n");
}
