// What one session costs through the proxy and without it, and that no request was refused, invalid or needlessly changed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Provider, startProvider } from "../../test/proxy/provider.ts";
import { addCosts, type Cost, NO_COST, weightOf } from "../cost/prices.ts";
import type { ReplayedSession } from "../cost/sessions.ts";
import { startBuiltProxy } from "./built-proxy.ts";
import { modelOf, sendTurns, turnsOf } from "./replay.ts";

export interface Measured {
  readonly calls: number;
  /** Weighted tokens: without the proxy and any window, and through it. */
  readonly direct: number;
  readonly proxied: number;
  /** Of the calls before the first compaction, the same two. */
  readonly directBefore: number;
  readonly proxiedBefore: number;
  readonly compactions: number;
  /** Requests that the provider refused: too long, invalid. */
  readonly tooLong: number;
  readonly invalid: number;
  /** Requests before the first compaction whose bytes were not the client's. */
  readonly changed: number;
  /** Tokens of the largest prompt. */
  readonly largest: number;
}

function costOf(heard: Provider["heard"]): number {
  return weightOf(
    heard
      .filter(({ status }) => status === 200)
      .map(({ tokens, cached, output }): Cost => {
        return { calls: 1, cachedRead: cached, cacheWrite: tokens - cached, input: 0, output };
      })
      .reduce(addCosts, NO_COST),
  );
}

/** `config`: of the proxy, as YAML. */
export async function measure(session: ReplayedSession, window: number, config: string): Promise<Measured> {
  const model = modelOf(session.format.name);
  const direct = await startProvider({ model });
  await sendTurns(direct.address, turnsOf(session));
  await direct.close();
  const provider = await startProvider({ model, window });
  const state = mkdtempSync(join(tmpdir(), "bench-proxy-"));
  const proxy = await startBuiltProxy(provider.address, state, ["--max-context-tokens", String(window)], { config });
  let [compactions, changed, before] = [0, 0, 0];
  await sendTurns(proxy.url, turnsOf(session), ({ body }, headers) => {
    if (headers.get("x-agent-compact-outcome") === "compacted") compactions++;
    if (compactions > 0) return;
    before++;
    if (!provider.heard.at(-1)?.bytes.equals(Buffer.from(body))) changed++;
  });
  await proxy.stop();
  await provider.close();
  rmSync(state, { recursive: true });
  const { heard } = provider;
  return {
    calls: direct.heard.length,
    direct: costOf(direct.heard),
    proxied: costOf(heard),
    directBefore: costOf(direct.heard.slice(0, before)),
    proxiedBefore: costOf(heard.slice(0, before)),
    compactions,
    tooLong: heard.filter(({ status, violations }) => status !== 200 && violations.length === 0).length,
    invalid: heard.filter(({ violations }) => violations.length > 0).length,
    changed,
    largest: heard.reduce((most, { tokens, status }) => (status === 200 ? Math.max(most, tokens) : most), 0),
  };
}
