// A long session, as an agent runs it: a thousand turns, three windows' worth of tokens, a model that takes its time.
// Prints what compaction took of the wall time and the longest gap it left in the event loop.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";

const TURNS = Number(process.env["TURNS"] ?? 1000);
const LATENCY_MS = Number(process.env["LATENCY_MS"] ?? 50);
const WORDS_A_TURN = 384_000 / TURNS / 2;

interface Figures {
  readonly wallMs: number;
  readonly preflightMs: number;
  readonly slowestMs: number;
  readonly rounds: number;
  readonly gapMs: number;
  readonly tokens: number;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const words = (n: number, seed: number) =>
  Array.from({ length: Math.round(n) }, (_, k) => `word${(k * seed * 31) % 997}`).join(" ");

async function run(summarizer: "extractive" | "model"): Promise<Figures> {
  let rounds = 0;
  const manager = new CompactManager({
    archive: createMemoryArchive(),
    trace: [{ emit: (event) => void ((event as { event: string }).event === "compact.pruned_messages" && rounds++), flush: async () => {} } as never],
    ...(summarizer === "extractive"
      ? {}
      : { summarizer: { model: async () => (await sleep(LATENCY_MS), "## Progress (the assistant's own reports)\n- Step after step [1.1]") } }),
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let list: readonly unknown[] = [{ role: "system", content: "You build things." }];
  let preflightMs = 0;
  let slowestMs = 0;
  let tokens = 0;
  const started = performance.now();
  delay.enable();
  for (let turn = 1; turn <= TURNS; turn++) {
    list = [...list, { role: "user", content: `Build part ${turn} in src/part${turn % 60}.ts with limit=${turn}.` }];
    const before = performance.now();
    list = await manager.preflight("s", list);
    const took = performance.now() - before;
    preflightMs += took;
    slowestMs = Math.max(slowestMs, took);
    await sleep(LATENCY_MS);
    list = [...list, { role: "assistant", content: `Done with part ${turn}: ${words(WORDS_A_TURN, turn)}` }];
    tokens += WORDS_A_TURN * 2;
  }
  delay.disable();
  return { wallMs: performance.now() - started, preflightMs, slowestMs, rounds, gapMs: delay.max / 1e6, tokens };
}

for (const summarizer of ["extractive", "model"] as const) {
  const { wallMs, preflightMs, slowestMs, rounds, gapMs, tokens } = await run(summarizer);
  console.log(
    `${summarizer}: ${TURNS} turns, ${Math.round(tokens / 1000)}k tokens, ${rounds} rounds, ${Math.round(preflightMs)} of ${Math.round(wallMs)} ms (${((100 * preflightMs) / wallMs).toFixed(2)} %), slowest preflight ${Math.round(slowestMs)} ms, longest gap ${gapMs.toFixed(0)} ms`,
  );
}
