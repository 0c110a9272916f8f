// A decision server on a free port of this machine, on a log of the test, with a clock that the test sets.
import { onTestFinished } from "vitest";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { decisionPolicies, type Policies } from "../../../src/decisions/levels.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import type { TextWriter } from "../../../src/decisions/texts/text-writer.ts";
import { decisionTextWriterOf } from "../../../src/factories/decisions.ts";
import { createCstpApp } from "../../../src/http/cstp-app.ts";
import type { RpcError } from "../../../src/http/json-rpc.ts";
import { openLoopbackServer } from "../../../src/http/loopback.ts";

export const NOW = Date.parse("2026-02-15T12:00:00Z");

export interface CstpServerOptions {
  readonly log?: DecisionLog;
  readonly policies?: Policies;
  readonly agents?: ReadonlyMap<string, string>;
  readonly texts?: TextWriter;
  readonly now?: () => number;
}

export interface RpcResponse {
  readonly jsonrpc: string;
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  readonly result?: any;
  readonly error?: RpcError;
}

export async function openCstpServer(options: CstpServerOptions = {}) {
  const { policies = decisionPolicies(), agents, now = () => NOW } = options;
  const log = options.log ?? createMemoryDecisionLog();
  const texts = options.texts ?? decisionTextWriterOf({});
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const context = { log: async () => log, policies, texts, now };
  const app = await createCstpApp({ context, agents, log: say });
  const server = await openLoopbackServer({ port: 0, log: say, fetch: (request) => app.fetch(request) });
  onTestFinished(() => server.close(0));
  onTestFinished(() => log.close());
  const post = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.address}/cstp`, {
      method: "POST",
      body: new Uint8Array(Buffer.from(body)),
      headers: { ...headers },
    });
  let calls = 0;
  const rpc = async (method: string, params?: unknown, token?: string): Promise<RpcResponse> => {
    calls += 1;
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (token !== undefined) headers.authorization = `Bearer ${token}`;
    const response = await post(JSON.stringify({ jsonrpc: "2.0", id: calls, method, params }), headers);
    return (await response.json()) as RpcResponse;
  };
  return {
    address: server.address,
    port: server.port,
    log,
    /** What the server told its log. */
    lines,
    post,
    /** The whole response to one call. */
    rpc,
    /** The result of a call; its error is thrown. */
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
    async call(method: string, params?: unknown, token?: string): Promise<any> {
      const { result, error } = await rpc(method, params, token);
      if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
      return result;
    },
  };
}

const DAY = 86_400_000;

/** A reviewed record, so many days old. */
export function aged(id: string, days: number, rest: Readonly<Record<string, unknown>> = {}) {
  const date = new Date(NOW - days * DAY).toISOString();
  return {
    id,
    decision: `Decision ${id}`,
    category: "process",
    confidence: 0.8,
    stakes: "medium",
    status: "reviewed",
    outcome: "success",
    date,
    ...rest,
  };
}

export async function fill(log: DecisionLog, records: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  await log.write(async (writer) => {
    for (const record of records) await writer.add(record);
  });
}
