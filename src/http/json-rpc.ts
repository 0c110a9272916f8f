// From a body to the calls of JSON-RPC 2.0 in it, and from outcomes to the answer. What is called is not known here.

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

/** Calls that one body may hold. */
const MOST_CALLS = 100;
/** Levels of lists and objects in one another, far from where anything that walks them ends. */
const DEEPEST_BODY = 100;

type RpcId = string | number | null;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError };

interface RpcCall {
  /** Absent for a notification, which gets no answer. */
  readonly id?: RpcId;
  readonly method: string;
  /** As sent; undefined where there are none. */
  readonly params: unknown;
}

type RpcAnswer = RpcOutcome & { readonly jsonrpc: "2.0"; readonly id: RpcId };

/** A call, or the answer to what is none. */
type ReadCall = { readonly call: RpcCall } | { readonly answer: RpcAnswer };

type ReadBody =
  | { readonly isBatch: boolean; readonly calls: readonly ReadCall[] }
  /** Nothing in it is called. */
  | { readonly answer: RpcAnswer };

function readBody(bytes: Uint8Array): ReadBody {
  if (isNestedBeyond(bytes, DEEPEST_BODY)) {
    const message = `Invalid request: it is nested more than ${DEEPEST_BODY} levels deep.`;
    return { answer: failure(null, INVALID_REQUEST, message) };
  }
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { answer: failure(null, PARSE_ERROR, "Parse error: the body is not JSON in UTF-8.") };
  }
  if (!Array.isArray(body)) return { isBatch: false, calls: [readCall(body)] };
  if (body.length === 0) return { answer: failure(null, INVALID_REQUEST, "Invalid request: the batch is empty.") };
  if (body.length > MOST_CALLS) {
    const message = `Invalid request: the batch holds ${body.length} calls, at most ${MOST_CALLS} are taken at once.`;
    return { answer: failure(null, INVALID_REQUEST, message) };
  }
  return { isBatch: true, calls: body.map(readCall) };
}

function readCall(request: unknown): ReadCall {
  if (typeof request !== "object" || request === null || Array.isArray(request))
    return { answer: failure(null, INVALID_REQUEST, "Invalid request: it must be an object.") };
  const fields = request as Readonly<Record<string, unknown>>;
  const has = (key: string) => Object.hasOwn(fields, key);
  if (has("id") && !isId(fields.id))
    return { answer: failure(null, INVALID_REQUEST, "Invalid request: id must be a text, a number or null.") };
  const id = has("id") ? (fields.id as RpcId) : null;
  if (!has("jsonrpc") || fields.jsonrpc !== "2.0")
    return { answer: failure(id, INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0".') };
  if (!has("method") || typeof fields.method !== "string" || fields.method === "")
    return { answer: failure(id, INVALID_REQUEST, "Invalid request: method must be a text.") };
  const params = has("params") ? fields.params : undefined;
  return { call: { method: fields.method, params, ...(has("id") ? { id } : {}) } };
}

/** A number that was rounded when it was read would never be found again. */
function isId(id: unknown): id is RpcId {
  if (typeof id === "number") return Number.isFinite(id) && (!Number.isInteger(id) || Number.isSafeInteger(id));
  return typeof id === "string" || id === null;
}

function answerTo(id: RpcId, outcome: RpcOutcome): RpcAnswer {
  return { jsonrpc: "2.0", ...outcome, id };
}

function failure(id: RpcId, code: number, message: string): RpcAnswer {
  return answerTo(id, { error: { code, message } });
}

// How deep a JSON text is nested, told before it is parsed: parsers take any depth, and a second for each few hundred
// thousand levels.

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];

/** Whether lists and objects stand in one another more than `limit` levels deep. Linear; what is no JSON gives no matter what. */
function isNestedBeyond(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      if (depth > limit) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}

// Answers a body of JSON-RPC: its calls one after another, in their order, each with an outcome of its own.

type CallMethod = (method: string, params: unknown) => Promise<RpcOutcome>;

/** The answer as JSON; undefined where nobody waits for one, as for notifications. `call` never rejects. */
export async function answerBody(bytes: Uint8Array, call: CallMethod): Promise<string | undefined> {
  const body = readBody(bytes);
  if ("answer" in body) return JSON.stringify(body.answer);
  const answers: RpcAnswer[] = [];
  for (const read of body.calls) {
    const answer = await answerCall(read, call);
    if (answer !== undefined) answers.push(answer);
  }
  const [first] = answers;
  if (first === undefined) return undefined;
  return JSON.stringify(body.isBatch ? answers : first);
}

async function answerCall(read: ReadCall, call: CallMethod): Promise<RpcAnswer | undefined> {
  if ("answer" in read) return read.answer;
  const { id, method, params } = read.call;
  const outcome = await call(method, params);
  return id === undefined ? undefined : answerTo(id, outcome);
}
