// One message of a Gemini CLI chat as what it put before the model: a prompt, or an answer with its calls and what
// they gave back. The host's own notices were only shown.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import { resultBlock, textBlocks, useBlock } from "../parts/anthropic-blocks.ts";
import type { SessionDraft } from "../parts/session-draft.ts";
import { OpenCalls } from "./gemini-calls.ts";
import { isThought, partsOf, plainBlocks, responseOf, userBlocks } from "./gemini-parts.ts";
import type { GeminiRecord } from "./gemini-record.ts";

/** `/quit`, `?`: answered by the host. */
const HOST_COMMAND = /^(?:\?|\/[a-z][a-z-]{0,31})$/;

/** Writes the messages of chats into a draft. */
export class GeminiMessages {
  /** Messages that no model saw. */
  unseen = 0;
  readonly #draft: SessionDraft;
  /** Calls without a result beside them: some versions write it into the user's message after it. */
  readonly #open = new OpenCalls();

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  add({ message, line, isHosts }: GeminiRecord): void {
    if (message.type === "gemini") this.#addAnswer(message, line);
    else if (message.type === "user" && !isHostCommand(message.content)) this.#addUser(message, line, isHosts);
    else this.unseen += 1;
  }

  #addUser(message: JsonObject, line: number, isHosts: boolean): void {
    const blocks = partsOf(message.content).flatMap((part) => {
      const { functionResponse } = part;
      if (!isObject(functionResponse)) return userBlocks(part);
      const id = this.#open.take(functionResponse);
      const response = responseOf(functionResponse);
      // As a rule the result stands beside its call already.
      return id === undefined ? [] : [resultBlock(id, response.blocks, response.isError)];
    });
    this.#draft.addUser(blocks, line, isHosts);
  }

  #addAnswer(message: JsonObject, line: number): void {
    const parts = partsOf(message.content);
    const uses: JsonObject[] = [];
    const results: JsonObject[] = [];
    for (const call of callsOf(message, parts)) {
      const id = this.#draft.callIds.take(call.id);
      const result = resultOf(call, id);
      uses.push(useBlock(id, call.name, call.args));
      if (result === undefined) this.#open.add(call, id);
      else results.push(result);
    }
    this.#draft.unsigned += asArray(message.thoughts).filter(isObject).length + parts.filter(isThought).length;
    this.#draft.addAnswer([...parts.flatMap(plainBlocks), ...uses], line);
    this.#draft.addUser(results, line);
    if (isFilledText(message.model)) this.#draft.model = message.model;
  }
}

function isHostCommand(content: unknown): boolean {
  const [only, ...others] = partsOf(content);
  return only !== undefined && others.length === 0 && HOST_COMMAND.test(asText(only.text).slice(0, 100).trim());
}

/** Those of the record, and those in the content that it does not know. */
function callsOf(message: JsonObject, parts: readonly JsonObject[]): readonly JsonObject[] {
  const recorded = asArray(message.toolCalls).filter(isObject);
  const known = new Set(recorded.map(({ id }) => id));
  const others = parts.flatMap(({ functionCall }) =>
    isObject(functionCall) && (functionCall.id === undefined ? recorded.length === 0 : !known.has(functionCall.id))
      ? [functionCall]
      : [],
  );
  return [...recorded, ...others];
}

/** Undefined for a call that was not answered. */
function resultOf(call: JsonObject, id: string): JsonObject | undefined {
  const isFailed = call.status === "error" || call.status === "cancelled";
  const parts = partsOf(call.result);
  if (parts.length === 0) {
    // Shown to the user: of what the model was given, all that is left.
    const shown = shownBlocks(call.resultDisplay);
    return shown.length > 0 || isFailed ? resultBlock(id, shown, isFailed) : undefined;
  }
  const responses = parts.map(({ functionResponse }) =>
    isObject(functionResponse) ? responseOf(functionResponse) : undefined,
  );
  const blocks = parts.flatMap((part, at) => responses[at]?.blocks ?? plainBlocks(part));
  return resultBlock(id, blocks, isFailed || responses.some((response) => response?.isError === true));
}

/** A text, or what the host draws: the difference that an edit made, a list of to-dos. */
function shownBlocks(display: unknown): readonly JsonObject[] {
  if (!isObject(display)) return textBlocks(display);
  return textBlocks(asText(display.fileDiff) || toJson(display));
}
