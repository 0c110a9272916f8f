// `agent-compact proxy`: stands between an agent and its provider until a signal ends it.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { layOver } from "../../config/limits.ts";
import { CompactManager } from "../../conversation.ts";
import { conversationConfigOf } from "../../factories/conversation-config.ts";
import type { BearerCheck } from "../../http/loopback.ts";
import { createRequestCompaction } from "../../proxy/compact-request.ts";
import { openHeads } from "../../proxy/heads.ts";
import { type RunningProxy, startProxy } from "../../proxy/proxy.ts";
import { createRedactor, type RedactorOptions } from "../../redaction/redactor.ts";
import { aborted } from "../../timeout.ts";
import { badFlag, type CommonFlags } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";

export interface ProxyFlags extends CommonFlags {
  readonly upstream?: string;
  readonly port?: number;
  readonly listen?: string;
  readonly maxContextTokens?: number;
  readonly report?: "sent" | "original";
  readonly state?: string;
}

const DEFAULT_PORT = 8788;
/** For streams that run when the end is asked for. A second signal cuts them off. */
const GRACE_MS = 10 * 60_000;
const TOKEN_VARIABLE = "COMPACT_PROXY_TOKEN";

/** Resolves when the proxy has ended. */
export async function runProxy(flags: ProxyFlags, terminal: Terminal): Promise<void> {
  const say = (line: string) => void terminal.stderr.write(`${line}\n`);
  const { running, close } = await openProxy(flags, terminal);
  if (flags.json === true) terminal.stdout.write(`${JSON.stringify({ url: running.address })}\n`);
  if (flags.quiet !== true) {
    say(`Listening on ${running.address}, sending to ${flags.upstream}`);
    say(`Claude Code: ANTHROPIC_BASE_URL=${running.address} claude`);
    say(`OpenAI clients: OPENAI_BASE_URL=${running.address}/v1`);
  }
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
    process.on(signal, () => (stop.signal.aborted ? process.exit(0) : stop.abort()));
  terminal.signal?.addEventListener("abort", () => stop.abort(), { once: true });
  await aborted(stop.signal);
  await close(GRACE_MS);
}

export interface OpenedProxy {
  readonly running: RunningProxy;
  close(graceMs: number): Promise<void>;
}

/** Throws `InvalidConfig`, `InvalidInput`, `Conflict` (`PORT_IN_USE`). */
export async function openProxy(flags: ProxyFlags, terminal: Terminal): Promise<OpenedProxy> {
  const { config: file, warnings } = await readConfig(flags, terminal);
  const log = (line: string) => void terminal.stderr.write(`agent-compact: ${line}\n`);
  for (const warning of warnings) log(warning);
  const base = baseOf(flags.upstream);
  const isAllowed = await checkFor(flags, terminal);
  const state = resolve(terminal.cwd, flags.state ?? join(homedir(), ".agent-compact", "proxy"));
  const limited = layOver(file, { maxContextTokens: flags.maxContextTokens });
  const storage = file.storage ?? { path: join(state, "archive") };
  const config = conversationConfigOf({ ...limited, storage } as typeof file, log, terminal.env);
  const manager = new CompactManager(config);
  const redactor = createRedactor(file.redaction as RedactorOptions | undefined);
  const heads = await openHeads(join(state, "heads"), redactor, Date.now());
  const running = await startProxy({
    compose: createRequestCompaction({ manager, config, heads }),
    upstream: (path) => new URL(`${base.pathname.replace(/\/$/, "")}${path}`, base),
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

function baseOf(upstream: string | undefined): URL {
  const base = URL.canParse(upstream ?? "") ? new URL(upstream as string) : undefined;
  if (base !== undefined && /^https?:$/.test(base.protocol) && base.username === "" && base.search === "") return base;
  throw badFlag(
    `--upstream must be the provider's address${upstream === undefined ? "" : `, not ${JSON.stringify(upstream)}`}.`,
    "For example --upstream https://api.anthropic.com or --upstream https://api.openai.com",
  );
}

/** Elsewhere than on this machine nobody gets in without the token. */
async function checkFor({ listen }: ProxyFlags, { env }: Terminal): Promise<BearerCheck | undefined> {
  const token = env[TOKEN_VARIABLE];
  if (token !== undefined && token !== "") {
    const { createBearerCheck } = await import("../../http/loopback.ts");
    return createBearerCheck(new Map([[token, ""]]));
  }
  if (listen === undefined || /^(?:127\.|localhost$|::1$)/.test(listen)) return undefined;
  throw badFlag(
    `--listen ${listen} lets other machines in, and no token is set.`,
    `Set ${TOKEN_VARIABLE}; clients send it in the header x-agent-compact-token.`,
  );
}
