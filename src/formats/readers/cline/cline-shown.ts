// What Cline and Roo Code showed of a task, as the conversation it was: for tasks of which only that list is left.
// The host wrote down what was called; what came back, only of commands, servers and searches.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import { hostTextBlocks, resultBlock, textBlocks, urlBlocks, useBlock } from "../parts/anthropic-blocks.ts";
import type { SessionDraft } from "../parts/session-draft.ts";
import { parseDocument, type SessionValue } from "../parts/session-values.ts";

/** Calls whose `content` is what they found, not what they were given. */
const FINDERS = /^(?:list|search|codebase)/;
/** At the end of a text: says that there are changes to look at. */
const FLAG = "HAS_CHANGES";

export function isClineShown(values: readonly unknown[]): boolean {
  return values.length > 0 && values.every(isShown);
}

function isShown(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value.ts !== "number") return false;
  return (value.type === "say" && isFilledText(value.say)) || (value.type === "ask" && isFilledText(value.ask));
}

/** Writes what was shown into a draft. */
export class ClineShown {
  compactions = 0;
  /** Of the host to its user: costs, checkpoints, errors. */
  notices = 0;
  readonly #draft: SessionDraft;
  #hasTask = false;
  /** The last call that waits for what comes back, and what has come so far. */
  #open: { readonly id: string; readonly texts: string[]; readonly line: number } | undefined;

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  addAll(values: readonly SessionValue[]): void {
    for (const { value, line } of values) if (isShown(value)) this.#add(value, line);
    this.#close();
  }

  #add(shown: JsonObject, line: number): void {
    const kind = asText(shown.type === "say" ? shown.say : shown.ask);
    if (kind === "command_output" || kind === "mcp_server_response" || kind === "browser_action_result") {
      this.#open?.texts.push(asText(shown.text));
      return;
    }
    if (isFilledText(shown.reasoning)) this.#draft.unsigned += 1;
    if (isObject(shown.modelInfo) && isFilledText(shown.modelInfo.modelId)) this.#draft.model = shown.modelInfo.modelId;
    this.#addSaid(kind, shown, line);
  }

  #addSaid(kind: string, shown: JsonObject, line: number): void {
    const { text } = shown;
    if (kind === "task" || kind === "user_feedback" || (kind === "text" && !this.#hasTask)) {
      this.#hasTask = true;
      this.#say("user", [...textBlocks(text), ...picturesOf(shown)], line);
    } else if (kind === "text" || kind === "completion_result") {
      this.#say("assistant", textBlocks(withoutFlag(asText(text))), line);
    } else if (kind === "followup" || kind.endsWith("_mode_respond")) {
      this.#say("assistant", textBlocks(questionIn(asText(text))), line);
    } else if (kind === "user_feedback_diff" || kind === "subtask_result") {
      this.#say("user", hostTextBlocks(text), line);
    } else if (kind === "condense_context") this.#addSummary(shown, line);
    else if (kind === "reasoning") this.#draft.unsigned += isFilledText(text) ? 1 : 0;
    else if (!this.#addCall(kind, asText(text), line)) this.notices += 1;
  }

  #say(role: "user" | "assistant", blocks: readonly JsonObject[], line: number): void {
    this.#close();
    if (role === "user") this.#draft.addUser(blocks, line);
    else this.#draft.addAnswer(blocks, line);
  }

  #addSummary({ contextCondense }: JsonObject, line: number): void {
    if (!isObject(contextCondense) || !isFilledText(contextCondense.summary)) return;
    this.compactions += 1;
    this.#say("user", hostTextBlocks(contextCondense.summary), line);
  }

  /** False for what is no call. */
  #addCall(kind: string, text: string, line: number): boolean {
    const call = callIn(kind, text);
    if (call === undefined) return false;
    this.#close();
    const id = this.#draft.callIds.take(undefined);
    this.#draft.addAnswer([useBlock(id, call.name, call.input)], line);
    this.#open = { id, texts: call.found === undefined ? [] : [call.found], line };
    return true;
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { id, texts, line } = this.#open;
    this.#open = undefined;
    if (texts.length > 0) this.#draft.addUser([resultBlock(id, textBlocks(texts.join("\n")), false)], line);
  }
}

interface Call {
  readonly name: string;
  readonly input: JsonObject;
  readonly found?: string;
}

function callIn(kind: string, text: string): Call | undefined {
  if (kind === "command") return { name: "execute_command", input: { command: withoutFlag(text) } };
  if (kind === "tool") {
    const { tool, ...input } = objectIn(text);
    if (!isFilledText(tool)) return undefined;
    if (!FINDERS.test(tool) || !isFilledText(input.content)) return { name: tool, input };
    const { content, ...given } = input;
    return { name: tool, input: given, found: content };
  }
  if (kind === "use_mcp_server") {
    const { type, ...input } = objectIn(text);
    return { name: asText(type) || "use_mcp_tool", input };
  }
  if (kind === "browser_action_launch") return { name: "browser_action", input: { action: "launch", url: text } };
  return kind === "browser_action" ? { name: "browser_action", input: objectIn(text) } : undefined;
}

/** A question may stand beside the answers that were offered. */
function questionIn(text: string): string {
  const { question, response, options } = objectIn(text);
  const asked = asText(question) || asText(response) || text;
  const offered = asArray(options).filter(isFilledText);
  return [asked, ...offered.map((option) => `- ${option}`)].join("\n");
}

function picturesOf({ images }: JsonObject): readonly JsonObject[] {
  return asArray(images).flatMap((image) => urlBlocks(image, { mediaType: "image/png" }));
}

function objectIn(text: string): JsonObject {
  const value = parseDocument(text)?.value;
  return isObject(value) ? value : {};
}

function withoutFlag(text: string): string {
  return text.endsWith(FLAG) ? text.slice(0, -FLAG.length) : text;
}
