// The identifiers of a conversation: how many messages name each, where last, and the words around it. What an
// identifier is stands in ../identifiers/.
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import type { FactCall, FactMessage } from "../fact-message.ts";
import { contextLine } from "../identifiers/context-line.ts";
import { findIdentifiers, findIdentifiersStepwise } from "../identifiers/find-identifiers.ts";
import { findHandles, isFinished } from "../identifiers/handles.ts";
import type { Scope } from "../identifiers/identifier.ts";
import type { IdentifierFact, Source } from "../ledger.ts";

export { findIdentifiers } from "../identifiers/find-identifiers.ts";

/** Arguments up to this length are words of the assistant (a command, a query); longer ones are files being written. */
const SAID_UNITS = 600;
const LABEL_KEYS = ["description", "label", "title", "name", "command", "cmd", "prompt", "task"];

interface Named {
  readonly form: IdentifierFact["form"];
  readonly context?: string | undefined;
}

/** However often a message names an identifier, it is one mention. */
export function extractIdentifiers(messages: readonly FactMessage[]): readonly IdentifierFact[] {
  return runThrough(extractIdentifiersStepwise(messages));
}

export function* extractIdentifiersStepwise(messages: readonly FactMessage[]): Stepwise<readonly IdentifierFact[]> {
  const known = new Map<string, IdentifierFact>();
  const labels = new Map<string, string>();
  for (const message of messages) {
    for (const call of message.calls) rememberLabel(call, labels);
    for (const [value, named] of yield* namedIn(message, known, labels)) {
      known.set(value, counted(value, named, known.get(value), message.source));
    }
    yield;
  }
  return [...known.values()];
}

/** Mentions add up; the first words about it stay; handles follow their status, and go when they have ended. */
export function mergeIdentifiers(
  earlier: readonly IdentifierFact[],
  later: readonly IdentifierFact[],
): readonly IdentifierFact[] {
  const known = new Map<string, IdentifierFact>(earlier.map((fact) => [fact.value, fact]));
  for (const fact of later) {
    const before = known.get(fact.value);
    const merged = counted(fact.value, fact, before, fact.source);
    known.set(fact.value, { ...merged, mentions: fact.mentions + (before?.mentions ?? 0) });
  }
  return [...known.values()].flatMap(withoutFinished);
}

function* namedIn(
  message: FactMessage,
  known: ReadonlyMap<string, IdentifierFact>,
  labels: ReadonlyMap<string, string>,
): Stepwise<ReadonlyMap<string, Named>> {
  const named = new Map<string, Named>();
  const read = function* (text: string, scope: Scope): Stepwise<void> {
    for (const { form, value, index } of yield* findIdentifiersStepwise(text, scope)) {
      const isTold = named.get(value)?.context !== undefined || known.get(value)?.context !== undefined;
      const context = scope === "spoken" && !isTold ? contextLine(text, index, value) : undefined;
      if (context !== undefined || !named.has(value)) named.set(value, { form, context });
    }
  };
  for (const { author, text } of message.spoken)
    yield* read(text, author === "user" || author === "assistant" ? "spoken" : "document");
  for (const { texts } of message.calls)
    for (const text of texts) yield* read(text, isSaid(text) ? "spoken" : "document");
  for (const { callId, text } of message.results) {
    yield* read(text, "document");
    for (const { value, context } of findHandles(text, labels.get(callId)))
      named.set(value, { form: "handle", context });
  }
  for (const thought of message.thoughts) yield* read(thought, "document");
  return named;
}

function isSaid(text: string): boolean {
  return text.length <= SAID_UNITS;
}

function rememberLabel({ callId, input }: FactCall, labels: Map<string, string>): void {
  for (const key of LABEL_KEYS) {
    const label = input?.[key];
    if (typeof label !== "string" || label.trim() === "") continue;
    labels.set(callId, label);
    return;
  }
}

function counted(value: string, named: Named, before: IdentifierFact | undefined, source: Source): IdentifierFact {
  const isHandle = named.form === "handle" || before?.form === "handle";
  const context = isHandle ? handleContext(named, before) : (before?.context ?? named.context);
  return {
    kind: "identifier",
    form: isHandle ? "handle" : (before?.form ?? named.form),
    value,
    mentions: (before?.mentions ?? 0) + 1,
    ...(context === undefined ? {} : { context }),
    source,
  };
}

/** The newest words about a handle, but a mention without a status does not take the status away. */
function handleContext(named: Named, before: IdentifierFact | undefined): string | undefined {
  if (named.form !== "handle") return before?.context;
  const isNews = before?.form !== "handle" || named.context?.includes("status: ");
  return isNews ? named.context : before.context;
}

/** What looks like a hash or a path stays one when the handle it was has ended. */
function withoutFinished(fact: IdentifierFact): readonly IdentifierFact[] {
  if (fact.form !== "handle" || !isFinished(fact.context)) return [fact];
  const plain = findIdentifiers(fact.value).find(({ value }) => value === fact.value);
  if (plain === undefined) return [];
  const { context: _ended, ...rest } = fact;
  return [{ ...rest, form: plain.form }];
}
