// A message as the extractors read it: redacted once, who said what apart from what tools were asked and said.
import { cutWords } from "../language/sentences.ts";
import { describeMedia, type Media } from "../providers/attachments.ts";
import type { MessagePart, MessageView, ProviderStep } from "../providers/format.ts";
import { isFramed } from "../providers/place.ts";
import { parseJson } from "../text/parse-json.ts";
import { flat } from "../text/quote.ts";
import type { Source } from "./ledger.ts";

/** A message to take facts from. */
export interface FactInput {
  readonly view: MessageView;
  readonly source: Source;
}

export interface SpokenText {
  /** `host`: in a user message, but no person said it: a reminder of the program, a document that was attached. */
  readonly author: "user" | "host" | "assistant" | "system";
  readonly text: string;
}

export interface FactCall {
  readonly callId: string;
  readonly name: string;
  /** The arguments as an object; undefined when they are no JSON object. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  /** The strings of the arguments, unescaped, in order; the raw text when they are no JSON. */
  readonly texts: readonly string[];
}

export interface FactResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  /** The text in the pieces in which it came, where there were several. */
  readonly pieces?: readonly string[];
}

export interface FactMessage {
  readonly source: Source;
  readonly spoken: readonly SpokenText[];
  readonly calls: readonly FactCall[];
  readonly results: readonly FactResult[];
  /** What is attached to it, a line each, and what the model declined. `isNamed`: what to know it again by. */
  readonly attached: readonly { readonly text: string; readonly isNamed: boolean }[];
  /** Readable reasoning: it names things, but decides and reports nothing. */
  readonly thoughts: readonly string[];
}

const LONGEST_REFUSAL = 200;

/** A line that only says that a result follows. */
const RESULT_LABEL = /^\s*(?:observation|output|result):[ \t]*(?:\n|$)/iu;

/** `redact` is applied to every text before anything is read from it, so no fact holds a secret. */
export function readFactMessage({ view, source }: FactInput, redact: (text: string) => string): FactMessage {
  const spoken: SpokenText[] = [];
  const calls: FactCall[] = [];
  const results: FactResult[] = [];
  const thoughts: string[] = [];
  const readStep = ({ call, result }: ProviderStep) => {
    if (call !== undefined) calls.push(readCall(call.callId, redact(call.name), redact(call.arguments)));
    if (result === undefined) return;
    const { text, pieces, ...rest } = result;
    results.push({
      ...rest,
      text: redact(text).replace(RESULT_LABEL, ""),
      ...(pieces === undefined ? {} : { pieces: pieces.map(redact) }),
    });
  };
  for (const part of view.parts) {
    if (part.kind === "text" && part.isRefusal !== true && part.text.trim() !== "")
      spoken.push({ author: authorOf(view, part), text: redact(part.text) });
    else if (part.kind === "opaque" && part.words !== undefined)
      spoken.push({ author: "host", text: redact(part.words) });
    else if (part.kind === "opaque" && part.ran !== undefined) readStep(part.ran);
    else if (part.kind === "thinking") thoughts.push(redact(part.text));
    else if (part.kind === "call") readStep({ call: part });
    else if (part.kind === "result") {
      const { callId, text, isError, pieces } = part;
      readStep({ result: { callId, text, isError, ...(pieces === undefined ? {} : { pieces }) } });
    }
  }
  return { source, spoken, calls, results, attached: view.parts.flatMap((part) => attachedIn(part, redact)), thoughts };
}

function attachedIn(part: MessagePart, redact: (text: string) => string): FactMessage["attached"] {
  const lineOf = (media: Partial<Media>, isNamed: boolean) => ({
    text: flat(redact(describeMedia(media, redact))),
    isNamed,
  });
  switch (part.kind) {
    case "text": {
      if (part.isRefusal !== true) return [];
      const words = cutWords(flat(redact(part.text)), LONGEST_REFUSAL);
      return [{ text: `refused: ${JSON.stringify(words)}`, isNamed: true }];
    }
    case "image":
      return [lineOf(part, isNamed(part))];
    case "result": {
      const images = Array.from({ length: part.images }, (_, at) => part.pictures?.[at] ?? {});
      return [...images, ...(part.media ?? [])].map((media) => lineOf(media, true));
    }
    case "opaque":
      return (part.media ?? []).map((media) => lineOf(media, part.ran !== undefined || isNamed(media)));
    default:
      return [];
  }
}

function isNamed({ name, id, url }: Partial<Media>): boolean {
  return [name, id, url].some((known) => known !== undefined);
}

/** What a host puts in the user's place: a command that was typed to it, what that printed, a reminder. Words that came with the command are the user's. */
const HOSTS_OWN =
  /^\s{0,20}<(?:command-(?:name|message)|local-command-[a-z]{1,20}|bash-std[a-z]{1,10}|system-reminder)>/u;
const TYPED_WORDS = /<command-args>\s*[^<\s]/u;

function authorOf(
  { role, isHostWritten }: MessageView,
  part: Extract<MessagePart, { kind: "text" }>,
): SpokenText["author"] {
  const isHostsOwn = HOSTS_OWN.test(part.text) && !TYPED_WORDS.test(part.text);
  // A summary of another session stands in the user's place, in words that code or a model put together.
  if (role === "user" && isFramed(part.text)) return "assistant";
  if (role === "user") return isHostWritten || part.isHostWritten || isHostsOwn ? "host" : "user";
  if (role === "system" || role === "developer") return "system";
  return role === "assistant" ? "assistant" : "host";
}

function readCall(callId: string, name: string, json: string): FactCall {
  try {
    return callOf(callId, name, parseJson(json));
  } catch {
    return { callId, name, input: undefined, texts: [json] };
  }
}

/** A call as it is read, of arguments that were read already. */
export function callOf(callId: string, name: string, input: unknown): FactCall {
  const texts: string[] = [];
  collectStrings(input, texts);
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return { callId, name, input: isObject ? (input as Record<string, unknown>) : undefined, texts };
}

/** Iterative: arguments may be nested as deep as their author likes. */
function collectStrings(value: unknown, texts: string[]): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") texts.push(next);
    else if (typeof next === "object" && next !== null) open.push(...Object.values(next).reverse());
  }
}
