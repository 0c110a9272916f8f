// `npm run bench:tokens`: our counter beside what one could install instead, in one run, each measurement in a process
// of its own, the peers in turn so that a busy machine is busy for all. Prints the page and writes it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Figure, runOne } from "./tokens/processes.ts";
import { readRealSessions } from "./tokens/real-sessions.ts";
import { appendedTable, type ByPeer, coldTable, hostileTable, steadyTable, turnsTable } from "./tokens/tables.ts";

const PEERS = ["agent-compact", "gpt-tokenizer", "ai-tokenizer", "tiktoken (wasm)", "js-tiktoken"];
/** Slow to load: one round tells enough. */
const HEAVY = new Set(["js-tiktoken"]);
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), "bench-tokens-"));
try {
  const page = await measure();
  console.log(page);
  writeFileSync(new URL("../docs/reference/benchmarks.md", import.meta.url), page);
} finally {
  rmSync(folder, { recursive: true });
}

async function measure(): Promise<string> {
  const cold = await inTurn("cold", ROUNDS);
  const real: string[] = [];
  for (const { name, path } of readRealSessions(process.env.AGENT_CORPUS, folder)) {
    real.push(`### ${name}\n`, coldTable(await inTurn("cold", 3, path)), "");
  }
  const steady = await inTurn("steady", 3);
  const hostile = await inTurn("hostile", 1);
  const [memory] = await runOne("memory", "agent-compact");
  return [
    "# Benchmarks of counting\n",
    "<!-- Written by `npm run bench:tokens`. -->\n",
    `${cpus()[0]?.model.trim() ?? "unknown processor"}, ${availableParallelism()} threads, Node ${process.versions.node}. Medians of fresh processes, peers in turn, o200k_base. ${versions()}. Figures of a shared machine move by a third; the ratios move less. The text is made from a fixed seed (bench/tokens/session-text.mjs): code, logs, listings, JSON and prose as an agent reads them.\n`,
    "## Cold: a fresh process loads the counter and counts one session\n",
    `${coldTable(cold)}\n`,
    ...real,
    "## Steady: sessions never seen before, after others\n",
    `${steadyTable(steady)}\n`,
    "## Hostile text\n",
    `Ours counts a megabyte; the others get less, since their merge is quadratic: doubled text takes them up to four times as long.\n`,
    `${hostileTable(hostile)}\n`,
    "## The event loop\n",
    "Medians of three counts, each of messages not seen before.\n",
    `${turnsTable(await runOne("turns", "agent-compact"))}\n`,
    "## Counting a list again\n",
    `${appendedTable(await runOne("appended", "agent-compact"))}\n`,
    "## Preflight after one appended message\n",
    "`CompactManager.preflight` on a list that grew by one message and needs no compaction.\n",
    `${preflightTable()}\n`,
    "## Memory\n",
    `Both encodings with the memos of two sessions each: ${Number(memory?.megabytes).toFixed(1)} MB, in a process of ${Number(memory?.resident).toFixed(0)} MB.\n`,
  ].join("\n");
}

function preflightTable(): string {
  const script = fileURLToPath(new URL("./tokens/preflight.mjs", import.meta.url));
  const figures = JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" })) as readonly {
    readonly messages: number;
    readonly p50: number;
    readonly p95: number;
  }[];
  const rows = figures.map(
    ({ messages, p50, p95 }) => `| ${messages.toLocaleString("en-US")} | ${p50.toFixed(2)} ms | ${p95.toFixed(2)} ms |`,
  );
  return ["| messages | p50 | p95 |", "| --- | --- | --- |", ...rows].join("\n");
}

async function inTurn(mode: string, rounds: number, ...rest: readonly string[]): Promise<ByPeer> {
  const figures = new Map<string, Figure[]>(PEERS.map((peer) => [peer, []]));
  for (let round = 0; round < rounds; round++) {
    for (const peer of PEERS) {
      if (round > 0 && HEAVY.has(peer)) continue;
      console.error(`${mode} ${round + 1}/${rounds}: ${peer}`);
      figures.get(peer)?.push(...(await runOne(mode, peer, ...rest)));
    }
  }
  return figures;
}

function versions(): string {
  const names = ["gpt-tokenizer", "ai-tokenizer", "tiktoken", "js-tiktoken"];
  return names.map((name) => `${name} ${versionOf(name)}`).join(", ");
}

function versionOf(name: string): string {
  const manifest = new URL(`./node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
}
