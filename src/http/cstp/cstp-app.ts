// The paths of a decision server: `POST /cstp` for calls, `GET /health` for whoever watches it, and `GET /` that says what
// this is.
import { CSTP_METHODS } from "../../decisions/cstp/cstp-methods.ts";
import type { CstpContext } from "../../decisions/cstp/method.ts";
import { createLoopbackApp, type LoopbackApp } from "../loopback-app.ts";
import { answerBody } from "./answer-body.ts";
import { callMethod } from "./call-method.ts";

export interface CstpAppParts {
  /** All of a call's context but who calls. */
  readonly context: Omit<CstpContext, "agent">;
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
  methods: CSTP_METHODS.map(({ name }) => name),
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
