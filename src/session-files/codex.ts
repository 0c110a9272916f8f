// Reads a rollout file of the Codex CLI into the items of the Responses endpoint: what version 0.171 writes, and by
// Codex' public type definitions (its rollout lines and response items) what those before it wrote, bare files too.
import { isHostWritten, markHostWritten } from "../providers/message-marks.ts";
import { isMessageItem, toolsIn } from "../providers/openai-responses/items.ts";
import { asArray, asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { isHostsItem, messageItem, toResponsesItem } from "./codex-items.ts";
import type { HostCompaction, SessionRead, SessionReader, SessionText } from "./session-reader.ts";
import { isWindow, readSessionValues, type SessionValue, sessionNotes } from "./session-values.ts";

// Follows the lines of a rollout file to the items that the model was shown. The host's compactions are undone where
// the items before them are in the file, turns that were taken back go.

interface Piece {
  readonly item: JsonObject;
  readonly line: number;
}

class CodexTranscript {
  readonly pieces: Piece[] = [];
  model = "";
  window: number | undefined;
  rewoundPrompts = 0;
  readonly compactions: HostCompaction[] = [];
  hostsItems = 0;
  /** By their JSON: each list that is loaded holds those before it, too. */
  readonly tools = new Map<string, unknown>();
  /** Positions in `pieces` of what a person said. */
  readonly #prompts: number[] = [];
  /** Something that a compaction could stand for is in `pieces`. */
  #hasTalk = false;
  /** Items that the model was shown, of those in `pieces` and of a compaction's list. */
  #shown = 0;

  constructor(lines: readonly CodexLine[]) {
    const spoken = rolesOf(lines);
    for (const line of lines) this.#addLine(line, spoken);
  }

  #addLine(line: CodexLine, spoken: ReadonlySet<string>): void {
    if (line.kind === "item") this.#addItem(line.item, line.line);
    else if (line.kind === "compacted") this.#addCompaction(line);
    else if (line.kind === "step-back") this.#stepBack(line.turns);
    else if (line.kind === "model") this.model = line.model;
    else if (line.kind === "window") this.window = line.tokens;
    else if (line.kind === "shown" && !spoken.has(line.role) && line.text.trim() !== "")
      this.#push(messageItem(line.role, line.text), line.line);
  }

  #addItem(item: JsonObject, line: number): void {
    const tools = toolsIn(item);
    if (tools !== undefined) for (const tool of tools) this.tools.set(toJson(tool), tool);
    else if (isHostsItem(item)) this.hostsItems += 1;
    else this.#push(toResponsesItem(item), line);
  }

  #push(item: JsonObject, line: number): void {
    if (isPersons(item)) this.#prompts.push(this.pieces.length);
    if (!isMessageItem(item) || item.role === "assistant" || isPersons(item)) this.#hasTalk = true;
    this.#shown += 1;
    this.pieces.push({ item, line });
  }

  #addCompaction({ summary, replacement, line }: CodexLine & { readonly kind: "compacted" }): void {
    if (!this.#hasTalk && replacement.length > 0) {
      for (const item of replacement) this.#addItem(item, line);
      return;
    }
    // The last item of the list is the summary.
    const listed = replacement.filter((item) => toolsIn(item) === undefined && !isHostsItem(item)).length;
    const left = Math.max(0, this.#shown - Math.max(0, listed - 1));
    const at = this.pieces.length;
    if (this.#hasTalk) this.compactions.push({ at, start: at, summary, left });
    if (summary.trim() !== "") this.#push(markHostWritten(messageItem("user", summary)), line);
    this.#shown = Math.max(1, listed);
  }

  #stepBack(turns: number): void {
    const count = Math.min(Math.floor(turns), this.#prompts.length);
    const start = this.#prompts[this.#prompts.length - count];
    if (count < 1 || start === undefined) return;
    this.rewoundPrompts += count;
    this.#prompts.length -= count;
    this.#shown = Math.max(0, this.#shown - (this.pieces.length - start));
    this.pieces.length = start;
  }
}

function isPersons(item: JsonObject): boolean {
  return isMessageItem(item) && item.role === "user" && !isHostWritten(item);
}

/** The roles of which there are messages among the items, so that what the host showed of them is written twice. */
function rolesOf(lines: readonly CodexLine[]): ReadonlySet<string> {
  const roles = new Set<string>();
  for (const line of lines) {
    const items = line.kind === "item" ? [line.item] : line.kind === "compacted" ? line.replacement : [];
    for (const item of items.map(toResponsesItem)) {
      if (item.role === "assistant" && isMessageItem(item)) roles.add("assistant");
      else if (isPersons(item)) roles.add("user");
    }
  }
  return roles;
}

// What the head says: a fork has the head of the session that it goes on from behind its own.

function instructionsOf({ base_instructions: base, instructions }: JsonObject): string | undefined {
  const text = isObject(base) ? base.text : base;
  if (isFilledText(text)) return text;
  return isFilledText(instructions) ? instructions : undefined;
}

// One value of a Codex rollout file, reduced to what matters: an item of the model's list, the head of a session, a
// compaction, a step back. Newer files wrap each value, the first ones hold the bare items behind one bare head.

type CodexLine = { readonly line: number } & (
  | { readonly kind: "head"; readonly head: JsonObject }
  | { readonly kind: "item"; readonly item: JsonObject }
  /** What the host showed: as a rule an item says the same. */
  | { readonly kind: "shown"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly kind: "compacted"; readonly summary: string; readonly replacement: readonly JsonObject[] }
  | { readonly kind: "step-back"; readonly turns: number }
  | { readonly kind: "model"; readonly model: string }
  | { readonly kind: "window"; readonly tokens: number }
);

const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call",
]);
const WRAPPER_TYPES: ReadonlySet<unknown> = new Set([
  "session_meta",
  "response_item",
  "event_msg",
  "turn_context",
  "compacted",
]);

/** True when these are the values of a rollout file, of whatever version. */
function isCodexSession(values: readonly unknown[]): boolean {
  return values.some(isWrapped) || isBareSession(values);
}

function readCodexLines(values: readonly SessionValue[]): readonly CodexLine[] {
  return values.flatMap(({ value, line }) => {
    if (!isObject(value)) return [];
    const read = isObject(value.payload) ? readWrapped(value.type, value.payload) : readBare(value);
    return read === undefined ? [] : [{ ...read, line }];
  });
}

type Read = CodexLine extends infer Line ? (Line extends CodexLine ? Omit<Line, "line"> : never) : never;

function isWrapped(value: unknown): boolean {
  return isObject(value) && WRAPPER_TYPES.has(value.type) && isObject(value.payload);
}

function isBareSession(values: readonly unknown[]): boolean {
  const [first, ...others] = values;
  if (!isObject(first) || !isBareHead(first)) return false;
  return (
    "instructions" in first ||
    others.some((value) => isObject(value) && (value.record_type === "state" || ITEM_TYPES.has(value.type)))
  );
}

function isBareHead({ type, role, id, timestamp }: JsonObject): boolean {
  return type === undefined && role === undefined && isFilledText(id) && isFilledText(timestamp);
}

function readBare(value: JsonObject): Read | undefined {
  if (isBareHead(value)) return { kind: "head", head: value };
  const isItem = isFilledText(value.type) || (isFilledText(value.role) && value.content !== undefined);
  // A wrapper whose payload is gone says nothing.
  return isItem && !WRAPPER_TYPES.has(value.type) ? { kind: "item", item: value } : undefined;
}

function readWrapped(type: unknown, payload: JsonObject): Read | undefined {
  switch (type) {
    case "session_meta":
      return { kind: "head", head: payload };
    case "response_item":
      return { kind: "item", item: payload };
    case "turn_context":
      return isFilledText(payload.model) ? { kind: "model", model: payload.model } : undefined;
    case "compacted":
      return {
        kind: "compacted",
        summary: asText(payload.message),
        replacement: asArray(payload.replacement_history).filter(isObject),
      };
    case "event_msg":
      return readEvent(payload);
    default:
      return undefined;
  }
}

function readEvent({ type, message, num_turns: turns, info, ...event }: JsonObject): Read | undefined {
  const { model_context_window: tokens } = isObject(info) ? info : event;
  if (isWindow(tokens)) return { kind: "window", tokens };
  if (type === "thread_rolled_back" && typeof turns === "number" && turns > 0) return { kind: "step-back", turns };
  if (type !== "user_message" && type !== "agent_message") return undefined;
  return { kind: "shown", role: type === "user_message" ? "user" : "assistant", text: asText(message) };
}

/** Reads the text of a rollout file. Never throws: a file without an item gives an empty list. */
export function readCodexSession(from: SessionText): SessionRead {
  const { values, faults } = readSessionValues(from);
  const lines = readCodexLines(values);
  const heads = lines.flatMap((line) => (line.kind === "head" ? [line.head] : []));
  const system = heads.map(instructionsOf).find((text) => text !== undefined);
  const { pieces, model, window, rewoundPrompts, compactions, hostsItems, tools } = new CodexTranscript(lines);
  return {
    sessionId: heads.map(({ id }) => id).find(isFilledText),
    format: "openai-responses",
    messages: pieces.map(({ item }) => item),
    notes: sessionNotes(faults, {
      rewound: rewoundPrompts,
      compactions: compactions.length,
      leftOut: [[hostsItems, "item", "that only the host reads"]],
    }),
    sources: pieces.map(({ line }) => (line > 0 ? [line] : [])),
    ...(compactions.length === 0 ? {} : { compactions: compactions.filter(({ at }) => at <= pieces.length) }),
    ...(model === "" ? {} : { model }),
    ...(window === undefined ? {} : { window }),
    ...(system === undefined ? {} : { system }),
    ...(tools.size === 0 ? {} : { tools: [...tools.values()] }),
  };
}

export function readTranscript(values: readonly SessionValue[]): CodexTranscript {
  return new CodexTranscript(readCodexLines(values));
}

export const codexReader: SessionReader = {
  name: "codex",
  title: "Codex session",
  matches: isCodexSession,
  read: readCodexSession,
};
