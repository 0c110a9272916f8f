// The parts of a Gemini message as Anthropic blocks. A list of parts may also be one part, or a plain text.
import { markHostWritten } from "../providers/message-marks.ts";
import { asText, isFilledText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { base64Blocks, opensWith, textBlocks, urlBlocks } from "./session-messages.ts";

/** What the host puts into the user's place at the start, and its own summary. */
const HOST_OPENINGS = ["<session_context>", "<state_snapshot>", "This is the Gemini CLI."] as const;

export function partsOf(content: unknown): readonly JsonObject[] {
  const parts = Array.isArray(content) ? content : [content];
  return parts.flatMap((part: unknown) => {
    if (typeof part === "string") return [{ text: part }];
    return isObject(part) ? [part] : [];
  });
}

/** True for what the model thought: Gemini's reasoning, which Anthropic did not sign. */
export function isThought(part: JsonObject): boolean {
  return part.thought === true;
}

/** Texts and files; calls and their results are for those who know which belong together. */
export function plainBlocks(part: JsonObject): readonly JsonObject[] {
  if (isThought(part)) return [];
  const { inlineData, fileData } = part;
  if (isObject(inlineData)) {
    return base64Blocks(inlineData.data, { mediaType: inlineData.mimeType, name: inlineData.displayName });
  }
  if (isObject(fileData)) {
    return urlBlocks(fileData.fileUri, { mediaType: fileData.mimeType, name: fileData.displayName });
  }
  return [...textBlocks(part.text), ...textBlocks(codeOf(part))];
}

/** The same in a user's message: what no person wrote is marked. */
export function userBlocks(part: JsonObject): readonly JsonObject[] {
  return plainBlocks(part).map((block) => (opensWith(block.text, HOST_OPENINGS) ? markHostWritten(block) : block));
}

interface GeminiResponse {
  readonly blocks: readonly JsonObject[];
  readonly isError: boolean;
}

/** What a tool gave back: `{output}` or `{error}`, else the response's JSON, and the files that came with it. */
export function responseOf(functionResponse: JsonObject): GeminiResponse {
  const { response, parts } = functionResponse;
  const files = partsOf(parts).flatMap(plainBlocks);
  if (typeof response === "string") return { blocks: [...textBlocks(response), ...files], isError: false };
  if (!isObject(response)) return { blocks: files, isError: false };
  const isError = response.error !== undefined && response.output === undefined;
  const said = isError ? response.error : (response.output ?? response);
  return { blocks: [...textBlocks(typeof said === "string" ? said : toJson(said)), ...files], isError };
}

/** Code that the model ran on the provider's side, and what it printed. */
function codeOf({ executableCode, codeExecutionResult }: JsonObject): string {
  if (isObject(executableCode)) return asText(executableCode.code);
  return isObject(codeExecutionResult) ? asText(codeExecutionResult.output) : "";
}

// Finds the call that a result belongs to, where the two stand apart: by its id or, in older files, by its name only.

interface Queue {
  readonly given: string[];
  next: number;
}

/** Calls that wait for their result, oldest first. */
export class OpenCalls {
  readonly #waiting = new Map<string, Queue>();

  /** `given`: the id that the call has in the messages. */
  add(call: JsonObject, given: string): void {
    const key = keyOf(call);
    const queue = this.#waiting.get(key);
    if (queue === undefined) this.#waiting.set(key, { given: [given], next: 0 });
    else queue.given.push(given);
  }

  /** The id of the call that this answers; undefined when none of its waits. */
  take(response: JsonObject): string | undefined {
    return this.#first(keyOf(response)) ?? this.#first(`name ${asText(response.name)}`);
  }

  #first(key: string): string | undefined {
    const queue = this.#waiting.get(key);
    const given = queue?.given[queue.next];
    if (queue !== undefined && given !== undefined) queue.next += 1;
    return given;
  }
}

function keyOf({ id, name }: JsonObject): string {
  return isFilledText(id) ? `id ${id}` : `name ${asText(name)}`;
}
