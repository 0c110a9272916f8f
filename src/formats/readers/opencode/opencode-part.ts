// The parts of an opencode message as Anthropic blocks. Snapshots, patches and the borders of steps are the host's own
// and say nothing to the model.
import type { JsonObject } from "../../json-shape.ts";
import { asArray, asText, isFilledText, isObject } from "../../json-shape.ts";
import { hostTextBlocks, resultBlock, textBlocks, urlBlocks, useBlock } from "../parts/anthropic-blocks.ts";

const TEXT_FILES: ReadonlySet<unknown> = new Set(["text/plain", "application/x-directory"]);
/** Providers whose signatures Anthropic messages can carry. */
const SIGNERS = ["anthropic", "bedrock"] as const;

export function userBlocks(part: JsonObject): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      // What the host wrote beside the prompt, as what it read from files that were named in it.
      if (part.ignored === true) return [];
      return part.synthetic === true ? hostTextBlocks(part.text) : textBlocks(part.text);
    case "file":
      // The host put the text of such a file into a text part of its own.
      return TEXT_FILES.has(part.mime) ? [] : fileBlocks(part);
    case "compaction":
      return hostTextBlocks("[The host asked for a summary of the conversation so far]");
    case "subtask":
      return hostTextBlocks(`[A subagent was run: ${asText(part.description)}]\n${asText(part.prompt)}`);
    default:
      return [];
  }
}

/** Reasoning as a block, where it is signed; undefined where no block can hold it. */
export function reasoningBlock({ text, metadata }: JsonObject): JsonObject | undefined {
  for (const signer of SIGNERS) {
    const signed = isObject(metadata) ? metadata[signer] : undefined;
    if (!isObject(signed)) continue;
    if (isFilledText(signed.redactedData)) return { type: "redacted_thinking", data: signed.redactedData };
    if (isFilledText(signed.signature))
      return { type: "thinking", thinking: asText(text), signature: signed.signature };
  }
  return undefined;
}

export interface ToolBlocks {
  readonly use: JsonObject;
  /** Absent for a call that was not answered. */
  readonly result?: JsonObject;
}

export function toolBlocks({ tool, state }: JsonObject, id: string): ToolBlocks {
  const { status, input, output, error, attachments, metadata } = isObject(state) ? state : ({} as JsonObject);
  const use = useBlock(id, tool, input);
  const files = asArray(attachments).filter(isObject).flatMap(fileBlocks);
  if (status === "completed") return { use, result: resultBlock(id, [...textBlocks(output), ...files], false) };
  if (status !== "error") return { use };
  // Of a call that was interrupted, what it had given until then.
  const isCut = isObject(metadata) && metadata.interrupted === true && isFilledText(metadata.output);
  return {
    use,
    result: isCut ? resultBlock(id, textBlocks(metadata.output), false) : resultBlock(id, textBlocks(error), true),
  };
}

function fileBlocks({ url, mime, filename }: JsonObject): readonly JsonObject[] {
  return urlBlocks(url, { mediaType: mime, name: filename });
}
