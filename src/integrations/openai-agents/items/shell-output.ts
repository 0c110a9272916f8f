// What a shell call gave back, as text parts that compaction may shorten, and back into the SDK's form.
import { asArray, asText, isObject, type JsonObject } from "../../../formats/json-shape.ts";

const PARTS_EACH = 3;

/** Two texts and how it ended, for each command. */
export function shellTexts(output: unknown): readonly JsonObject[] {
  return asArray(output).flatMap((entry) => {
    const { stdout, stderr, outcome } = isObject(entry) ? entry : {};
    return [textPart(stdout), textPart(stderr), { type: "outcome", outcome }];
  });
}

/** `before` is the output that the texts were made from; without it all of them are what one command wrote. */
export function shellOutput(content: unknown, before: unknown): readonly JsonObject[] {
  const texts = asArray(content).map((part) => (isObject(part) ? asText(part.text) : ""));
  const entries = asArray(before);
  if (texts.length === 0 || texts.length !== entries.length * PARTS_EACH) {
    const stdout = typeof content === "string" ? content : texts.join("\n");
    return [{ stdout, stderr: "", outcome: { type: "exit", exitCode: 0 } }];
  }
  return entries.map((entry, at) => {
    const [stdout = "", stderr = ""] = texts.slice(at * PARTS_EACH);
    return { ...(isObject(entry) ? entry : {}), stdout, stderr };
  });
}

function textPart(text: unknown): JsonObject {
  return { type: "input_text", text: asText(text) };
}
