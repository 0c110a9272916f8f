// A proxy in this process before a provider on loopback, and a conversation that grows.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createFsArchive } from "../../src/archive/archives.ts";
import { CompactManager, type ConversationConfig } from "../../src/conversation.ts";
import { createRequestCompaction, type RequestCompactionParts } from "../../src/proxy/compact-request.ts";
import { openHeads } from "../../src/proxy/heads.ts";
import { openKeptFiles } from "../../src/proxy/kept-files.ts";
import { createOwnTools } from "../../src/proxy/own-tools.ts";
import { type ProxyParts, startProxy } from "../../src/proxy/proxy.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { type ProviderOptions, startProvider } from "./provider.ts";

export interface Setting {
  readonly provider?: ProviderOptions;
  readonly config?: ConversationConfig;
  readonly parts?: Partial<ProxyParts>;
  readonly compaction?: Partial<RequestCompactionParts>;
  /** Of another proxy, to share it. */
  readonly state?: string;
  readonly upstream?: string;
  /** With `--tools`. */
  readonly hasTools?: boolean;
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function openTestProxy(setting: Setting = {}) {
  const state = setting.state ?? newFolder();
  const provider = await startProvider(setting.provider);
  const lines: string[] = [];
  const config = { archive: { path: join(state, "archive") }, ...setting.config };
  const manager = new CompactManager(config);
  const heads = await openHeads(join(state, "heads"), createRedactor(), Date.now());
  const files = await openKeptFiles(join(state, "answers"), createRedactor(), Date.now());
  const counter = createTokenCounter({ encoding: "o200k_base" });
  const parts = {
    ...{ archive: createFsArchive({ path: join(state, "archive") }), files, count: counter.count },
    log: (line: string) => void lines.push(line),
  };
  const proxy = await startProxy({
    ...(setting.hasTools === true ? { ownTools: await createOwnTools(parts) } : {}),
    compose: createRequestCompaction({ manager, config, heads, now: Date.now, ...setting.compaction }),
    upstreams: [{ url: new URL(setting.upstream ?? provider.address) }],
    port: 0,
    log: (line) => void lines.push(line),
    ...setting.parts,
  });
  onTestFinished(async () => {
    await proxy.close(0);
    await manager.close();
    await provider.close();
  });
  return { state, provider, proxy, lines, address: proxy.address };
}

const FILLER = "The build of this part takes a while and its tests are long. ".repeat(12);

/** Alternating words of a user and of a model, about 180 tokens each. */
export function conversation(turns: number, name = "gateway"): { role: string; content: string }[] {
  return Array.from({ length: turns * 2 - 1 }, (_, at) =>
    at % 2 === 0
      ? {
          role: "user",
          content: `${at / 2}: look at src/${name}${at / 2}.ts, never use port ${8000 + at / 2}. ${FILLER}`,
        }
      : { role: "assistant", content: `Looked at src/${name}${(at - 1) / 2}.ts: it holds. ${FILLER}` },
  );
}

export interface Told {
  readonly status: number;
  readonly text: string;
  readonly outcome: string | null;
  readonly headers: Headers;
}

export async function ask(
  address: string,
  messages: readonly unknown[],
  fields: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
  path = "/v1/messages",
): Promise<Told> {
  const response = await fetch(`${address}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 500, messages, ...fields }),
  });
  const outcome = response.headers.get("x-agent-compact-outcome");
  return { status: response.status, text: await response.text(), outcome, headers: response.headers };
}

/** Asks with one turn, then two, up to `turns`. */
export async function converse(address: string, turns: number, name?: string): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let length = 1; length <= turns; length++) told.push(await ask(address, conversation(length, name)));
  return told;
}
