// `npm run bench:proxy`: real sessions replayed turn by turn through the built command and without it, against a provider that
// checks every request and caches prompts by their beginning. Needs AGENT_CORPUS.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Provider, startProvider } from "../../test/proxy/provider.ts";
import { addCosts, type Cost, NO_COST, weightOf } from "../cost/prices.ts";
import { type ReplayedSession, sessionsToReplay } from "../cost/sessions.ts";
import { startBuiltProxy } from "./built-proxy.ts";
import { sendTurns, turnsOf } from "./replay.ts";

const WANTED = [
  "Claude Code session cd",
  "Claude Code session ad",
  "OpenAI Responses cd",
  "OpenAI Responses b0",
  "pi session 1",
  "pi session 2",
];

export function costOf(provider: Provider): Cost {
  return provider.heard
    .filter(({ status }) => status === 200)
    .map(({ tokens, cached, output }) => ({
      calls: 1,
      cachedRead: cached,
      cacheWrite: tokens - cached,
      input: 0,
      output,
    }))
    .reduce(addCosts, NO_COST);
}

export interface Row {
  readonly label: string;
  readonly calls: number;
  readonly direct: number;
  readonly proxied: number;
  readonly compactions: number;
  readonly refused: number;
  readonly invalid: number;
  /** Of the requests before the first compaction, those whose bytes are not the client's. */
  readonly changed: number;
}

const SYSTEM_TOKENS = 4_000;

export async function measure(
  session: ReplayedSession,
  window: number,
  config?: string,
  systemTokens = SYSTEM_TOKENS,
): Promise<Row> {
  const model = session.format.name === "anthropic" ? "claude-sonnet-4-5" : "gpt-4o";
  const direct = await startProvider({ model });
  await sendTurns(direct.address, turnsOf(session, systemTokens));
  const directCost = weightOf(costOf(direct));
  await direct.close();
  const provider = await startProvider({ model, window });
  const state = mkdtempSync(join(tmpdir(), "bench-proxy-"));
  const proxy = await startBuiltProxy(provider.address, state, ["--max-context-tokens", String(window)], config);
  let compactions = 0;
  let changed = 0;
  await sendTurns(proxy.url, turnsOf(session, systemTokens), ({ body }, headers) => {
    if (headers.get("x-agent-compact-outcome") === "compacted") compactions++;
    if (compactions === 0 && !provider.heard.at(-1)?.bytes.equals(Buffer.from(body))) changed++;
  });
  const row = {
    label: session.label,
    calls: provider.heard.filter(({ status }) => status === 200).length,
    direct: directCost,
    proxied: weightOf(costOf(provider)),
    compactions,
    refused: provider.heard.filter(({ status, violations }) => status !== 200 && violations.length === 0).length,
    invalid: provider.heard.filter(({ violations }) => violations.length > 0).length,
    changed,
  };
  for (const { violations } of provider.heard.filter((each) => each.violations.length > 0).slice(0, 2))
    console.error(violations);
  await proxy.stop();
  await provider.close();
  rmSync(state, { recursive: true });
  return row;
}

const window = Number(process.argv[2] ?? 32_000);
const targets = (process.argv[3] ?? "").split(",").filter((each) => each !== "");
const only = process.argv[4];
for (const session of sessionsToReplay().filter(
  ({ label }) => WANTED.includes(label) && (only === undefined || label.includes(only)),
)) {
  for (const target of targets.length === 0 ? [undefined] : targets) {
    const config = target === undefined ? undefined : `version: "1.0"\npolicy:\n  target_pct: ${target}\n`;
    const startedAt = performance.now();
    const row = await measure(session, window, config);
    console.log(
      target ?? "default",
      row,
      `saved ${(100 * (1 - row.proxied / row.direct)).toFixed(1)} %`,
      ((performance.now() - startedAt) / 1000).toFixed(0),
      "s",
    );
  }
}
