// One call of a provider over HTTP, from request to answer: repeats it without a parameter that the provider refuses,
// and turns every other failure into its code. How requests and answers look is the adapter's.
import type { CompactError } from "../../errors.ts";
import type { JsonObject } from "../../formats/json-shape.ts";
import { modelFailure } from "../failures/model-failure.ts";
import { isAboutLength, type ProviderWords, readProviderWords } from "../failures/provider-words.ts";
import { codeOfStatus, hintForFailure, WRONG_PLACE_HINT } from "../failures/status-failure.ts";
import { asObject } from "../json-object.ts";
import type { ModelAnswer, ModelFailureCode } from "../model.ts";
import type { Endpoint } from "./endpoint.ts";
import { type JsonReply, postJson } from "./post-json.ts";
import { type Refusable, refusedParameter } from "./refused-parameters.ts";
import { retryAfterOf } from "./retry-after.ts";

export interface Provider {
  readonly model: string;
  readonly endpoint: Endpoint;
  /** Environment variable of the key, for hints. */
  readonly keyName: string;
  /** Never shown, whatever a provider answers. */
  readonly key: string | undefined;
  readonly refusable: readonly Refusable[];
  /** What this provider was found to refuse; filled here, lives as long as the model. */
  readonly refused: Set<Refusable>;
  /** Undefined when the body has not the shape of an answer. */
  readonly readAnswer: (body: JsonObject) => ModelAnswer | undefined;
  /** The provider's name for what it should have answered: "chat completion". */
  readonly answerName: string;
}

/** `writeBody` gets the parameters to leave out. Throws as `Model.complete` does. */
export async function askProvider(
  provider: Provider,
  writeBody: (refused: ReadonlySet<Refusable>) => unknown,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer> {
  signal?.throwIfAborted();
  const refused = new Set(provider.refused);
  for (;;) {
    const reply = await postJson(provider.endpoint, JSON.stringify(writeBody(refused)), signal);
    const said = readProviderWords(reply.body, reply.raw);
    const candidates = provider.refusable.filter((name) => !refused.has(name));
    const parameter = isAboutLength(said.words) ? undefined : refusedParameter(reply.status, said.words, candidates);
    if (parameter === undefined) return readReply(provider, reply, said, refused);
    refused.add(parameter);
  }
}

function readReply(
  provider: Provider,
  reply: JsonReply,
  said: ProviderWords,
  refused: ReadonlySet<Refusable>,
): ModelAnswer {
  const code = codeOfStatus(reply.status, said.words);
  if (code !== undefined) throw statusFailure(provider, reply, said, code, reply.status);
  if (reply.body === undefined) throw noJson(provider, reply);
  const answer = provider.readAnswer(asObject(reply.body));
  if (answer === undefined) throw noAnswer(provider, reply, said);
  // Only now is it known that leaving them out was right.
  for (const name of refused) provider.refused.add(name);
  return answer;
}

function statusFailure(
  provider: Provider,
  reply: JsonReply,
  said: ProviderWords,
  code: ModelFailureCode,
  status: number,
): CompactError {
  const reason = isOfKey(said.reason, provider.key) ? undefined : said.reason;
  const seen = reason === undefined ? `${status}` : `${status} ${reason}`;
  return modelFailure(code, `${describe(provider)} failed (${seen})`, {
    status,
    reason,
    hint: hintForFailure(code, { status, words: said.words, keyName: provider.keyName }),
    retryAfterMs: retryAfterOf(reply.headers, Date.now),
  });
}

/** The key, or a piece of it: some servers say which key they refuse by its beginning. */
function isOfKey(reason: string | undefined, key: string | undefined): boolean {
  return reason !== undefined && key !== undefined && (reason.includes(key) || key.includes(reason));
}

/** A gateway page or an event stream will come again; anything else is taken for an answer that broke off. */
function noJson(provider: Provider, reply: JsonReply): CompactError {
  const type = reply.headers.get("content-type") ?? "";
  const isOther = /^\s{0,4}text\/(?:html|event-stream)\b/i.test(type);
  const what = `${describe(provider)} answered no JSON`;
  return modelFailure(isOther ? "MODEL_REJECTED" : "MODEL_UNAVAILABLE", what, {
    status: reply.status,
    hint: isOther ? WRONG_PLACE_HINT : "The answer may have broken off; check proxies on the way.",
  });
}

/** Some gateways report a failure of the provider behind them with status 200: `{error: {code: 502}}`. */
function noAnswer(provider: Provider, reply: JsonReply, said: ProviderWords): CompactError {
  const { error } = asObject(reply.body);
  if (error !== undefined && error !== null) {
    const status = Number(asObject(error).code);
    const known = Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502;
    return statusFailure(provider, reply, said, codeOfStatus(known, said.words) ?? "MODEL_UNAVAILABLE", known);
  }
  return modelFailure("MODEL_REJECTED", `${describe(provider)} answered JSON that is no ${provider.answerName}`, {
    status: reply.status,
    hint: WRONG_PLACE_HINT,
  });
}

function describe(provider: Provider): string {
  return `The model "${provider.model}" at ${provider.endpoint.origin}`;
}
