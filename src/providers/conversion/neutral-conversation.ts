// A conversation in no provider's words: what all of them can say, so that each format needs one reader and one
// writer. Calls stay in the message that made them, each result is a message of its own.
import type { ReadNote } from "../../session-files/session-reader.ts";
import { plural } from "../../text/figures.ts";
import { isObject, type JsonObject } from "../../text/json-values.ts";
import { cutAt } from "../../text/quote.ts";
import type { AttachedPart } from "../attachments.ts";
import type { Conversation, MessagePart } from "../format.ts";
import { carryMarks, markHostWritten, markProtected } from "../message-marks.ts";
import type { NameRule } from "../names.ts";
import { LEGACY_ID } from "../openai-chat/messages.ts";
import { isFramed } from "../place.ts";
import { MISSING_RESULT } from "../repair.ts";
import { firstResults, type PairedCall, type Pairing, pairCalls } from "../units.ts";

export interface TextPart {
  readonly kind: "text";
  readonly text: string;
  /** No person said it, though it stands in a user's message. */
  readonly isHostWritten?: boolean;
}

export interface RefusalPart {
  readonly kind: "refusal";
  readonly text: string;
}

export type CallPart = Extract<MessagePart, { readonly kind: "call" }> & {
  /** Takes free text instead of JSON. */
  readonly isCustom: boolean;
};

export type ContentPart = TextPart | RefusalPart | AttachedPart;

export interface Content<Part = ContentPart> {
  readonly parts: readonly Part[];
  /** It was a string, not a list of parts. */
  readonly isPlain: boolean;
}

interface FromNative {
  /** The messages it was made from: marks and `meta` come from them. */
  readonly sources: readonly unknown[];
}

export interface Utterance extends Content<ContentPart | CallPart>, FromNative {
  readonly kind: "said";
  readonly role: "system" | "developer" | "user" | "assistant";
  readonly name?: string;
  readonly isHostWritten?: boolean;
  /** It stands for earlier history: the copy is marked as protected. */
  readonly mustStay?: boolean;
}

export interface ResultMessage extends Content, FromNative {
  readonly kind: "result";
  readonly callId: string;
  readonly isError: boolean;
  /** Answers a custom call. */
  readonly isCustom: boolean;
}

export type NeutralMessage = Utterance | ResultMessage;

export type NeutralTool =
  | {
      readonly kind: "function";
      readonly name: string;
      readonly description?: string;
      readonly schema?: unknown;
      readonly strict?: boolean;
    }
  | {
      readonly kind: "custom";
      readonly name: string;
      readonly description?: string;
      /** The grammar its input has to follow. */
      readonly grammar?: unknown;
    };

export interface NeutralConversation {
  readonly system: Content | undefined;
  readonly messages: readonly NeutralMessage[];
  readonly tools: readonly NeutralTool[] | undefined;
}

export interface CallIdRule extends NameRule {
  /** An id may come again once its call was answered. */
  readonly mayRepeat: boolean;
}

/** What conversion knows of a format: how it is read into neutral messages and written from them. */
export interface ConversionFormat {
  readonly callIds: CallIdRule;
  readonly toolNames: NameRule;
  read(messages: readonly unknown[], losses: Losses): readonly NeutralMessage[];
  /** Definitions of tools that stand among the messages. */
  toolsIn?(messages: readonly unknown[]): readonly unknown[];
  /** Takes a conversation whose results stand directly after their calls, under ids and names that are legal here. */
  write(
    conversation: Pick<NeutralConversation, "system" | "messages">,
    losses: Losses,
  ): Pick<Conversation, "messages" | "system">;
  writeTool(tool: NeutralTool, losses: Losses): JsonObject;
}

export function callsOf(message: NeutralMessage): readonly CallPart[] {
  return message.kind === "said" ? message.parts.filter((part) => part.kind === "call") : [];
}

// Collects what a conversion leaves out or says in another way, and reports it in one sentence for each kind.

type LossMessage = (count: number, names: readonly string[]) => string;

const OMISSIONS = {
  reasoning: (count) => `${plural(count, "passage")} of reasoning left out: only the provider that wrote it reads it`,
  sealed_history: (count) =>
    `${plural(count, "compaction")} left out, with a note in its place: only its provider can read what stood before`,
  references: (count) => `${plural(count, "reference")} to items that only the provider holds left out`,
  tool_lists: (count) => `${plural(count, "list")} of a server's tools left out`,
  citations: (count) => `the sources cited in ${plural(count, "text")} left out`,
  fields: (count, names) => `fields of ${plural(count, "message")} left out: ${listed(names)}`,
  speakers: (count) => `the name of ${plural(count, "assistant message")} left out`,
  attachments: (count) => `${plural(count, "attachment")} left out, with a note in the place of each`,
  empty_steps: (count) => `${plural(count, "step")} of the provider's own tools that said nothing left out`,
  server_tools: (_, names) => `tools of the provider's own left out: ${listed(names)}`,
  grammars: (_, names) => `the input's grammar left out of the tools ${listed(names)}`,
} satisfies Readonly<Record<string, LossMessage>>;

const REWRITINGS = {
  later_system: (count) => `${plural(count, "later system message")} became user text that is labelled as such`,
  server_steps: (count) => `${plural(count, "step")} of the provider's own tools became labelled text`,
  unreadable: (count) => `${plural(count, "message")} of no known shape became labelled text`,
  speakers_said: (count) => `the name of who speaks is said in the text of ${plural(count, "message")}`,
  moved: (count) => `${plural(count, "attachment")} moved into a user message beside the step it came with`,
  errors: (count) => `that a tool failed is said in the text of ${plural(count, "result")}`,
  custom_calls: (count) => `${plural(count, "call")} with free text as input became calls with one field, input`,
  broken_arguments: (count) => `the arguments of ${plural(count, "call")}, no JSON object, became one field, arguments`,
  custom_tools: (_, names) => `tools that take free text became tools with one field, input: ${listed(names)}`,
  call_ids: (count) => `${plural(count, "call id")} changed to one that is legal`,
  tool_names: (_, names) => `tool names changed to legal ones: ${listed(names)}`,
} satisfies Readonly<Record<string, LossMessage>>;

type Loss = keyof typeof OMISSIONS | keyof typeof REWRITINGS;

export class Losses {
  readonly #found = new Map<Loss, { count: number; readonly names: Set<string> }>();

  /** `name` is a tool's or a field's, never content. */
  add(loss: Loss, name?: string): void {
    let found = this.#found.get(loss);
    if (found === undefined) {
      found = { count: 0, names: new Set() };
      this.#found.set(loss, found);
    }
    found.count += 1;
    if (name !== undefined) found.names.add(name);
  }

  /** First what was left out, then what is said in another way. */
  notes(): readonly ReadNote[] {
    return [...this.#report("left_out", OMISSIONS), ...this.#report("rewritten", REWRITINGS)];
  }

  #report(code: ReadNote["code"], messages: Readonly<Record<string, LossMessage>>): ReadNote[] {
    return Object.entries(messages).flatMap(([loss, messageOf]) => {
      const found = this.#found.get(loss as Loss);
      return found === undefined ? [] : [{ code, message: messageOf(found.count, [...found.names]) }];
    });
  }
}

const MOST_NAMES = 6;
const LONGEST_NAME = 40;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => cutAt(name, LONGEST_NAME));
  return `${shown.join(", ")}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ""}`;
}

// The texts that a conversion puts in, each labelled so that nobody takes it for a person's words, and the marks
// that a message made from another takes over.

export const SYSTEM_LABEL = "[Note: a system message of the host, not the user's words]";
export const ERROR_LABEL = "[Note: the tool reported an error]";
export const RESULT_ATTACHMENTS = "[Note: what came with the tool results of this step]";
export const MADE_ATTACHMENTS = "[Note: what the assistant made in this step]";
export const SEALED_HISTORY =
  "[Note: the earlier part of this conversation was compacted by its provider into a form that only it can read]";
export const READABLE_HISTORY = "[Note: what stood before, as the provider summarized it]";

export function serverStepLabel(type: string): string {
  return `[Note: ${type || "a part of unknown kind"}, made by the provider]`;
}

export function speakerLabel(name: string): string {
  return `[Note: from ${name}]`;
}

export function documentLabel(name: unknown): string {
  return `[Note: a document${typeof name === "string" ? `, ${name}` : ""}]`;
}

const NOUNS = { image: "an image", audio: "a recording", video: "a video", document: "a document" } as const;

/** Stands where an attachment stood, and keeps what is known of it. */
export function attachmentNote({ type, name, url, file }: AttachedPart): string {
  const noun = NOUNS[type];
  const address = url?.startsWith("http") === true ? url : undefined;
  const known = [name, address, file?.id].filter((word) => word !== undefined && word !== "");
  return `[Note: ${noun}${known.length === 0 ? "" : ` (${known.join(", ")})`} stood here]`;
}

/** A summary of ours is known again by the shape of its message: each writer gives it the one of its format. */
export function isSummary({ parts, name }: Utterance): boolean {
  const [only] = parts;
  return parts.length === 1 && only?.kind === "text" && name === undefined && isFramed(only.text);
}

/** `message`, with the marks and the `meta` of what it was made from. */
export function carryOver(made: NeutralMessage, message: JsonObject): JsonObject {
  const sources = made.sources.filter(isObject);
  const meta = sources.find((source) => source.meta !== undefined)?.meta;
  const whole = meta === undefined ? message : { ...message, meta };
  for (const source of sources) carryMarks(source, whole);
  if (made.kind === "said" && made.isHostWritten === true) markHostWritten(whole);
  if (made.kind === "said" && made.mustStay === true) markProtected(whole);
  return whole;
}

// Puts each result directly after the step that made its call, in the order in which results came: two of the three
// providers want it so. What has no call, or comes twice, stays where it stands, for `heal`.

export function arrangeResults(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const pairing = pairNeutral(messages);
  const arranged: NeutralMessage[] = [];
  let openStep = -1;
  for (const [at, message] of messages.entries()) {
    if (message.kind === "result") {
      const [result] = pairing.resultsAt(at);
      if (result?.call?.results[0] !== result) arranged.push(message);
      continue;
    }
    const calls = pairing.callsAt(at);
    const made = callsOf(message);
    if (calls.length > 0) openStep = calls.every(({ results }) => results.length > 0) ? -1 : arranged.length;
    const results = firstResults(calls).flatMap(({ index, call }): readonly ResultMessage[] => {
      const result = messages[index];
      return result?.kind === "result" ? [{ ...result, isCustom: made[call?.ordinal ?? 0]?.isCustom === true }] : [];
    });
    arranged.push(message, ...results, ...(at === messages.length - 1 ? [] : calls.flatMap(answerLegacyCall)));
  }
  return openStep < 0 ? arranged : openStepLast(arranged, openStep);
}

/** As `pairCalls`, by message and by the ordinal of the call in it. */
export function pairNeutral(messages: readonly NeutralMessage[]): Pairing {
  return pairCalls(
    messages.map((message) => ({
      parts:
        message.kind === "said"
          ? callsOf(message).map((call) => ({ ...call, arguments: "" }))
          : [{ kind: "result" as const, callId: message.callId, text: "", isError: false, images: 0 }],
    })),
  );
}

/** Calls of the oldest kind have no id; their provider lets them stay unanswered. */
function answerLegacyCall({ callId, results }: PairedCall): readonly ResultMessage[] {
  if (results.length > 0 || !callId.startsWith(LEGACY_ID)) return [];
  const parts = [{ kind: "text", text: MISSING_RESULT } as const];
  return [{ kind: "result", callId, parts, isPlain: true, isError: false, isCustom: false, sources: [] }];
}

/** What a host put in after calls that still wait stands before them: after, no provider but one would take it. */
function openStepLast(messages: readonly NeutralMessage[], start: number): readonly NeutralMessage[] {
  const end = messages.findIndex((message, at) => at > start && message.kind === "said");
  const after = end < 0 ? [] : messages.slice(end);
  if (!after.every((message) => message.kind === "said" && isHosts(message.role))) return messages;
  return [...messages.slice(0, start), ...after, ...messages.slice(start, end < 0 ? messages.length : end)];
}

function isHosts(role: string): boolean {
  return role === "system" || role === "developer";
}
