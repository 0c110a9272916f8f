// `agent-compact proxy`: stands between agents and their providers until a signal ends it. And `agent-compact wrap`, which
// starts one for a single agent and ends with it.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { ConfigFile } from "../../config/file-schema.ts";
import { layOver } from "../../config/limits.ts";
import { DEFAULT_POLICY } from "../../conversation/policy.ts";
import { CompactManager } from "../../conversation.ts";
import { archiveOf, type StorageConfig } from "../../factories/archive.ts";
import { type ConversationConfig, conversationConfigOf } from "../../factories/conversation-config.ts";
import { defaultCount } from "../../factories/summarizer.ts";
import { type BearerCheck, createBearerCheck } from "../../http/loopback.ts";
import { createRequestCompaction } from "../../proxy/compact-request.ts";
import { openHeads } from "../../proxy/heads.ts";
import { openKeptFiles } from "../../proxy/kept-files.ts";
import type { OwnTools } from "../../proxy/own-tools.ts";
import { type ProxyParts, type RunningProxy, startProxy } from "../../proxy/proxy.ts";
import { upstreamModel } from "../../proxy/upstream-model.ts";
import type { Upstream } from "../../proxy/upstreams.ts";
import { createRedactor, type Redactor } from "../../redaction/redactor.ts";
import { aborted } from "../../timeout.ts";
import { badFlag, quoted } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";
import type { ProxyFlags } from "./program.ts";

const DEFAULT_PORT = 8788;
/** For streams that run when the end is asked for. A second signal cuts them off. */
const GRACE_MS = 10 * 60_000;
const TOKEN_VARIABLE = "COMPACT_PROXY_TOKEN";
/**
 * Share of the window that a compaction comes down to, where the configuration does not say. Measured: docs/reference/proxy.md.
 * Every request reads the whole prompt, so a small one pays; below this the saving is small, and what stays is little.
 */
const TARGET_PCT = 0.3;

/** Of the trigger, at which a model begins to write a summary. */
const PREPARE_SHARE = 0.8;

/** Resolves when the proxy has ended. */
export async function runProxy(flags: ProxyFlags, terminal: Terminal): Promise<void> {
  const say = (line: string) => void terminal.stderr.write(`${line}\n`);
  const { config } = await readConfig(flags, terminal);
  const upstreams = [
    ...configured(config),
    ...(flags.upstream === undefined ? [] : [{ url: readUrl(flags.upstream) }]),
  ];
  if (upstreams.length === 0) readUrl(undefined);
  const { running, close } = await openProxy({ upstreams }, flags, terminal, (line) => say(`agent-compact: ${line}`));
  if (flags.json === true) terminal.stdout.write(`${JSON.stringify({ url: running.address })}\n`);
  if (flags.quiet !== true) for (const line of greeting(running.address, upstreams)) say(line);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => (stop.signal.aborted ? process.exit(0) : stop.abort()));
  terminal.signal?.addEventListener("abort", () => stop.abort(), { once: true });
  await aborted(stop.signal);
  await close(GRACE_MS);
}

function greeting(address: string, upstreams: readonly Upstream[]): readonly string[] {
  const places = upstreams.map(({ url, path = "", model }) => {
    const which = model === undefined ? "" : ` for ${model}`;
    return `${address}${path} -> ${url.href.replace(/\/$/, "")}${which}`;
  });
  return [
    ...places,
    `Claude Code:    ANTHROPIC_BASE_URL=${address} claude`,
    `OpenAI clients: OPENAI_BASE_URL=${address}/v1`,
    `What it does:   ${address}/metrics`,
  ];
}

export interface OpenedProxy {
  readonly running: RunningProxy;
  /** Streams that run may take this long to end. */
  close(graceMs: number): Promise<void>;
}

/** Throws `InvalidConfig`, `InvalidInput`, `Conflict` (`PORT_IN_USE`). */
export async function openProxy(
  { upstreams, refusesSockets = false }: Pick<ProxyParts, "upstreams" | "refusesSockets">,
  flags: ProxyFlags,
  terminal: Terminal,
  log: (line: string) => void,
): Promise<OpenedProxy> {
  const { config: file, warnings } = await readConfig(flags, terminal);
  for (const warning of warnings) log(warning);
  const isAllowed = await checkFor(flags, terminal);
  const state = resolve(terminal.cwd, flags.state ?? join(homedir(), ".agent-compact", "proxy"));
  const storage = file.storage ?? { path: join(state, "archive") };
  const set = { ...withDefaults(layOver(file, { maxContextTokens: flags.maxContextTokens })), storage };
  const summaryModel = file.proxy?.summaryModel;
  const config: ConversationConfig = {
    ...conversationConfigOf(set, log, terminal.env),
    ...(summaryModel === undefined ? {} : { summarizer: { model: upstreamModel(summaryModel) } }),
  };
  const manager = new CompactManager(config);
  const redactor = createRedactor(file.redaction);
  const heads = await openHeads(join(state, "heads"), redactor, Date.now());
  const ownTools = flags.tools === true ? await openOwnTools(state, storage, redactor, log) : undefined;
  const running = await startProxy({
    ...(ownTools === undefined ? {} : { ownTools }),
    compose: createRequestCompaction({
      ...{ manager, config, heads, now: Date.now },
      ...(flags.slim === true ? { slimming: { archive: archiveOf(storage), redactor } } : {}),
    }),
    upstreams,
    refusesSockets,
    port: flags.port ?? DEFAULT_PORT,
    ...(flags.listen === undefined ? {} : { host: flags.listen }),
    ...(isAllowed === undefined ? {} : { isAllowed }),
    report: flags.report ?? "sent",
    log,
  });
  return {
    running,
    close: async (graceMs) => {
      await running.close(graceMs);
      await manager.close();
    },
  };
}

async function openOwnTools(
  state: string,
  storage: StorageConfig,
  redactor: Redactor,
  log: (line: string) => void,
): Promise<OwnTools> {
  const { createOwnTools } = await import("../../proxy/own-tools.ts");
  const files = await openKeptFiles(join(state, "answers"), redactor, Date.now());
  return createOwnTools({ archive: archiveOf(storage), files, count: defaultCount(), log });
}

/** What is best for a proxy, where the configuration does not say. */
function withDefaults(file: ConfigFile): ConfigFile {
  const { targetPct, targetTokens, triggerPct = DEFAULT_POLICY.triggerPct } = file.policy ?? {};
  const isGiven = targetPct !== undefined || targetTokens !== undefined || triggerPct <= TARGET_PCT;
  const ahead = { preparePct: PREPARE_SHARE * triggerPct, onSummaryFailure: "extractive" } as const;
  const policy = {
    ...(isGiven ? {} : { targetPct: TARGET_PCT }),
    ...(file.proxy?.summaryModel === undefined ? {} : ahead),
    ...file.policy,
  };
  return { ...file, policy };
}

function configured({ proxy }: ConfigFile): readonly Upstream[] {
  return Object.entries(proxy?.upstreams ?? {}).flatMap(([name, { url, path, model }]) => {
    if (url === undefined) throw badFlag(`proxy.upstreams.${name} has no url.`, "Add the provider's address as url.");
    return [{ url: new URL(url), path, model }];
  });
}

function readUrl(upstream: string | undefined): URL {
  const url = URL.canParse(upstream ?? "") ? new URL(upstream ?? "") : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username + url.search === "") return url;
  throw badFlag(
    upstream === undefined
      ? "No provider is named."
      : `--upstream must be the provider's address, without a name, a key or a query, not ${quoted(upstream)}.`,
    "For example --upstream https://api.anthropic.com or --upstream https://api.openai.com",
  );
}

/** Elsewhere than on this machine nobody gets in without the token. */
async function checkFor({ listen }: ProxyFlags, { env }: Terminal): Promise<BearerCheck | undefined> {
  const token = env[TOKEN_VARIABLE];
  if (token !== undefined && token !== "") return createBearerCheck(new Map([[token, ""]]));
  if (listen === undefined || /^(?:127\.|localhost$|::1$)/.test(listen)) return undefined;
  throw badFlag(
    `--listen ${listen} lets other machines in, and no token is set.`,
    `Set ${TOKEN_VARIABLE}; clients send it in the header x-agent-compact-token.`,
  );
}
