// A message as the extractors read it: redacted once, who said what apart from what tools were asked and said.
import type { MessagePart, MessageView } from "../providers/format.ts";
import { isFramed } from "../providers/place.ts";
import { NAMED_ID } from "../providers/units.ts";
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
    else if (part.kind === "result")
      results.push({ callId: part.callId, text: redact(part.text), isError: part.isError });
  }
  return { source, spoken, calls, results, thoughts };
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
  const texts: string[] = [];
  try {
    const input: unknown = JSON.parse(json);
    collectStrings(input, texts);
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    return { callId, name, input: isObject ? (input as Record<string, unknown>) : undefined, texts };
  } catch {
    return { callId, name, input: undefined, texts: [json] };
  }
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

// Puts each tool call together with its result and with what the assistant said before it. Ids may repeat within
// a conversation: a result belongs to the latest call of its id that still waits for one.

export interface Execution {
  readonly call: FactCall;
  readonly source: Source;
  /** Undefined while the call is running, or when its result is not in the stretch. */
  readonly result: FactResult | undefined;
  readonly resultSource: Source | undefined;
}

type OpenExecution = { -readonly [Key in keyof Execution]: Execution[Key] };

export function readExecutions(messages: readonly FactMessage[]): readonly Execution[] {
  const executions: OpenExecution[] = [];
  /** Of the latest message that used the id; calls without ids share one. */
  const waiting = new Map<string, OpenExecution[]>();
  for (const { calls, results, source } of messages) {
    for (const result of results) {
      const execution = waiting.get(result.callId)?.find((open) => open.result === undefined);
      if (execution === undefined) continue;
      execution.result = result;
      execution.resultSource = source;
    }
    for (const call of calls) {
      const execution: OpenExecution = { call, source, result: undefined, resultSource: undefined };
      executions.push(execution);
      for (const id of new Set([call.callId, `${NAMED_ID}${call.name}`])) {
        const open = waiting.get(id);
        if (open?.[0]?.source === source) open.push(execution);
        else waiting.set(id, [execution]);
      }
    }
  }
  return executions;
}
