// The archive's two tools in the conversations of an agent that has none for it: offered beside the agent's own, and answered
// here (own-answer.ts). The client never sees such a call, so on each later request it is put back where it stood, with what it
// gave: the provider gets what it wrote, in its order, since it refuses thinking of two answers in one message and reasoning
// without what followed it; and the model still has what it looked up.
import type { Archive } from "../archive/archive.ts";
import { CompactError } from "../errors.ts";
import { callTool, listedSchema } from "../mcp/call-tool.ts";
import { loosenMessage } from "../mcp/read-arguments.ts";
import type { Tool, ToolContext } from "../mcp/tool.ts";
import { toolsOf } from "../mcp/tool-groups.ts";
import type { ListRequest } from "../providers/list-requests.ts";
import { sha256 } from "../storage/sha256.ts";
import { asArray, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import {
  ANSWER_SHAPES,
  type AnswerShape,
  type CallResult,
  type Extent,
  lettersOf,
  type Part,
  type PartCall,
} from "./answer-shapes.ts";
import { isHeldElsewhere, slimSession } from "./compact-request.ts";
import type { Head } from "./heads.ts";
import type { KeptFiles } from "./kept-files.ts";
import { createBodies, fieldOf, type RequestBody } from "./request-body.ts";

export interface OwnToolsParts {
  readonly archive: Archive;
  /** What clients did not see of their answers. */
  readonly files: KeptFiles;
  /** Exact o200k tokens. */
  readonly count: (text: string) => number;
  readonly log: (line: string) => void;
}

export interface OwnTools {
  /** Undefined for a request that gets no tools, and is sent as it came. Never throws. */
  open(wire: ListRequest, bytes: Buffer): Promise<OwnRequest | undefined>;
}

export interface OwnRequest {
  readonly shape: AnswerShape;
  /** The request with the tools, and with what was looked up for earlier answers. */
  readonly bytes: Buffer;
  /** The same, and these behind its messages. */
  withMore(messages: readonly JsonObject[]): Buffer;
  isOwn(part: Part): boolean;
  /** `past`: what was compacted of this conversation. */
  run(call: PartCall, past: readonly Head[]): Promise<CallResult>;
  /** `shown`: the messages of the answer that the client gets. */
  keep(shown: readonly JsonObject[], unseen: Unseen): Promise<void>;
}

/** One answer of the provider's: how much of it the client saw, and what it did not see. */
export interface Lookup {
  readonly extent: Extent;
  /** `at`: its place among the answer's parts. */
  readonly calls: readonly { readonly at: number; readonly part: Part }[];
  readonly results: readonly CallResult[];
}

/** What a client did not see of the one answer that it got. */
export interface Unseen {
  readonly lookups: readonly Lookup[];
  /** The last of them was made beside calls of the client's, whose results come with the next request. */
  readonly isOpen: boolean;
}

/** Of a result, where the call does not say. It stays in the conversation. */
const MOST_TOKENS = 2_000;
const NOTHING_LEFT = "Nothing has left this conversation yet: all of it is before you.";

export async function createOwnTools({ archive, files, count, log }: OwnToolsParts): Promise<OwnTools> {
  const tools = new Map((await toolsOf(["archive"], "core")).map((tool) => [tool.name, tool]));
  const bodies = createBodies();

  const requestOf = async (body: RequestBody, shape: AnswerShape): Promise<OwnRequest> => {
    const { bytes, list, chain, messages } = body;
    const offered = [...tools.values()].map((tool) => `,${toJson(shape.offer(offerOf(tool)))}`).join("");
    const toolsEnd = (body.fields.get("tools")?.end ?? 0) - 1;
    const cuts = [{ start: toolsEnd, end: toolsEnd, text: offered }, ...(await putBack(body, shape, files))];
    return {
      shape,
      bytes: spliced(bytes, cuts),
      withMore(more) {
        const text = more.map((message) => `,${toJson(message)}`).join("");
        return spliced(bytes, [...cuts, { start: list.end - 1, end: list.end - 1, text }]);
      },
      isOwn: (part) => tools.has(shape.call(part)?.name ?? ""),
      async run({ id, name, input }, past) {
        const tool = tools.get(name);
        if (tool === undefined || past.length === 0) return { id, text: NOTHING_LEFT, isError: false };
        const given = loosenMessage({ method: "tools/call", params: { name, arguments: input } });
        const context = contextOf(pastOf(archive, past), count);
        const { content, isError = false } = await callTool(tool, argumentsOf(given), context, log);
        return { id, text: content.map((block) => (block.type === "text" ? block.text : "")).join("\n"), isError };
      },
      async keep(shown, unseen) {
        const key = keyOf(shown, messages.length, shape);
        await files
          .write(chain[0] ?? "", key, unseen)
          .catch((error: unknown) => log(`What was looked up could not be kept for later requests: ${error}`));
      },
    };
  };

  return {
    async open(wire, bytes) {
      const shape = ANSWER_SHAPES[wire.format];
      try {
        const body = bodies.read(bytes, wire);
        if (body === undefined || body.places.length === 0 || isHeldElsewhere(body, wire)) return undefined;
        const names = asArray(fieldOf(body, "tools")).map((tool) => (isObject(tool) ? shape.nameOf(tool) : undefined));
        const isTaken = names.some((name) => tools.has(String(name)));
        if (names.length === 0 || isTaken || !shape.mayOffer((name) => fieldOf(body, name))) return undefined;
        return await requestOf(body, shape);
      } catch (error) {
        log(`A request was sent without the archive's tools: ${error}`);
        return undefined;
      }
    },
  };
}

function offerOf({ name, description, params }: Tool) {
  return { name, description, schema: listedSchema(params, "input") };
}

function argumentsOf(message: unknown): unknown {
  return isObject(message) && isObject(message.params) ? message.params.arguments : undefined;
}

function contextOf(archive: Archive, count: (text: string) => number): ToolContext {
  const store = () => Promise.reject(new Error("The proxy has no store of observations."));
  return { store, archive: async () => archive, now: Date.now, count, maxTokens: MOST_TOKENS };
}

/**
 * The archive as far as it is of this conversation: of each of its sessions the steps up to the last that it goes on from, and what
 * slimming shortened.
 */
function pastOf({ words: _, ...archive }: Archive, past: readonly Head[]): Archive {
  const last = new Map<string, number>();
  for (const head of past) {
    last.set(head.sessionId, Math.max(head.step, last.get(head.sessionId) ?? 0));
    last.set(slimSession(head), 1);
  }
  const isPast = (sessionId: string, step: number) => step <= (last.get(sessionId) ?? 0);
  return {
    ...archive,
    sessions: async () => (await archive.sessions()).filter((each) => isPast(each, 1)),
    steps: async (sessionId) => (await archive.steps(sessionId)).filter(({ step }) => isPast(sessionId, step)),
    async readTranscript(sessionId, step, options) {
      if (isPast(sessionId, step)) return archive.readTranscript(sessionId, step, options);
      throw new CompactError("NotFound", `Step ${step} is none of this conversation.`, { code: "STEP_NOT_FOUND" });
    },
    async stored(sessionId, mayHold) {
      const texts = await archive.stored?.(sessionId, mayHold);
      return texts === undefined ? undefined : only(texts, ({ step }) => isPast(sessionId, step));
    },
  };
}

async function* only<Item>(items: AsyncIterable<Item>, isIn: (item: Item) => boolean): AsyncGenerator<Item> {
  for await (const item of items) if (isIn(item)) yield item;
}

// What stands in the place of some bytes.

interface Cut {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function spliced(bytes: Buffer, cuts: readonly Cut[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of cuts.toSorted((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

// An answer is known by what was said in it: by its calls, or, without one, by its place as well.

function keyOf(answer: readonly JsonObject[], at: number, { format }: AnswerShape): string {
  const parts = answer.flatMap((message) => format.view(message).parts);
  const text = parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
  const ids = parts.flatMap((part) => (part.kind === "call" ? [part.callId] : []));
  return sha256(toJson([lettersOf(text), ...(ids.length > 0 ? ids : [at])])).slice(0, 32);
}

async function putBack(body: RequestBody, shape: AnswerShape, files: KeptFiles): Promise<readonly Cut[]> {
  const { bytes, chain, messages, places } = body;
  const [first = ""] = chain;
  const left = new Set(files.names(first));
  const placeOf = (index: number) => places[index] as { start: number; end: number };
  const cuts: Cut[] = [];
  for (let at = 0; at < messages.length && left.size > 0; at++) {
    const end = answerEnd(messages, at, shape);
    const key = keyOf(messages.slice(at, end), at, shape);
    // One that calls with the same name each time may have answered twice in the same words.
    const kept = end > at && left.delete(key) ? await files.read(first, key) : undefined;
    if (kept !== undefined) {
      // As they came, with marks for the cache.
      const raw = places.slice(at, end + 1).map((place) => JSON.parse(bytes.toString("utf8", place.start, place.end)));
      const whole = wholeAnswer(raw.slice(0, end - at), raw[end - at], kept as Unseen, shape);
      if (whole !== undefined)
        cuts.push({
          start: placeOf(at).start,
          end: placeOf(whole.isWithNext ? end : end - 1).end,
          text: whole.messages.map((message) => toJson(message)).join(","),
        });
    }
    at = Math.max(at, end - 1);
  }
  return cuts;
}

/** Behind the last message of the answer that begins here; `at` where none does. */
function answerEnd(messages: readonly JsonObject[], at: number, { format }: AnswerShape): number {
  if (format.view(messages[at]).role !== "assistant") return at;
  for (let end = at + 1; end < messages.length; end++) {
    const { role, joinsStep = false } = format.view(messages[end]);
    if (role !== "assistant" || !joinsStep) return end;
  }
  return messages.length;
}

interface WholeAnswer {
  readonly messages: readonly JsonObject[];
  /** The message behind the answer is among them. */
  readonly isWithNext: boolean;
}

/** What the provider said, of what the client says that it did. Undefined where the one is not in the other. */
function wholeAnswer(
  said: readonly JsonObject[],
  next: JsonObject | undefined,
  { lookups, isOpen }: Unseen,
  shape: AnswerShape,
): WholeAnswer | undefined {
  const parts = shape.parts(said);
  const closed = isOpen ? lookups.slice(0, -1) : lookups;
  const pieces = shape.split(
    parts,
    closed.map(({ extent }) => extent),
  );
  if (pieces === undefined) return undefined;
  const withCalls = (piece: readonly Part[], { calls }: Lookup) => {
    const all = [...piece];
    for (const { at, part } of calls) all.splice(at, 0, shape.beside?.(part, parts) ?? part);
    return shape.messages(all);
  };
  const before = closed.flatMap((lookup, index) => [
    ...withCalls(pieces[index] ?? [], lookup),
    ...shape.results(lookup.results),
  ]);
  const rest = pieces.at(-1) ?? [];
  const open = isOpen ? lookups.at(-1) : undefined;
  const isAnswered = shape.format.view(next).parts.some(({ kind }) => kind === "result");
  if (open === undefined || next === undefined || !isAnswered)
    return { messages: [...before, ...shape.messages(rest)], isWithNext: false };
  const results = shape.withResults(open.results, next);
  return { messages: [...before, ...withCalls(rest, open), ...results], isWithNext: true };
}
