// One call of a provider over HTTP, from request to answer: repeats it without a parameter that the provider refuses,
// and turns every other failure into its code. How requests and answers look is the adapter's.
import { CompactError } from "../errors.ts";
import { readAddress, readCapped, readHeaders, retryAfterOf } from "../http-client.ts";
import type { JsonObject } from "../text/json-values.ts";
import { MESSAGE_LIMITS, parseJson } from "../text/parse-json.ts";
import {
  codeOfStatus,
  findNetworkFailure,
  hintForFailure,
  isAboutLength,
  modelFailure,
  type ProviderWords,
  readProviderWords,
  statedMost,
  WRONG_PLACE_HINT,
} from "./failures.ts";
import {
  asObject,
  keepingToLimit,
  type Model,
  type ModelAnswer,
  type ModelFailureCode,
  type ModelRequest,
  statedLimits,
} from "./model.ts";

export interface ProviderOptions {
  /** As the server names it: `gpt-4o-mini`, `qwen3:8b`. */
  readonly model: string;
  /** Up to and without the protocol's path; a query stays. Default: the provider's own. */
  readonly baseUrl?: string;
  /** Local servers need none. */
  readonly apiKey?: string;
  /** What hints call the key; default the provider's own variable. */
  readonly apiKeyName?: string;
  /** Sent with each request, over ours: `{"api-key": ...}` for gateways that want another header. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Tokens of input and output together; unknown when absent. */
  readonly maxContextTokens?: number;
  /** Most tokens of an answer; unknown when absent. */
  readonly maxOutputTokens?: number;
}

/** How a kind of provider is spoken to. */
export interface Protocol {
  /** As traces name it. */
  readonly provider: string;
  readonly baseUrl: string;
  /** Appended to the base URL; one that already ends in it is taken as it is. */
  readonly path: string;
  readonly headers: (key: string | undefined) => Readonly<Record<string, string>>;
  /** Environment variable of the key. */
  readonly keyName: string;
  readonly refusable: readonly Refusable[];
  /** `refused`: the parameters to leave out. */
  readonly writeRequest: (model: string, request: ModelRequest, refused: ReadonlySet<Refusable>) => unknown;
  /** Undefined when the body has not the shape of an answer. */
  readonly readAnswer: (body: JsonObject) => ModelAnswer | undefined;
  /** The provider's name for what it should have answered: "chat completion". */
  readonly answerName: string;
}

interface Provider extends Protocol {
  readonly model: string;
  readonly endpoint: Endpoint;
  /** Never shown, whatever a provider answers. */
  readonly key: string | undefined;
  /** What this provider was found to refuse; filled here, lives as long as the model. */
  readonly refused: Set<Refusable>;
}

/**
 * Sends nothing yet. A parameter that the server refuses is left out of the repeated request and, once that worked, of all
 * later ones.
 * @throws CompactError `InvalidConfig` for a base URL, key or header that cannot be used.
 */
export function createProviderModel(options: ProviderOptions, protocol: Protocol): Model {
  const { model, baseUrl = protocol.baseUrl, apiKeyName: keyName = protocol.keyName } = options;
  // Without the line end that files and shells leave on it.
  const key = options.apiKey?.trim() || undefined;
  const url = readAddress({
    url: baseUrl,
    path: protocol.path,
    what: "The base URL of the summarizer's model",
    code: "INVALID_BASE_URL",
    example: "http://localhost:11434/v1",
    credentialsHint: "Give the key as apiKey, or an authorization header in headers.",
  });
  const ours = { "content-type": "application/json", accept: "application/json", ...protocol.headers(key) };
  const headers = readHeaders("the summarizer's model", ours, options.headers ?? {});
  const endpoint = { url, headers, origin: url.origin };
  const provider: Provider = { ...protocol, model, endpoint, key, keyName, refused: new Set() };
  const { provider: vendor } = protocol;
  return keepingToLimit({
    name: model,
    provider: vendor,
    ...statedLimits(options),
    complete: (request) => askProvider(provider, request),
  });
}

/** Throws as `Model.complete` does. */
async function askProvider(provider: Provider, request: ModelRequest): Promise<ModelAnswer> {
  const { signal } = request;
  signal?.throwIfAborted();
  const refused = new Set(provider.refused);
  for (;;) {
    const body = JSON.stringify(provider.writeRequest(provider.model, request, refused));
    const reply = await postJson(provider.endpoint, body, signal);
    const said = readProviderWords(reply.body, reply.raw);
    const candidates = provider.refusable.filter((name) => !refused.has(name));
    const parameter = isAboutLength(said.words) ? undefined : refusedParameter(reply.status, said.words, candidates);
    if (parameter === undefined) return readReply(provider, reply, said, request, refused);
    refused.add(parameter);
  }
}

function readReply(
  provider: Provider,
  reply: JsonReply,
  said: ProviderWords,
  { maxTokens }: ModelRequest,
  refused: ReadonlySet<Refusable>,
): ModelAnswer {
  const code = codeOfStatus(reply.status, said.words);
  const most = REFUSING.has(reply.status) ? statedMost(said.words, maxTokens) : undefined;
  if (code !== undefined) throw statusFailure(provider, reply, said, { code, status: reply.status, most });
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
  {
    code,
    status,
    most,
  }: { readonly code: ModelFailureCode; readonly status: number; readonly most?: number | undefined },
): CompactError {
  const reason = isOfKey(said.reason, provider.key) ? undefined : said.reason;
  const seen = reason === undefined ? `${status}` : `${status} ${reason}`;
  return modelFailure(code, `${describe(provider)} failed (${seen})`, {
    status,
    reason,
    hint: hintForFailure(code, { status, words: said.words, keyName: provider.keyName }),
    retryAfterMs: retryAfterOf(reply.headers, Date.now),
    maxOutputTokens: most,
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
    const code = codeOfStatus(known, said.words) ?? "MODEL_UNAVAILABLE";
    return statusFailure(provider, reply, said, { code, status: known });
  }
  return modelFailure("MODEL_REJECTED", `${describe(provider)} answered JSON that is no ${provider.answerName}`, {
    status: reply.status,
    hint: WRONG_PLACE_HINT,
  });
}

function describe(provider: Provider): string {
  return `The model "${provider.model}" at ${provider.endpoint.origin}`;
}

// One POST of JSON with the runtime's own fetch. Decides what of the transport is a failure: broken connections,
// redirects, bodies beyond the cap.

interface JsonReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is no JSON. */
  readonly body: unknown;
  readonly raw: string;
}

const MAX_ANSWER_BYTES = 8 * 1_048_576;
/** Enough to see what an error is about. */
const MAX_ERROR_BYTES = 65_536;
const MAX_REDIRECTS = 3;

/**
 * @throws CompactError `SummarizationFailed`: `MODEL_UNAVAILABLE`, `MODEL_TIMEOUT` for the network, `MODEL_REJECTED` for a
 * redirect elsewhere or an endless body. Throws the signal's reason when it was aborted.
 */
async function postJson(endpoint: Endpoint, body: string, signal?: AbortSignal): Promise<JsonReply> {
  try {
    const response = await send(endpoint, body, signal);
    const cap = response.ok ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
    const { text, isCut } = await readCapped(response, cap);
    if (isCut && response.ok) throw tooLarge(endpoint, response.status);
    return { status: response.status, headers: response.headers, body: parse(text), raw: text };
  } catch (error) {
    signal?.throwIfAborted();
    throw readTransportError(endpoint, error);
  }
}

/** Follows redirects only where they lead to the same origin by the same method: a key is never sent elsewhere. */
async function send(endpoint: Endpoint, body: string, signal: AbortSignal | undefined): Promise<Response> {
  let url = endpoint.url;
  for (let hops = 0; ; hops++) {
    const response = await fetch(url, {
      method: "POST",
      headers: endpoint.headers,
      body,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    });
    const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    if (!isRedirect) return response;
    await response.body?.cancel().catch(() => {});
    const next = redirectTarget(url, response);
    if (next === undefined || hops === MAX_REDIRECTS) throw redirected(endpoint, response.status);
    url = next;
  }
}

function redirectTarget(from: URL, response: Response): URL | undefined {
  if (response.status !== 307 && response.status !== 308) return undefined;
  const location = response.headers.get("location") ?? "";
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return target?.origin === from.origin && target.username === "" && target.password === "" ? target : undefined;
}

function redirected(endpoint: Endpoint, status: number): CompactError {
  return modelFailure("MODEL_REJECTED", `${endpoint.origin} redirects the request elsewhere`, {
    status,
    hint: "Set the base URL to the final address (https, host, path): keys and prompts do not follow redirects.",
  });
}

function tooLarge(endpoint: Endpoint, status: number): CompactError {
  return modelFailure("MODEL_REJECTED", `The answer of ${endpoint.origin} is larger than ${MAX_ANSWER_BYTES} bytes`, {
    status,
    hint: WRONG_PLACE_HINT,
  });
}

/** Errors of the transport hold addresses at most, but nothing of them is shown except the system's code. */
function readTransportError(endpoint: Endpoint, error: unknown): unknown {
  if (CompactError.isInstance(error)) return error;
  const { code, reason } = findNetworkFailure(error) ?? { code: "MODEL_UNAVAILABLE", reason: undefined };
  const seen = reason === undefined ? "" : ` (${reason})`;
  return modelFailure(code, `No whole answer came from ${endpoint.origin}${seen}`, {
    reason,
    hint: "Check that the model's server runs there and that this machine may reach it.",
  });
}

function parse(text: string): unknown {
  try {
    return parseJson(text, MESSAGE_LIMITS);
  } catch {
    return undefined;
  }
}

// Where a provider answers and with which headers, checked once when the model is made. What is shown of it later is
// the origin only: paths, queries and headers may hold keys.

interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  /** For messages: `http://localhost:11434`. */
  readonly origin: string;
}

// Some models refuse parameters that others need: `max_tokens` (its newer name is wanted), `temperature`, `seed`. No
// list of models stays true, so the parameter is sent, and left out from then on when the provider names it in a
// refusal.

/** Parameters that an adapter can do without or rename. */
export type Refusable = "max_tokens" | "temperature" | "seed";

const REFUSING: ReadonlySet<number> = new Set([400, 422]);

// "max_tokens is too large" names the parameter as well, but another name for it would not help.
const UNSUPPORTED_PHRASES = [
  "max_completion_tokens",
  "unsupported",
  "not supported",
  "not support",
  "unrecognized",
  "unknown",
  "unexpected",
  "not permitted",
  "deprecated",
];

/** The parameter to leave out of a repeated request. Undefined when the refusal is about something else. `words` in lower case. */
function refusedParameter(status: number, words: string, candidates: readonly Refusable[]): Refusable | undefined {
  if (!REFUSING.has(status)) return undefined;
  return candidates.find((name) => namesWord(words, name) && (name !== "max_tokens" || isUnsupported(words)));
}

function isUnsupported(words: string): boolean {
  return !words.includes("too large") && UNSUPPORTED_PHRASES.some((phrase) => words.includes(phrase));
}

/** The name as a word of its own: "seed", not "seeded". */
function namesWord(words: string, name: string): boolean {
  const isPartOfWord = (character: string | undefined): boolean =>
    character !== undefined && /[a-z0-9_]/.test(character);
  for (let at = words.indexOf(name); at >= 0; at = words.indexOf(name, at + 1)) {
    if (!isPartOfWord(words[at - 1]) && !isPartOfWord(words[at + name.length])) return true;
  }
  return false;
}
