// What is sent to the provider in the place of a request: the same bytes, or, where its beginning was compacted, that head and
// behind it the very bytes of the request. Between two compactions the head stays as it is, so that what was sent stays a
// prefix of what is sent next, and the provider's cache holds.
import type { IncomingHttpHeaders } from "node:http";
import { limitsOf, resolveForModel } from "../config/limits.ts";
import { type ConversationPolicy, DEFAULT_POLICY } from "../conversation/policy.ts";
import type { CompactManager } from "../conversation.ts";
import { createSerialQueue, type SerialQueue } from "../engine/serial-queue.ts";
import { CompactError } from "../errors.ts";
import type { ConversationConfig } from "../factories/conversation-config.ts";
import { FORMATS } from "../factories/formats.ts";
import type { ListRequest } from "../providers/list-requests.ts";
import { asArray, type JsonObject, withoutUndefined } from "../text/json-values.ts";
import { withoutThinking } from "./bound-thinking.ts";
import type { Target } from "./forward.ts";
import { type Head, type Heads, messagesOf, piecesOf } from "./heads.ts";
import { replay, sentBytes } from "./replay.ts";
import { createBodies, fieldOf, type RequestBody } from "./request-body.ts";
import { createHolder, createSentLists, type Sent, type Size } from "./sent-lists.ts";
import { type Slimming, slim } from "./slim.ts";
import { inNameOf } from "./upstream-model.ts";
import { figuresOf } from "./usage.ts";

export interface RequestCompactionParts {
  readonly manager: CompactManager;
  /** What the manager was made of. */
  readonly config: ConversationConfig;
  readonly heads: Heads;
  /** Of repeated calls' earlier results, where the provider's cache is cold. Off when absent. */
  readonly slimming?: Slimming;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
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
  /** The provider refused thinking that was thought behind another beginning: sent without any. */
  readonly isBound?: boolean;
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
  /** Tokens of the request that are not sent. */
  readonly hidden?: number;
  /** Before and after, of a compaction. */
  readonly tokens?: { readonly before: number; readonly after: number };
  /** Why nothing was compacted although it was due. */
  readonly warning?: string;
  /** Of the list as it is sent, where it was counted. */
  readonly size?: Size | undefined;
  /** Takes what the provider reported for this request. */
  readonly report?: (usage: JsonObject) => void;
  /** What was compacted or slimmed of this very conversation, this request's own compaction among it. */
  readonly past?: () => Promise<readonly Head[]>;
}

export const PASSED: Composed = { bytes: undefined, outcome: "passed" };

/** Of sessions that had something to compact. */
const MOST_QUEUES = 5_000;

export function createRequestCompaction(
  parts: RequestCompactionParts,
): (request: RequestToCompact) => Promise<Composed> {
  const bodies = createBodies();
  const sent = createSentLists(parts.now);
  const hold = createHolder((sessionId) => void parts.manager.forget(sessionId).catch(() => undefined));
  const queues = new Map<string, SerialQueue>();
  /** Windows that providers told when they refused, by model. */
  const windows = new Map<string, number>();
  /** Models that take thinking back only behind the very beginning that it was thought behind. */
  const binding = new Set<string>();

  const compose = async (body: RequestBody, request: RequestToCompact): Promise<Composed> => {
    const { wire, session, isLook = false } = request;
    const before = sent.before(body);
    const found = await parts.heads.find(body);
    const head = (isLook ? undefined : await slimWhenCold(body, found, wire, before, parts)) ?? found;
    const sessionId = before?.sessionId ?? head?.sessionId ?? nameOf(body, wire, session);
    const limits = limitsFor(body, request, parts.config);
    const isBinding = binding.has(modelOf(body) ?? "");
    const candidate: Candidate = { body, head, request, sessionId, limits, isBinding, before };
    if (request.isBound === true) return await unbound(candidate, parts);
    if (isLook || !mayBeDue(candidate)) return { sessionId, size: before?.size, ...replayed(body, head, wire) };
    const queue = queues.get(sessionId) ?? createSerialQueue();
    queues.set(sessionId, queue);
    if (queues.size > MOST_QUEUES) queues.clear();
    // The same request may have been compacted while this one waited.
    return queue(async () => {
      const composed = await compactIfDue({ ...candidate, head: (await parts.heads.find(body)) ?? head }, parts);
      hold(composed.sessionId ?? sessionId);
      return composed;
    });
  };

  return async (request) => {
    const { wire, bytes, isRefused = false, isBound = false } = request;
    const body = bodies.read(bytes, wire);
    if (body === undefined) return PASSED;
    const model = modelOf(body);
    if (body.places.length === 0 || isHeldElsewhere(body, wire)) return { ...PASSED, model };
    if (isRefused && request.window !== undefined) windows.set(model ?? "", request.window);
    if (isBound) binding.add(model ?? "");
    const configured = resolveForModel(parts.config, model).maxContextTokens;
    const window = windows.get(model ?? "") ?? configured ?? request.window;
    const composed = await compose(body, { ...request, window });
    const entry = sent.remember(body.chain.at(-1) as string, composed.sessionId ?? "");
    if (composed.size !== undefined) entry.size = composed.size;
    const report = (usage: JsonObject) => {
      entry.usage = usage;
    };
    return { ...composed, model, report, past: () => parts.heads.past(body) };
  };
}

export function isHeldElsewhere(body: RequestBody, { holders, isHeldElsewhere: isHeld }: ListRequest): boolean {
  return isHeld(Object.fromEntries(holders.map((name) => [name, fieldOf(body, name)])));
}

/** The same in every process. A host's name for it is anybody's text. */
function nameOf({ chain }: RequestBody, { format }: ListRequest, session: string | undefined): string {
  return `${session ?? format}-${chain[0]?.slice(0, 8)}`;
}

/** Providers forget a prompt that nobody sent for so long; `ttl` of a client's marks says where it is longer. */
const COLD_MS = 5 * 60_000;
const COLD_LONG_MS = 60 * 60_000;

/** Where the whole messages are of a head that was made by slimming. */
export function slimSession({ sessionId, link }: Pick<Head, "sessionId" | "link">): string {
  return `${sessionId}-slim-${link.slice(0, 8)}`;
}

/** A new head where the conversation rested so long that its prompt is written to the cache anew in any case. */
async function slimWhenCold(
  body: RequestBody,
  head: Head | undefined,
  wire: ListRequest,
  before: Sent | undefined,
  { slimming, heads, now }: RequestCompactionParts,
): Promise<Head | undefined> {
  const format = FORMATS.find(({ name }) => name === wire.format);
  if (slimming === undefined || before?.at === undefined || format === undefined) return undefined;
  if (now() - before.at <= (body.bytes.includes('"ttl":"1h"') ? COLD_LONG_MS : COLD_MS)) return undefined;
  const link = body.chain.at(-1) as string;
  const { sessionId = before.sessionId, step = 0, hidden = 0 } = head ?? {};
  const place = slimSession({ sessionId, link });
  const slimmed = await slim(messagesOf(body, head), format, place, slimming).catch(() => undefined);
  if (slimmed === undefined) return undefined;
  const pieces = piecesOf(slimmed.messages, body);
  const next: Head = { covers: body.messages.length, link, sessionId, step, pieces, hidden };
  // Other processes slim for themselves where it could not be written.
  await heads.add(next, body).catch(() => undefined);
  return next;
}

// A token is a byte at least: a list whose bytes are fewer than the tokens at which anything would be done need not be
// counted, nor one that was counted before and has grown by few enough; unless the provider counted more, as it does for
// what is only named in it, by an address or a file's id.

function mayBeDue({ body, head, request, limits, before }: Candidate): boolean {
  if (request.isRefused === true) return true;
  const { window, reserved, policy } = limits;
  if (window === undefined) return false;
  const { triggerPct, triggerTokens, preparePct = triggerPct, prepareTokens = triggerTokens, hardCapBuffer } = policy;
  const least = [
    ...[triggerPct * window, preparePct * window, window - reserved - hardCapBuffer],
    ...[triggerTokens, prepareTokens, policy.maxRequestBytes].filter((limit) => limit !== undefined),
  ];
  const { input, cacheRead, cacheWritten, output } = figuresOf(before?.usage ?? {});
  const bytes = sentBytes(body, head);
  const { size = { tokens: 0, bytes: 0 } } = before ?? {};
  const most = size.tokens + Math.max(0, bytes - size.bytes);
  return Math.max(Math.min(bytes, most), input + cacheRead + cacheWritten + output) > Math.min(...least);
}

interface RequestLimits {
  /** Tokens; undefined where nobody knows. */
  readonly window: number | undefined;
  /** Tokens of them that are kept for the answer. */
  readonly reserved: number;
  readonly policy: ConversationPolicy;
}

function limitsFor(
  body: RequestBody,
  { wire, window: told }: RequestToCompact,
  config: ConversationConfig,
): RequestLimits {
  const resolved = resolveForModel(config, modelOf(body));
  const window = told ?? windowOf(resolved);
  const wished = window === undefined ? 0 : outputTokens(body, wire, window);
  const reserved = Math.max(resolved.reservedOutputTokens ?? 0, wished);
  return { window, reserved, policy: { ...DEFAULT_POLICY, ...resolved.policy } };
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
  readonly limits: RequestLimits;
  readonly isBinding: boolean;
  /** What is known of the list that it goes on from. */
  readonly before: Sent | undefined;
}

async function compactIfDue(candidate: Candidate, { manager, heads }: RequestCompactionParts): Promise<Composed> {
  const { body, head, request, limits } = candidate;
  const { wire, isRefused = false, signal } = request;
  const model = modelOf(body);
  const list = messagesOf(body, head);
  const options = withoutUndefined({
    format: wire.format,
    system: wire.system === undefined ? undefined : (fieldOf(body, wire.system) ?? undefined),
    tools: Array.isArray(fieldOf(body, "tools")) ? asArray(fieldOf(body, "tools")) : undefined,
    model,
    maxContextTokens: request.window,
    reservedOutputTokens: limits.reserved > 0 ? limits.reserved : undefined,
    usage: candidate.before?.usage,
    signal,
    ...(isRefused ? { isAutomatic: true } : { ifNeeded: true }),
  });
  let sessionId = candidate.sessionId;
  try {
    sessionId = await sessionOf(candidate, manager);
    const named = sessionId;
    const { messages, report } = await inTheirName(request, model, () => compacted(manager, named, list, options));
    const isSame = messages.length === list.length && messages.every((message, at) => message === list[at]);
    const size = { tokens: report.tokens_after, bytes: sentBytes(body, head) };
    if (report.status === "skipped" || isSame) return { ...replayed(body, head, wire), sessionId, size };
    const next: Head = {
      covers: body.messages.length,
      link: body.chain.at(-1) as string,
      sessionId,
      step: (await manager.status(sessionId)).step,
      pieces: piecesOf(candidate.isBinding ? messages.flatMap(withoutThinking) : messages, body),
      hidden: (head?.hidden ?? 0) + report.tokens_before - report.tokens_after,
    };
    const warning = await heads.add(next, body).then(
      () => undefined,
      (error: unknown) => `what was compacted could not be kept for other processes: ${error}`,
    );
    return {
      bytes: replay(body, next, wire),
      outcome: "compacted",
      hidden: next.hidden,
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

/** As it would be sent, but without thinking; passed where there is none. */
async function unbound({ body, head, request, sessionId }: Candidate, { heads }: RequestCompactionParts) {
  const list = messagesOf(body, head);
  const bare = list.flatMap(withoutThinking);
  if (bare.length === list.length && bare.every((message, at) => message === list[at])) return PASSED;
  const { step = 0, hidden = 0 } = head ?? {};
  const link = body.chain.at(-1) as string;
  const next: Head = { covers: body.messages.length, link, sessionId, step, pieces: piecesOf(bare, body), hidden };
  // Another process is refused, too, where it could not be written.
  await heads.add(next, body).catch(() => undefined);
  return replayed(body, next, request.wire);
}

/** Room for the answer gives way where nothing else can: an answer that is cut is better than none. */
async function compacted(
  manager: CompactManager,
  sessionId: string,
  list: readonly JsonObject[],
  options: NonNullable<Parameters<CompactManager["compact"]>[2]>,
): ReturnType<CompactManager["compact"]> {
  try {
    return await manager.compact(sessionId, list, options);
  } catch (error) {
    const isTooLittle = CompactError.isInstance(error) && error.kind === "InsufficientBudget";
    if (!isTooLittle || options.reservedOutputTokens === undefined) throw error;
    const { reservedOutputTokens: _, ...others } = options;
    return await manager.compact(sessionId, list, others);
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

function replayed(body: RequestBody, head: Head | undefined, wire: ListRequest): Composed {
  if (head === undefined) return PASSED;
  return {
    bytes: replay(body, head, wire),
    outcome: "replayed",
    sessionId: head.sessionId,
    step: head.step,
    hidden: head.hidden,
  };
}
