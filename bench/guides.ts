// `npm run bench:guides`: prints the figures that stand in docs/guides, from the example session and scripted models.
import { readFileSync } from "node:fs";
import {
  compactDecisions,
  createMemoryDecisionLog,
  decisionPolicies,
  getCompacted,
  recordDecision,
  reviewDecision,
} from "../src/decisions.ts";
import { decisionTextWriterOf } from "../src/factories/decisions.ts";
import { CompactManager, createMemoryArchive } from "../src/index.ts";
import { createScriptedModel, startScriptedServer } from "../src/testing.ts";

const { messages, tools } = JSON.parse(
  readFileSync(new URL("../examples/transcripts/coding-session.json", import.meta.url), "utf8"),
) as { readonly messages: readonly unknown[]; readonly tools?: readonly unknown[] };
const archive = () => createMemoryArchive();

const ANSWER = `## Decisions (decision :: rationale :: inputs :: outputs)
[1.22] Largest remainder, ties to the earlier line :: the cents must add up
[1.35] taxOf keeps its signature, see INC-40417 :: the checkout team imports it`;

async function summaries(): Promise<void> {
  const model = createScriptedModel([{ text: ANSWER, usage: { inputTokens: 27_070, outputTokens: 54 } }]);
  const manager = new CompactManager({ model: "gpt-4o", archive: archive(), summarizer: { model } });
  const { report } = await manager.compact("demo", messages);
  const { tokens_before, tokens_after, summary, cost, warnings } = report;
  print("summaries: a good answer", {
    tokens_before,
    tokens_after,
    summary,
    cost,
    warnings: warnings.map(({ message }) => message),
  });
}

async function passes(): Promise<void> {
  const requests: Record<number, number | string> = {};
  for (const window of [128_000, 32_000, 16_000, 8000, 4000]) {
    const model = createScriptedModel([ANSWER], { maxContextTokens: window });
    const manager = new CompactManager({ model: "gpt-4o", archive: archive(), summarizer: { model } });
    const { report } = await manager.compact("demo", messages);
    requests[window] = report.summary.source === "none" ? `none, ${model.calls.length} made` : model.calls.length;
  }
  print("summaries: requests by window", requests);
}

/** The same list with and without a summary that was prepared while its last messages were not there yet. */
async function prepared(): Promise<void> {
  for (const isPrepared of [true, false]) {
    const model = createScriptedModel([{ text: ANSWER, delayMs: 1500 }]);
    const manager = new CompactManager({
      model: "gpt-4o",
      maxContextTokens: 32_000,
      archive: archive(),
      summarizer: { model },
    });
    if (isPrepared) await manager.prepare("s1", messages.slice(0, 140));
    const started = performance.now();
    const list = await manager.preflight("s1", messages);
    print(`sessions: preflight, ${isPrepared ? "prepared" : "not prepared"}`, {
      milliseconds: Math.round(performance.now() - started),
      messages: `${messages.length} -> ${list.length}`,
    });
  }
}

async function statusAndCommands(): Promise<void> {
  const manager = new CompactManager({ model: "gpt-4o", maxContextTokens: 32_000, archive: archive() });
  await manager.preflight("s1", messages, tools === undefined ? {} : { tools });
  const { last: _, ...status } = await manager.status("s1");
  print("sessions: status", status);
  const done = await manager.command("s2", "/compact keep the customers' numbers", messages);
  print("sessions: /compact", done?.reply);
  print("sessions: /compact_status", (await manager.command("s2", "/compact_status", done?.messages ?? []))?.reply);
}

async function reported(): Promise<void> {
  const usages = [
    undefined,
    { prompt_tokens: 25_000, completion_tokens: 120 },
    { input_tokens: 1400, cache_read_input_tokens: 23_600, output_tokens: 120 },
    { input_tokens: 900_000, output_tokens: 1 },
  ];
  for (const usage of usages) {
    const taken: number[] = [];
    const emit = (event: { readonly event: string; readonly t_est?: number }) => {
      if (event.event === "compact.token_estimate") taken.push(event.t_est ?? 0);
    };
    const trace = [{ name: "estimates", emit, flush: async () => {} }] as never;
    const manager = new CompactManager({ model: "gpt-4o", archive: archive(), trace });
    await manager.preflight("s1", messages, usage === undefined ? {} : { usage });
    print(`sessions: taken for ${JSON.stringify(usage ?? "nothing")}`, taken[0]);
  }
  const manager = new CompactManager({ model: "gpt-4o", archive: archive() });
  print("sessions: counted for gpt-4o", (await manager.status("s1", messages)).tokens);
  const other = { model: "claude-haiku-4-5", maxContextTokens: 200_000 };
  print("sessions: counted for claude-haiku-4-5", (await manager.status("s1", messages, other)).tokens);
}

/** One decision whose line code cannot write whole, and two answers of a model: the first leaves out what it must not. */
async function decisionTexts(): Promise<void> {
  const decision =
    "Let the office print the berth plan of a day from the phone view, without the map, so that a harbour without a network can work from paper for a whole day";
  const answers = [
    "Print the day's berth plan from the phone view, so a harbour can work on paper",
    "Let the office print the berth plan of a day from the phone view, without map",
  ];
  const [now, policies] = [Date.UTC(2026, 10, 28, 12), decisionPolicies()];
  for (const answer of answers) {
    const server = await startScriptedServer([answer]);
    const log = createMemoryDecisionLog();
    const decided = { policies, now: () => Date.UTC(2026, 9, 20) };
    const { id } = await recordDecision(log, { decision, category: "process", confidence: 0.8 }, decided);
    await reviewDecision(log, { id, outcome: "success" }, { policies, now: () => now });
    const texts = decisionTextWriterOf({
      summarizer: { type: "openai-compatible", baseUrl: server.openaiUrl, model: "local" },
    });
    const { run } = await compactDecisions(log, {}, { policies, now: () => now, texts });
    const { decisions } = await getCompacted(log, {}, { policies, now: () => now });
    print(`decisions: a model's line for ${decision.length} characters`, { answer, texts: run?.texts, decisions });
    await server.close();
    await log.close();
  }
}

function print(title: string, value: unknown): void {
  console.log(`\n${title}\n${typeof value === "string" ? value : JSON.stringify(value, undefined, 2)}`);
}

await summaries();
await passes();
await prepared();
await statusAndCommands();
await reported();
await decisionTexts();
