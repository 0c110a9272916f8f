// One answer to the client out of several of the provider's: while the model calls only the archive's tools, their results go back
// to it and it goes on, and the client sees neither.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Transform } from "node:stream";
import { asText, isObject, type JsonObject, toJson, withoutUndefined } from "../text/json-values.ts";
import type { Part } from "./answer-shapes.ts";
import {
  type AnswerStream,
  createAnswerStream,
  createChatReader,
  createMessagesReader,
  createResponsesReader,
  type Ending,
  eventBytes,
  readEvents,
} from "./answer-stream.ts";
import type { Composed } from "./compact-request.ts";
import { passWritten, type RawHeaders } from "./forward.ts";
import type { Refusal } from "./overflow.ts";
import type { Lookup, OwnRequest } from "./own-tools.ts";
import { createUsageReader, decoderOf } from "./usage.ts";

/** What a provider said to a request as it was sent. */
export interface Answered {
  readonly answer: IncomingMessage;
  readonly composed: Composed;
  /** Where it is one: the answer was read. */
  readonly refusal?: Refusal;
}

export interface OwnExchange {
  readonly request: OwnRequest;
  readonly first: Answered;
  readonly response: ServerResponse;
  /** Our own headers. */
  readonly headers: RawHeaders;
  /** What the answer goes through in the end. */
  readonly edit?: Transform | undefined;
  ask(bytes: Buffer): Promise<Answered>;
  /** Of every answer, with what the provider says that it took. */
  took(answered: Answered, usage: JsonObject | undefined): void;
}

/** Answers with calls of ours that are answered and asked on from; one more is told to stop, and what comes then is the end. */
const MOST_LOOKUPS = 4;
const ENOUGH =
  "Not looked up: the archive was asked often enough for one answer. Go on with what you have, and without these tools for now.";

/** For an answer of status 200. Rejects where the provider cannot be asked on and nothing has gone to the client. */
export async function passOwnAnswer(exchange: OwnExchange): Promise<void> {
  const isStream = String(exchange.first.answer.headers["content-type"]).includes("text/event-stream");
  if (!isStream) return passWhole(exchange);
  const { first, response, headers, edit } = exchange;
  await passWritten(first.answer, response, headers, streamed(exchange), edit);
}

async function passWhole(exchange: OwnExchange): Promise<void> {
  const { response, headers, first, edit } = exchange;
  const turn = createTurn(exchange);
  for (let answered = first; ; ) {
    const { bytes, usage } = await readAnswer(answered);
    const said = parsed(bytes);
    const next = said === undefined ? undefined : await turn.next(answered, said, usage);
    if (next !== undefined) {
      answered = await exchange.ask(next);
      if (isAnswer(answered)) continue;
      // Nothing has gone to the client yet: it may ask again as for any failure.
      if (answered.refusal !== undefined) return answered.refusal.passBack(response, headers);
      return passWritten(answered.answer, response, headers, plainBody(answered.answer));
    }
    const whole = said === undefined ? undefined : turn.whole(said);
    return passWritten(
      first.answer,
      response,
      headers,
      [whole === undefined ? bytes : Buffer.from(toJson(whole))],
      edit,
    );
  }
}

async function* streamed(exchange: OwnExchange): AsyncGenerator<Buffer> {
  const { request, first } = exchange;
  const turn = createTurn(exchange);
  const stream = streamOf(request);
  for (let answered = first; ; ) {
    const usage = createUsageReader({ "content-type": "text/event-stream" });
    for await (const event of readEvents(plainBody(answered.answer))) {
      usage.write(event.bytes);
      yield* stream.take(event);
    }
    const next = await turn.next(answered, stream.answer(), await usage.end());
    if (next === undefined) return yield* stream.end(turn.ending());
    answered = await exchange.ask(next);
    if (!isAnswer(answered)) return yield eventBytes(await failureOf(answered));
    stream.next();
  }
}

function streamOf({ shape, isOwn }: OwnRequest): AnswerStream {
  const readers = {
    anthropic: createMessagesReader,
    "openai-chat": createChatReader,
    "openai-responses": createResponsesReader,
  };
  return createAnswerStream(readers[shape.format.name as keyof typeof readers](isOwn));
}

function isAnswer({ answer, refusal }: Answered): boolean {
  return answer.statusCode === 200 && refusal === undefined;
}

function plainBody(answer: IncomingMessage): AsyncIterable<Buffer> {
  const decoder = decoderOf(answer.headers["content-encoding"]);
  // What ends the one ends the other, and so whoever reads.
  return decoder === undefined ? answer : pipeline(answer, decoder, () => undefined);
}

async function readAnswer({ answer }: Answered) {
  const usage = createUsageReader({});
  const chunks: Buffer[] = [];
  for await (const chunk of plainBody(answer)) {
    usage.write(chunk);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), usage: await usage.end() };
}

function parsed(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As an event of each API, in the provider's words. */
async function failureOf(answered: Answered): Promise<JsonObject> {
  const text = answered.refusal?.text ?? (await readAnswer(answered)).bytes.toString("utf8");
  const body = parsed(Buffer.from(text));
  const message = `The provider did not go on after a look into the archive (${answered.answer.statusCode}).`;
  const error = isObject(body?.error) ? body.error : { type: "api_error", message };
  return { type: "error", error, code: error.code ?? null, message: asText(error.message) || message };
}

// What the provider has said so far for one answer of the client's.

function createTurn({ request, took }: OwnExchange) {
  const { shape } = request;
  const lookups: Lookup[] = [];
  const shown: (readonly Part[])[] = [];
  const added: JsonObject[] = [];
  let first: JsonObject | undefined;
  let usage: JsonObject | undefined;
  let [isDropped, isChanged] = [false, false];

  /** The results of the calls of ours, where the model waits for them. */
  const lookUp = async (answered: Answered, parts: readonly Part[], visible: readonly Part[]): Promise<Lookup> => {
    const calls = parts.flatMap((part, at) => (request.isOwn(part) ? [{ at, part }] : []));
    const past = (await answered.composed.past?.()) ?? [];
    const results = calls
      .flatMap(({ part }) => shape.call(part) ?? [])
      .map((call) =>
        lookups.length < MOST_LOOKUPS ? request.run(call, past) : { id: call.id, text: ENOUGH, isError: true },
      );
    return { extent: shape.extent(visible), calls, results: await Promise.all(results) };
  };

  const merged = () => shape.join(shown);
  const finish = async (isOpen: boolean) => {
    if (lookups.length > 0) await request.keep(shape.messages(merged()), { lookups, isOpen });
    return undefined;
  };

  return {
    /** What to ask next; undefined when this was the last. */
    async next(answered: Answered, answer: JsonObject, used: JsonObject | undefined): Promise<Buffer | undefined> {
      took(answered, used);
      first ??= answer;
      usage = usage === undefined ? used : together(usage, used);
      const parts = shape.parts(shape.said(answer));
      const visible = parts.filter((part) => !request.isOwn(part));
      shown.push(visible);
      isChanged ||= visible.length < parts.length;
      if (visible.length === parts.length || !shape.isComplete(answer)) return finish(false);
      const messages = shape.messages(visible);
      const isMixed = messages.some((each) => shape.format.view(each).parts.some(({ kind }) => kind === "call"));
      isDropped = !isMixed && lookups.length > MOST_LOOKUPS;
      const lookup = await lookUp(answered, parts, visible);
      lookups.push(lookup);
      if (isMixed || isDropped) return finish(isMixed);
      added.push(...shape.messages(shape.sendable(parts)), ...shape.results(lookup.results));
      return request.withMore(added);
    },
    /** Of a stream. */
    ending: (): Ending => ({ usage, parts: merged(), isDropped }),
    /** Of an answer that is one object, `last` being the provider's last; undefined where the client may have that as it came. */
    whole(last: JsonObject): JsonObject | undefined {
      if (!isChanged) return undefined;
      const named = withoutUndefined({ id: first?.id, created: first?.created, created_at: first?.created_at, usage });
      return shape.withParts({ ...last, ...named }, merged(), isDropped);
    },
  };
}

const OUTPUTS = ["output_tokens", "completion_tokens"];

/**
 * The prompt of the later one, which is what the agent's window holds by then, and what was written in both: a sum of prompts
 * would make an agent compact that has half of its window free.
 */
function together(first: JsonObject, second: JsonObject | undefined): JsonObject {
  const later = Object.fromEntries(Object.entries(second ?? {}).filter(([, value]) => value !== null));
  const written = OUTPUTS.map((name) => first[name]).find((figure) => typeof figure === "number") ?? 0;
  const counted = [...OUTPUTS, "total_tokens"].filter((name) => typeof later[name] === "number");
  return {
    ...first,
    ...later,
    ...Object.fromEntries(counted.map((name) => [name, Number(later[name]) + Number(written)])),
  };
}
