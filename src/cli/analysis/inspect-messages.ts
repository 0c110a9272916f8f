// Counts a conversation by component, by role, by tool, and finds its largest messages. Pure; says what a message
// is, never what it says.
import type { MessagePart, MessageView } from "../../formats/format.ts";
import { countRequest, type RequestTokens, sumOfRequest } from "../../tokens/breakdown.ts";
import { countView, createMessageCounter, MESSAGE_OVERHEAD } from "../../tokens/count-messages.ts";
import { counterFor } from "../../tokens/create-token-counter.ts";
import { resolveModel } from "../../tokens/models.ts";
import type { TokenCounter } from "../../tokens/token-counter.ts";
import type { KeptCounts } from "../../trace/compact-event.ts";
import type { ConversationSource } from "../input/conversation-source.ts";
import type { BudgetShare } from "./whole-ledger.ts";

export type InspectionPlan =
  | { readonly possible: false; readonly reason: string }
  | {
      readonly possible: true;
      readonly reason: string;
      readonly budget: number;
      readonly target: number;
      readonly kept: KeptCounts;
      readonly pruned_count: number;
      readonly summary_max_tokens: number;
      /** At most: the summary may be shorter, and large results may be shortened. */
      readonly expected_tokens: number;
    };

export interface LargeMessage {
  /** 1-based. */
  readonly message: number;
  readonly role: string;
  readonly tokens: number;
  readonly what: string;
}

export interface Inspection {
  readonly format: string;
  readonly messages: number;
  readonly tokens: RequestTokens & { readonly total: number };
  readonly by_role: Readonly<Record<string, { readonly messages: number; readonly tokens: number }>>;
  readonly by_tool: Readonly<Record<string, { readonly calls: number; readonly tokens: number }>>;
  readonly largest: readonly LargeMessage[];
  readonly plan: InspectionPlan;
  /** How much of the whole ledger a summary of a given size holds. */
  readonly facts: readonly BudgetShare[];
}

const MOST_LARGE = 10;

export function inspectMessages(
  source: ConversationSource,
  model: string | undefined,
): Omit<Inspection, "plan" | "facts"> {
  const { messages, format, readAs } = source;
  const views = messages.map((message) => format.view(message));
  const counter = createMessageCounter(counterFor(resolveModel(model)));
  const parts = countRequest({ messages, views, system: source.system, tools: source.tools }, counter);
  const tokens = counter.countEach(messages, views);
  const names = toolNames(views);
  return {
    format: readAs,
    messages: messages.length,
    tokens: { total: sumOfRequest(parts), ...parts },
    by_role: byRole(views, tokens),
    by_tool: byTool(views, names, counter.counter),
    largest: largestOf(views, tokens, names),
  };
}

function byRole(views: readonly MessageView[], tokens: readonly number[]): Inspection["by_role"] {
  const roles = new Map<string, { messages: number; tokens: number }>();
  for (const [index, { role }] of views.entries()) {
    const known = roles.get(role) ?? { messages: 0, tokens: 0 };
    roles.set(role, { messages: known.messages + 1, tokens: known.tokens + (tokens[index] ?? 0) });
  }
  return Object.fromEntries(roles);
}

/** Which tool each call id means at each result: ids repeat, so the latest call before the result counts. */
function toolNames(views: readonly MessageView[]): (part: MessagePart) => string {
  const latest = new Map<string, string>();
  const names = new Map<MessagePart, string>();
  for (const part of views.flatMap((view) => view.parts)) {
    if (part.kind === "call") latest.set(part.callId, part.name);
    if (part.kind === "result") names.set(part, latest.get(part.callId) ?? "(unknown)");
  }
  return (part) => (part.kind === "call" ? part.name : (names.get(part) ?? "(unknown)"));
}

function byTool(
  views: readonly MessageView[],
  nameOf: (part: MessagePart) => string,
  counter: TokenCounter,
): Inspection["by_tool"] {
  const tools = new Map<string, { calls: number; tokens: number }>();
  for (const view of views) {
    for (const part of view.parts) {
      if (part.kind !== "call" && part.kind !== "result") continue;
      const name = nameOf(part);
      const known = tools.get(name) ?? { calls: 0, tokens: 0 };
      const tokens = countView({ ...view, parts: [part] }, counter) - MESSAGE_OVERHEAD;
      tools.set(name, { calls: known.calls + (part.kind === "call" ? 1 : 0), tokens: known.tokens + tokens });
    }
  }
  return Object.fromEntries([...tools].sort(([, a], [, b]) => b.tokens - a.tokens));
}

function largestOf(
  views: readonly MessageView[],
  tokens: readonly number[],
  nameOf: (part: MessagePart) => string,
): readonly LargeMessage[] {
  const sorted = [...views.keys()].sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0)).slice(0, MOST_LARGE);
  return sorted.flatMap((index) => {
    const view = views[index];
    return view === undefined
      ? []
      : [{ message: index + 1, role: view.role, tokens: tokens[index] ?? 0, what: describeParts(view, nameOf) }];
  });
}

/** `text, call of Read, 2 x result of Bash`. */
function describeParts({ parts }: MessageView, nameOf: (part: MessagePart) => string): string {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const name = describePart(part, nameOf);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} x ${name}`)).join(", ") || "empty";
}

function describePart(part: MessagePart, nameOf: (part: MessagePart) => string): string {
  switch (part.kind) {
    case "call":
      return `call of ${nameOf(part)}`;
    case "result":
      return `${part.isError ? "error" : "result"} of ${nameOf(part)}`;
    case "image":
      return `image ${part.mediaType}`;
    case "opaque":
      return part.type;
    default:
      return part.kind;
  }
}
