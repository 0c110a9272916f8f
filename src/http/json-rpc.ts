// From a body to the calls of JSON-RPC 2.0 in it, and from their outcomes to the answer. What is called is not known here.
import { CompactError } from "../errors.ts";
import { MESSAGE_LIMITS, parseJson } from "../text/parse-json.ts";

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** Calls that one body may hold. */
const MOST_CALLS = 100;

type RpcId = string | number | null;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

type RpcAnswer = RpcOutcome & { readonly jsonrpc: "2.0"; readonly id: RpcId };

type CallMethod = (method: string, params: unknown) => Promise<RpcOutcome>;

/**
 * Answers the calls of a body one after another, in their order, each with an outcome of its own. The answer as JSON;
 * undefined where nobody waits for one, as for notifications. `call` never rejects.
 */
export async function answerBody(bytes: Uint8Array, call: CallMethod): Promise<string | undefined> {
  const refuse = (code: number, message: string) => JSON.stringify(failure(null, code, message));
  let body: unknown;
  try {
    body = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes), MESSAGE_LIMITS);
  } catch (error) {
    if (CompactError.isInstance(error))
      return refuse(INVALID_REQUEST, `Invalid request: ${error.message.replace(/^The JSON/, "it")}`);
    return refuse(PARSE_ERROR, "Parse error: the body is not JSON in UTF-8.");
  }
  // Undefined for a notification, which is written as nothing.
  if (!Array.isArray(body)) return JSON.stringify(await answerCall(body, call));
  if (body.length === 0) return refuse(INVALID_REQUEST, "Invalid request: the batch is empty.");
  if (body.length > MOST_CALLS) {
    const message = `Invalid request: the batch holds ${body.length} calls, at most ${MOST_CALLS} are taken at once.`;
    return refuse(INVALID_REQUEST, message);
  }
  const answers: RpcAnswer[] = [];
  for (const request of body) {
    const answer = await answerCall(request, call);
    if (answer !== undefined) answers.push(answer);
  }
  return answers.length === 0 ? undefined : JSON.stringify(answers);
}

async function answerCall(request: unknown, call: CallMethod): Promise<RpcAnswer | undefined> {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    return failure(null, INVALID_REQUEST, "Invalid request: it must be an object.");
  // Only what it has itself: a name that all objects inherit is no field.
  const { id, jsonrpc, method, params } = { __proto__: null, ...request } as Readonly<Record<string, unknown>>;
  const isNotification = !Object.hasOwn(request, "id");
  if (!isNotification && !isId(id))
    return failure(null, INVALID_REQUEST, "Invalid request: id must be a text, a number or null.");
  const known = isNotification ? null : (id as RpcId);
  if (jsonrpc !== "2.0") return failure(known, INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0".');
  if (typeof method !== "string" || method === "")
    return failure(known, INVALID_REQUEST, "Invalid request: method must be a text.");
  const outcome = await call(method, params);
  return isNotification ? undefined : { jsonrpc: "2.0", ...outcome, id: known };
}

/** A number that was rounded when it was read would never be found again. */
function isId(id: unknown): id is RpcId {
  if (typeof id === "number") return Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id));
  return typeof id === "string" || id === null;
}

function failure(id: RpcId, code: number, message: string): RpcAnswer {
  return { jsonrpc: "2.0", error: { code, message }, id };
}
