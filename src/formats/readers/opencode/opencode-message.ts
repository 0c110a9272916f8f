// The messages of one opencode session as what the model was shown: each step of an answer is a message of its own,
// with the results of its calls after it.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, isFilledText, isObject, toJson } from "../../json-shape.ts";
import type { SessionDraft } from "../parts/session-draft.ts";
import { reasoningBlock, toolBlocks, userBlocks } from "./opencode-part.ts";

/** Parts of an answer beside text, reasoning and calls: known, and nothing to the model. */
const SILENT: ReadonlySet<unknown> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "retry",
  "agent",
  "file",
]);

export interface OpencodeMessage {
  readonly info: JsonObject;
  readonly parts: readonly JsonObject[];
  /** 1-based; 0 in a file that is one JSON document. */
  readonly line: number;
}

export function toOpencodeMessage(value: unknown, line: number): OpencodeMessage | undefined {
  if (!isObject(value) || !isObject(value.info)) return undefined;
  return { info: value.info, parts: asArray(value.parts).filter(isObject), line };
}

/** Writes messages into a draft and counts what it could not say. */
export class OpencodeMessages {
  compactions = 0;
  /** Answers that ended in an error before they had done anything. */
  failedAnswers = 0;
  unknownParts = 0;
  repeatedMessages = 0;
  system: string | undefined;
  readonly #draft: SessionDraft;
  /** By id, the JSON of a message. */
  readonly #known = new Map<string, string>();

  constructor(draft: SessionDraft) {
    this.#draft = draft;
  }

  add(message: OpencodeMessage): void {
    const { info, parts, line } = message;
    if (this.#isRepeated(message)) {
      this.repeatedMessages += 1;
      return;
    }
    this.system = systemOf(info) ?? this.system;
    if (info.role === "user") this.#draft.addUser(parts.flatMap(userBlocks), line);
    else if (info.role === "assistant") this.#addAnswer(message);
  }

  #isRepeated({ info, parts }: OpencodeMessage): boolean {
    if (!isFilledText(info.id)) return false;
    const json = toJson([info, parts]);
    const isKnown = this.#known.get(info.id) === json;
    this.#known.set(info.id, json);
    return isKnown;
  }

  #addAnswer({ info, parts, line }: OpencodeMessage): void {
    const isFailed = isObject(info.error) && info.error.name !== "MessageAbortedError";
    if (isFailed && !parts.some(({ type }) => type === "tool")) {
      this.failedAnswers += 1;
      return;
    }
    if (info.summary === true) this.compactions += 1;
    if (isFilledText(info.modelID)) this.#draft.model = info.modelID;
    for (const step of splitSteps(parts)) this.#addStep(step, line);
  }

  #addStep(parts: readonly JsonObject[], line: number): void {
    const blocks: JsonObject[] = [];
    const results: JsonObject[] = [];
    for (const part of parts) {
      if (part.type === "text") blocks.push(...plainText(part));
      else if (part.type === "reasoning") this.#addReasoning(part, blocks);
      else if (part.type === "tool") {
        const { use, result } = toolBlocks(part, this.#draft.callIds.take(part.callID));
        blocks.push(use);
        if (result !== undefined) results.push(result);
      } else if (!SILENT.has(part.type)) this.unknownParts += 1;
    }
    this.#draft.addAnswer(blocks, line);
    this.#draft.addUser(results, line);
  }

  #addReasoning(part: JsonObject, blocks: JsonObject[]): void {
    const block = reasoningBlock(part);
    if (block !== undefined) blocks.push(block);
    else if (isFilledText(part.text)) this.#draft.unsigned += 1;
  }
}

function plainText({ text }: JsonObject): readonly JsonObject[] {
  return isFilledText(text) && text.trim() !== "" ? [{ type: "text", text }] : [];
}

function splitSteps(parts: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const steps: JsonObject[][] = [[]];
  for (const part of parts) {
    if (part.type === "step-start") steps.push([]);
    steps.at(-1)?.push(part);
  }
  return steps;
}

/** Earlier versions kept it with the answer, later ones with the prompt, where it was given. */
function systemOf({ system }: JsonObject): string | undefined {
  if (isFilledText(system)) return system;
  const texts = asArray(system).filter(isFilledText);
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
