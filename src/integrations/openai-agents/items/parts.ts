// Content parts: the SDK's as the Responses endpoint names them, and back. A part that compaction left alone comes back
// as the SDK's own, whatever else it carried.
import { asText, isObject, type JsonObject, otherFields } from "../../../formats/json-shape.ts";
import { toBase64 } from "./bytes.ts";

/** Survives the copies that compaction makes of a part; JSON does not show it. */
const HOST_PART = Symbol("host part");

type Rename = readonly [host: string, wire: string];
const RENAMED: ReadonlyMap<unknown, Rename> = new Map<unknown, Rename>([
  ["input_image", ["image", "image_url"]],
  ["input_file", ["file", "file_data"]],
  ["audio", ["audio", "data"]],
]);
/** `text`, `image`, `file`: what tools of older versions gave back. */
const OLDER_TYPES: ReadonlySet<unknown> = new Set(["text", "image", "file"]);
const NOTHING: ReadonlySet<string> = new Set();

/** `type`: the wire's name for it where that hangs on the place. */
export function toWirePart(part: unknown, type?: string): unknown {
  if (!isObject(part)) return part;
  const { providerData, ...fields } = part;
  const wire = wireFields({ ...fields, type: type ?? (OLDER_TYPES.has(part.type) ? `input_${part.type}` : part.type) });
  const beside = isObject(providerData) ? otherFields(providerData, new Set(Object.keys(wire))) : undefined;
  return { ...wire, ...beside, [HOST_PART]: part };
}

export function toHostPart(part: unknown, type?: string): unknown {
  if (!isObject(part)) return part;
  const host = (part as { readonly [HOST_PART]?: JsonObject })[HOST_PART];
  if (host !== undefined) return host.text === part.text ? host : { ...host, text: part.text };
  const [to, from] = RENAMED.get(part.type) ?? ["", ""];
  const { [from]: value, file_id: id, file_url: url, ...rest } = part;
  const source = value ?? (id === undefined ? url && { url } : { id });
  return { ...otherFields(rest, NOTHING), type: type ?? part.type, ...(source === undefined ? {} : { [to]: source }) };
}

/** A picture or file is given by its content, its address or its id. */
function wireFields(part: JsonObject): JsonObject {
  const [from, to] = RENAMED.get(part.type) ?? ["", ""];
  const { [from]: value, ...rest } = part;
  if (!isObject(value)) return value === undefined ? rest : { ...rest, [to]: value };
  const { id = value.fileId, url, data, mediaType, filename } = value;
  const named = filename === undefined ? rest : { ...rest, filename };
  if (id !== undefined) return { ...named, file_id: id };
  if (url !== undefined) return { ...named, [to === "image_url" ? to : "file_url"]: url };
  return {
    ...named,
    [to]: `data:${asText(mediaType)};base64,${data instanceof Uint8Array ? toBase64(data) : asText(data)}`,
  };
}
