// The messages that Vercel's `ai` sends to a model (ModelMessage, earlier CoreMessage), as interface messages: each call
// gets the result that stands in a message of its own after it.
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../text/json-values.ts";

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

/** Known by the parts of calls and results: any other list of theirs is another provider's, too. */
export function isModelList(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) && value.every(isModelMessage) && value.some((message) => contentOf(message).some(isToolPart))
  );
}

function isModelMessage(value: unknown): value is JsonObject {
  if (!isObject(value) || !ROLES.has(value.role) || value.parts !== undefined) return false;
  const { content } = value;
  return (
    typeof content === "string" ||
    (Array.isArray(content) && content.every((part) => isObject(part) && isFilledText(part.type)))
  );
}

function isToolPart({ type, toolCallId }: JsonObject): boolean {
  return (type === "tool-call" || type === "tool-result") && isFilledText(toolCallId);
}

function contentOf({ content }: JsonObject): readonly JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : asArray(content).filter(isObject);
}

/** As many messages as before; those of results have no parts left. Ids may repeat: a result is that of the last call before it. */
export function toInterfaceMessages(messages: readonly JsonObject[]): readonly JsonObject[] {
  const waiting = new Map<string, JsonObject>();
  return messages.map((message) => {
    const { role } = message;
    if (role === "tool") {
      for (const part of contentOf(message)) answer(waiting.get(asText(part.toolCallId)), part);
      return { role: "data", parts: [] };
    }
    const parts = contentOf(message).flatMap((part) => toInterfacePart(part, waiting));
    return { role, parts };
  });
}

function toInterfacePart(part: JsonObject, waiting: Map<string, JsonObject>): readonly JsonObject[] {
  switch (part.type) {
    case "tool-call": {
      const { toolCallId, toolName, input, args } = part;
      const call: JsonObject = {
        type: "dynamic-tool",
        toolCallId,
        toolName,
        input: input ?? args,
        state: "input-available",
      };
      waiting.set(asText(toolCallId), call);
      return [call];
    }
    // A tool that the provider runs: its result stands in the answer itself.
    case "tool-result":
      answer(waiting.get(asText(part.toolCallId)), part);
      return [];
    case "image":
      return [filePart(part, part.image, "image/png")];
    case "file":
      return [filePart(part, part.data ?? part.url, "application/octet-stream")];
    case "reasoning":
      return [{ ...part, providerMetadata: part.providerOptions ?? part.providerMetadata }];
    default:
      return [part];
  }
}

function filePart(part: JsonObject, source: unknown, usual: string): JsonObject {
  const mediaType = part.mediaType ?? part.mimeType ?? usual;
  const text = asText(source);
  const url = /^(?:https?|data):/.test(text) ? text : `data:${asText(mediaType)};base64,${text}`;
  return { type: "file", url, mediaType, filename: part.filename };
}

/** Later versions say in `output` what kind of a result it is. */
function answer(call: JsonObject | undefined, part: JsonObject): void {
  if (call === undefined || part.type !== "tool-result") return;
  const { output, result, isError } = part;
  const typed = isObject(output) && isFilledText(output.type) ? output : undefined;
  const value = typed === undefined ? (output ?? result) : (typed.value ?? typed.reason);
  const isFailed = isError === true || asText(typed?.type).startsWith("error-");
  if (typed?.type === "execution-denied") Object.assign(call, { state: "output-denied", approval: { reason: value } });
  else if (isFailed)
    Object.assign(call, {
      state: "output-error",
      errorText: typeof value === "string" ? value : JSON.stringify(value),
    });
  else
    Object.assign(call, {
      state: "output-available",
      output: typed?.type === "content" ? { content: contentBlocks(value) } : value,
    });
}

function contentBlocks(value: unknown): readonly JsonObject[] {
  return asArray(value)
    .filter(isObject)
    .map((part) =>
      part.type === "text" ? part : { type: "image", data: part.data, mimeType: part.mediaType ?? part.mimeType },
    );
}
