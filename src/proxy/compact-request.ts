// What is sent to the provider in the place of a request: the same bytes, or, where its beginning was compacted, that head and
// behind it the very bytes of the request. Between two compactions the head stays as it is, so that what was sent stays a
// prefix of what is sent next, and the provider's cache holds.
import type { IncomingHttpHeaders } from "node:http";
import { limitsOf, resolveForModel } from "../config/limits.ts";
import { DEFAULT_POLICY } from "../conversation/policy.ts";
import type { CompactManager } from "../conversation.ts";
import { createSerialQueue, type SerialQueue } from "../engine/serial-queue.ts";
import { CompactError } from "../errors.ts";
import type { ConversationConfig } from "../factories/conversation-config.ts";
import type { ListRequest } from "../providers/list-requests.ts";
import { withoutField } from "../providers/message-marks.ts";
import { asArray, isObject, type JsonObject, withoutUndefined } from "../text/json-values.ts";
import type { Target } from "./forward.ts";
import type { Head, HeadPiece, Heads } from "./heads.ts";
import { replay, sentBytes } from "./replay.ts";
import { fieldOf, type RequestBody, readRequestBody } from "./request-body.ts";
import { inNameOf } from "./upstream-model.ts";

export interface RequestCompactionParts {
  readonly manager: CompactManager;
  /** What the manager was made of. */
  readonly config: ConversationConfig;
  readonly heads: Heads;
}

export interface RequestToCompact {
  readonly wire: ListRequest;
  /** Decoded. */
  readonly bytes: Buffer;
  /** What the client calls the session, where it names one. */
  readonly session?: string | undefined;
  /** Tokens of the window, where the request or the provider says it. */
  readonly window?: number | undefined;
  /** What the client proves itself by is among them. */
  readonly headers?: IncomingHttpHeaders;
  /** The provider of a model, by its name. */
  readonly whereTo?: (model: string | undefined) => Target | undefined;
  /** Only what was compacted before: nothing anew. */
  readonly isLook?: boolean;
  /** The provider refused it as too large: compacted whatever we count. */
  readonly isRefused?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface Composed {
  /** To send; undefined for a request that goes on as it came. */
  readonly bytes: Buffer | undefined;
  readonly outcome: "passed" | "replayed" | "compacted";
  /** That the request names. */
  readonly model?: string | undefined;
  readonly sessionId?: string;
  readonly step?: number;
  /** Before and after, of a compaction. */
  readonly tokens?: { readonly before: number; readonly after: number };
  /** Why nothing was compacted although it was due. */
  readonly warning?: string;
  /** Takes what the provider reported for this request. */
  readonly report?: (usage: JsonObject) => void;
  /** What was compacted of this very conversation, this request's own compaction among it. */
  readonly past?: () => Promise<readonly Head[]>;
}

export const PASSED: Composed = { bytes: undefined, outcome: "passed" };

/** What is known of a list that was sent: whose it is, and what the provider counted. */
interface Sent {
  readonly sessionId: string;
  usage?: JsonObject;
}

/** Lists remembered; the oldest is forgotten when there are more. */
const MOST_SENT = 5_000;

export function createRequestCompaction(
  parts: RequestCompactionParts,
): (request: RequestToCompact) => Promise<Composed> {
  const bodies = createBodies();
  const sent = new Map<string, Sent>();
  const queues = new Map<string, SerialQueue>();
  /** Windows that providers told when they refused, by model. */
  const windows = new Map<string, number>();

  const remember = (link: string, sessionId: string): Sent => {
    const entry = sent.get(link) ?? { sessionId };
    const kept = entry.sessionId === sessionId ? entry : { sessionId };
    sent.delete(link);
    sent.set(link, kept);
    const [oldest] = sent.keys();
    if (sent.size > MOST_SENT && oldest !== undefined) sent.delete(oldest);
    return kept;
  };

  return async (asked) => {
    const { wire, bytes, session, isLook = false } = asked;
    const body = bodies.read(bytes, wire);
    if (body === undefined) return PASSED;
    const model = modelOf(body) ?? "";
    if (body.places.length === 0 || isHeldElsewhere(body, wire)) return { ...PASSED, model };
    if (asked.isRefused === true && asked.window !== undefined) windows.set(model, asked.window);
    const request = { ...asked, window: windows.get(model) ?? asked.window };
    const link = body.chain.at(-1) as string;
    const known = { model, past: () => parts.heads.past(body) };
    const before = lastSent(body, sent);
    const first = await parts.heads.find(body);
    const sessionId = before?.sessionId ?? first?.sessionId ?? nameOf(body, wire, session);
    if (isLook || !mayBeDue(body, first, request, parts.config))
      return withReport({ ...replayed(body, first, wire), ...known }, remember(link, sessionId));
    const queue = queues.get(sessionId) ?? createSerialQueue();
    queues.set(sessionId, queue);
    try {
      return await queue(async () => {
        // The same request may have been compacted while this one waited.
        const head = (await parts.heads.find(body)) ?? first;
        const composed = await compactIfDue({ body, head, request, sessionId, usage: before?.usage }, parts);
        return withReport({ ...composed, ...known }, remember(link, composed.sessionId ?? sessionId));
      });
    } finally {
      if (queues.size > MOST_SENT) queues.clear();
    }
  };
}

function withReport(composed: Composed, entry: Sent): Composed {
  const report = (usage: JsonObject) => {
    entry.usage = usage;
  };
  return { sessionId: entry.sessionId, ...composed, report };
}

export function isHeldElsewhere(body: RequestBody, { holders, isHeldElsewhere: isHeld }: ListRequest): boolean {
  return isHeld(Object.fromEntries(holders.map((name) => [name, fieldOf(body, name)])));
}

/** The list that this one goes on from, and what was reported for it: void where more than its answer came since. */
function lastSent({ chain, messages }: RequestBody, sent: ReadonlyMap<string, Sent>): Sent | undefined {
  for (let length = chain.length; length > 0; length--) {
    const found = sent.get(chain[length - 1] as string);
    if (found === undefined) continue;
    return isOneAnswer(messages.slice(length)) ? found : { sessionId: found.sessionId };
  }
  return undefined;
}

function isOneAnswer(added: readonly JsonObject[]): boolean {
  const isAnswers = (message: JsonObject) =>
    message.role === "assistant" || (message.role === undefined && !String(message.type).endsWith("_output"));
  const end = added.findIndex((message) => !isAnswers(message));
  return end > 0 && !added.slice(end).some(isAnswers);
}

/** The same in every process. A host's name for it is anybody's text. */
function nameOf({ chain }: RequestBody, { format }: ListRequest, session: string | undefined): string {
  return `${session ?? format}-${chain[0]?.slice(0, 8)}`;
}

// A list whose bytes are fewer than the tokens at which anything would be done need not be counted.

function mayBeDue(
  body: RequestBody,
  head: Head | undefined,
  request: RequestToCompact,
  config: ConversationConfig,
): boolean {
  if (request.isRefused === true) return true;
  const model = modelOf(body);
  const resolved = resolveForModel(config, model);
  const window = request.window ?? windowOf(resolved);
  if (window === undefined) return false;
  const policy = { ...DEFAULT_POLICY, ...resolved.policy };
  const { triggerPct, triggerTokens, preparePct = triggerPct, prepareTokens = triggerTokens, maxRequestBytes } = policy;
  const reserved = Math.max(resolved.reservedOutputTokens ?? 0, outputTokens(body, request.wire, window));
  const shares = Math.min(triggerPct, preparePct) * window;
  const least = Math.min(
    shares,
    triggerTokens ?? shares,
    prepareTokens ?? shares,
    window - reserved - policy.hardCapBuffer,
  );
  return sentBytes(body, head) > Math.min(least, maxRequestBytes ?? least);
}

function windowOf(config: ConversationConfig): number | undefined {
  try {
    return limitsOf(config).maxContextTokens;
  } catch {
    return undefined;
  }
}

function modelOf(body: RequestBody): string | undefined {
  const model = fieldOf(body, "model");
  return typeof model === "string" ? model : undefined;
}

/** Tokens that the request keeps for its answer. More than half of the window is no wish, but a default for larger ones. */
function outputTokens(body: RequestBody, { outputTokens: names }: ListRequest, window: number): number {
  const wished = names.map((name) => fieldOf(body, name)).find((value) => typeof value === "number") ?? 0;
  return Number.isSafeInteger(wished) && (wished as number) > 0 && (wished as number) <= window / 2
    ? (wished as number)
    : 0;
}

// One request that may be due.

interface Candidate {
  readonly body: RequestBody;
  readonly head: Head | undefined;
  readonly request: RequestToCompact;
  readonly sessionId: string;
  readonly usage: JsonObject | undefined;
}

async function compactIfDue(
  candidate: Candidate,
  { manager, config, heads }: RequestCompactionParts,
): Promise<Composed> {
  const { body, head, request } = candidate;
  const { wire, window, isRefused = false, signal } = request;
  const model = modelOf(body);
  const resolved = resolveForModel(config, model);
  const size = window ?? windowOf(resolved);
  const reserved = size === undefined ? 0 : outputTokens(body, wire, size);
  const list = messagesOf(body, head);
  const options = withoutUndefined({
    format: wire.format,
    system: wire.system === undefined ? undefined : (fieldOf(body, wire.system) ?? undefined),
    tools: Array.isArray(fieldOf(body, "tools")) ? asArray(fieldOf(body, "tools")) : undefined,
    model,
    maxContextTokens: window,
    reservedOutputTokens: reserved > (resolved.reservedOutputTokens ?? 0) ? reserved : undefined,
    usage: candidate.usage,
    signal,
    ...(isRefused ? { isAutomatic: true } : { ifNeeded: true }),
  });
  let sessionId = candidate.sessionId;
  try {
    sessionId = await sessionOf(candidate, manager);
    const named = sessionId;
    const { messages, report } = await inTheirName(request, model, () => manager.compact(named, list, options));
    const isSame = messages.length === list.length && messages.every((message, at) => message === list[at]);
    if (report.status === "skipped" || isSame) return { ...replayed(body, head, wire), sessionId };
    const next: Head = {
      covers: body.messages.length,
      link: body.chain.at(-1) as string,
      sessionId,
      step: (await manager.status(sessionId)).step,
      pieces: piecesOf(messages, body),
    };
    const warning = await heads.add(next, body).then(
      () => undefined,
      (error: unknown) => `what was compacted could not be kept for other processes: ${error}`,
    );
    return {
      bytes: replay(body, next, wire),
      outcome: "compacted",
      sessionId,
      step: next.step,
      tokens: { before: report.tokens_before, after: report.tokens_after },
      ...(warning === undefined ? {} : { warning }),
    };
  } catch (error) {
    signal?.throwIfAborted();
    // A request is never worse off than without us: what does not fit is the provider's to say.
    const warning = CompactError.isInstance(error) ? `${error.code}: ${error.message}` : `unexpected: ${error}`;
    return { ...replayed(body, head, wire), sessionId, warning };
  }
}

function inTheirName<Result>(
  { wire, headers, whereTo }: RequestToCompact,
  model: string | undefined,
  work: () => Result,
): Result {
  const target = whereTo?.(model);
  return target === undefined || headers === undefined
    ? work()
    : inNameOf({ format: wire.format, target, headers }, work);
}

/**
 * A session goes on from its last step. A conversation that went another way from an earlier one, or that only begins alike, is
 * a session of its own, and gets no fact of the other.
 */
async function sessionOf({ body, head, sessionId }: Candidate, manager: CompactManager): Promise<string> {
  const steps = async (id: string) => (await manager.status(id)).step;
  if ((await steps(sessionId)) === (head?.sessionId === sessionId ? head.step : 0)) return sessionId;
  // What another process did since is read anew.
  await manager.forget(sessionId);
  if (head?.sessionId === sessionId && (await steps(sessionId)) === head.step) return sessionId;
  const own = `${sessionId}-${body.chain.at(-1)?.slice(0, 8)}`;
  return (await steps(own)) === 0 ? own : `${own}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The list as it is sent. The same objects as in earlier requests, so that only what is new is looked at. */
function messagesOf({ messages }: RequestBody, head: Head | undefined): readonly JsonObject[] {
  if (head === undefined) return messages;
  const written = head.pieces.map((piece) => (typeof piece === "number" ? (messages[piece] as JsonObject) : piece));
  return [...written, ...messages.slice(head.covers)];
}

/** `meta` is ours: a provider would refuse it. */
function piecesOf(messages: readonly unknown[], body: RequestBody): readonly HeadPiece[] {
  const indexes = new Map(body.messages.map((message, index) => [message, index]));
  return messages
    .filter(isObject)
    .map((message) => indexes.get(message) ?? ("meta" in message ? withoutField(message, "meta") : message));
}

function replayed(body: RequestBody, head: Head | undefined, wire: ListRequest): Composed {
  if (head === undefined) return PASSED;
  return { bytes: replay(body, head, wire), outcome: "replayed", sessionId: head.sessionId, step: head.step };
}

// Bodies that a next one may begin like.

export interface Bodies {
  read(bytes: Buffer, wire: ListRequest): RequestBody | undefined;
}

/** What they may take together. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_BODIES = 100;
const ALIKE = 2_048;

export function createBodies(): Bodies {
  /** The newest at the end. */
  let held: RequestBody[] = [];
  return {
    read(bytes, wire) {
      const start = bytes.subarray(0, Math.min(ALIKE, bytes.length));
      const earlier = held.findLast(({ bytes: each }) => each.subarray(0, start.length).equals(start));
      const body = readRequestBody(bytes, wire.list, wire.format, earlier);
      if (body === undefined) return undefined;
      if (earlier !== undefined && isWithin(earlier, body)) held = held.filter((each) => each !== earlier);
      held.push(body);
      let total = 0;
      const first = held.findLastIndex((each) => {
        total += each.bytes.length;
        return total > MOST_BYTES;
      });
      held = held.slice(Math.max(first + 1, held.length - MOST_BODIES));
      return body;
    },
  };
}

/** The later one says all that the earlier one says. */
function isWithin({ chain }: RequestBody, later: RequestBody): boolean {
  return chain.length > 0 && later.chain[chain.length - 1] === chain.at(-1);
}
