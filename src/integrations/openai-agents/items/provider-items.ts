// Items whose shape is the provider's: tools that it runs itself, and what the SDK has no name for.
import { asText, isObject, type JsonObject, otherFields } from "../../../formats/json-shape.ts";

const NOTHING: ReadonlySet<string> = new Set();

/** A tool that the provider runs. A picture that it made stands in `output`. */
export function hostedToNative(item: JsonObject): JsonObject {
  const { name, output, arguments: given, providerData, status } = item;
  const kept = isObject(providerData) ? providerData : {};
  const type = asText(kept.type) || asText(name);
  const made = type === "image_generation_call" ? { result: output } : { output };
  const { id = item.id } = kept;
  return {
    ...otherFields({ status, arguments: given, ...made }, NOTHING),
    ...kept,
    type,
    ...(id === undefined ? {} : { id }),
  };
}

/** The provider's own item, in its own form; for chat completions a message. */
export function unknownToNative({ id, providerData }: JsonObject): JsonObject {
  const kept = isObject(providerData) ? providerData : {};
  const isNamed = kept.type !== undefined || kept.role !== undefined;
  return { ...(isNamed ? {} : { type: "unknown" }), ...kept, ...(id === undefined ? {} : { id }) };
}

export function unknownToHost(native: JsonObject, origin: JsonObject | undefined): JsonObject {
  const { id, ...providerData } = native;
  const { id: _given, ...rest } = origin ?? {};
  return { ...rest, type: "unknown", ...(id === undefined ? {} : { id }), providerData };
}
