// The paths of a decision server: `POST /cstp` for calls of its methods, `GET /health` for whoever watches it, and `GET /`
// that says what this is.

import { CompactError, type CompactErrorKind } from "../errors.ts";
import type { DecisionContext } from "../operations/decisions/context.ts";
import { DECISION_METHODS, runMethod } from "../operations/decisions/methods.ts";
import { cutAt } from "../text/quote.ts";
import { answerBody, INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type RpcOutcome } from "./json-rpc.ts";
import { createLoopbackApp, type LoopbackApp } from "./loopback.ts";

export interface CstpAppParts {
  /** All of a call's context but who calls. */
  readonly context: Omit<DecisionContext, "agent">;
  /** Token to agent; without any, everybody on this machine may call. */
  readonly agents?: ReadonlyMap<string, string> | undefined;
  readonly log: (line: string) => void;
}

export const CSTP_PATH = "/cstp";
/** A cycle with a model may take as long as that. */
const TIMEOUT_MS = 600_000;
const JSON_TYPE = { "content-type": "application/json" };

export async function createCstpApp({ context, agents, log }: CstpAppParts): Promise<LoopbackApp> {
  const app = await createLoopbackApp({
    agents,
    log,
    timeoutMs: TIMEOUT_MS,
    openPaths: ["/", "/health"],
    // Outside of JSON-RPC clients of this protocol read the key `detail`.
    refusalBody: (detail) => ({ detail }),
  });
  app.get("/health", ({ json }) => json({ status: "ok" }));
  app.get("/", ({ json }) => json(DESCRIPTION));
  app.post(CSTP_PATH, async ({ req, get }) => {
    const bytes = await wholeBody(req.raw);
    if (bytes === undefined) return refuse(400, "The body did not arrive whole.");
    const callers = { ...context, agent: get("agent") };
    const answer = await answerBody(bytes, (method, params) => callMethod(method, params, callers, log));
    return answer === undefined ? new Response(null, { status: 204 }) : new Response(answer, { headers: JSON_TYPE });
  });
  app.all(CSTP_PATH, () => refuse(405, `Calls are sent with POST ${CSTP_PATH}.`, { allow: "POST" }));
  return app;
}

const DESCRIPTION = {
  name: "agent-compact",
  description: "A decision log over JSON-RPC 2.0.",
  endpoint: `POST ${CSTP_PATH}`,
  methods: DECISION_METHODS.map(({ name }) => name),
};

/** Undefined where the client left before its end. */
async function wholeBody(request: Request): Promise<Uint8Array | undefined> {
  return request.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  );
}

function refuse(status: number, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify({ detail }), { status, headers: { ...JSON_TYPE, ...headers } });
}

// One call of a CSTP method: found by its name, its parameters read, and whatever fails as an error of JSON-RPC. The
// outcome never rejects and never tells the inside of an unexpected failure.

type Log = (line: string) => void;

const SHOWN_UNITS = 60;
/** The caller's to mend; all others are the server's. */
const CALLERS: readonly CompactErrorKind[] = ["InvalidInput", "NotFound", "InvalidConfig"];
/** Conflicts that sending the same again would only meet again. */
const CALLERS_CONFLICTS: readonly string[] = ["DECISION_EXISTS", "SUPERSEDED"];

async function callMethod(name: string, params: unknown, context: DecisionContext, log: Log): Promise<RpcOutcome> {
  const method = DECISION_METHODS.find((one) => one.name === name);
  if (method === undefined) return unknownMethod(name);
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return failure(INVALID_PARAMS, "params must be an object.", { type: "InvalidInput", code: "INVALID_PARAMS" });
  try {
    return { result: await runMethod(method, { ...params }, context) };
  } catch (error) {
    if (CompactError.isInstance(error)) return expected(name, error, log);
    return context.signal?.aborted === true ? STOPPED : unexpected(name, error, log);
  }
}

/** Of a cycle that was running when the server had to end. */
const STOPPED: RpcOutcome = {
  error: {
    code: INTERNAL_ERROR,
    message: "The server ends and the call was stopped. What it had written stays.",
    data: { type: "Stopped", code: "STOPPED", hint: "Send it again when the server is back." },
  },
};

function unknownMethod(name: string): RpcOutcome {
  const shown = name.length <= SHOWN_UNITS ? name : `${cutAt(name, SHOWN_UNITS)}...`;
  return failure(METHOD_NOT_FOUND, `Method not found: ${shown}`, {
    available: DECISION_METHODS.map((one) => one.name),
  });
}

function expected(name: string, error: CompactError, log: Log): RpcOutcome {
  const { kind, code, message, hint } = error;
  const isCallers = CALLERS.includes(kind) || (kind === "Conflict" && CALLERS_CONFLICTS.includes(code));
  if (!isCallers) log(`${name}: ${code}: ${message}`);
  const told = { type: kind, code, ...(hint === undefined ? {} : { hint }) };
  return failure(isCallers ? INVALID_PARAMS : INTERNAL_ERROR, message, told);
}

function unexpected(name: string, error: unknown, log: Log): RpcOutcome {
  log(`${name} failed unexpectedly: ${whereItFailed(error)}`);
  return failure(INTERNAL_ERROR, "The call failed unexpectedly. The server's log says where.", {
    type: "Unexpected",
    code: "UNEXPECTED",
  });
}

/** Kind and place of an error, without its message: that of a parser quotes what it read. */
export function whereItFailed(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s{1,10}at /.test(line));
  return [error.name, ...frames].join("\n");
}

function failure(code: number, message: string, data: Readonly<Record<string, unknown>>): RpcOutcome {
  return { error: { code, message, data } };
}
