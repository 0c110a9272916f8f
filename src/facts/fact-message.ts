// A message as the extractors read it: redacted once, who said what apart from what tools were asked and said.
import type { MessagePart, MessageView } from "../providers/format.ts";
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
  /** Readable reasoning: it names things, but decides and reports nothing. */
  readonly thoughts: readonly string[];
}

/** `redact` is applied to every text before anything is read from it, so no fact holds a secret. */
export function readFactMessage({ view, source }: FactInput, redact: (text: string) => string): FactMessage {
  const spoken: SpokenText[] = [];
  const calls: FactCall[] = [];
  const results: FactResult[] = [];
  const thoughts: string[] = [];
  for (const part of view.parts) {
    if (part.kind === "text" && part.text.trim() !== "")
      spoken.push({ author: authorOf(view, part), text: redact(part.text) });
    else if (part.kind === "opaque" && part.words !== undefined)
      spoken.push({ author: "host", text: redact(part.words) });
    else if (part.kind === "thinking") thoughts.push(redact(part.text));
    else if (part.kind === "call") calls.push(readCall(part.callId, redact(part.name), redact(part.arguments)));
    else if (part.kind === "result") {
      const pieces = part.pieces === undefined ? {} : { pieces: part.pieces.map(redact) };
      results.push({ callId: part.callId, text: redact(part.text), isError: part.isError, ...pieces });
    }
  }
  return { source, spoken, calls, results, thoughts };
}

/** What a host puts in the user's place: a command that was typed to it, what that printed, a reminder. Words that came with the command are the user's. */
const HOSTS_OWN =
  /^\s{0,20}<(?:command-(?:name|message)|local-command-[a-z]{1,20}|bash-std[a-z]{1,10}|system-reminder)>/u;
const TYPED_WORDS = /<command-args>\s*[^<\s]/u;

function isHostsOwn(text: string): boolean {
  return HOSTS_OWN.test(text) && !TYPED_WORDS.test(text);
}

function authorOf(
  { role, isHostWritten }: MessageView,
  part: Extract<MessagePart, { kind: "text" }>,
): SpokenText["author"] {
  if (role === "user") return isHostWritten || part.isHostWritten || isHostsOwn(part.text) ? "host" : "user";
  if (role === "system" || role === "developer") return "system";
  return role === "assistant" ? "assistant" : "host";
}

function readCall(callId: string, name: string, json: string): FactCall {
  try {
    return callOf(callId, name, JSON.parse(json));
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
