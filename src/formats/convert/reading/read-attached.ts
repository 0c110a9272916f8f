// Reads an image, a document or a recording from a content part of any provider, by the part's type.
import { parseDataUrl } from "../../image-size.ts";
import { asText, isFilledText, isObject, type JsonObject } from "../../json-shape.ts";
import type { AttachedPart } from "../neutral/neutral.ts";

type Payload = Omit<AttachedPart, "kind" | "type">;

/** Undefined for a part of another kind, and for one that holds nothing. */
export function readAttached(part: JsonObject): AttachedPart | undefined {
  const attached = READERS.get(part.type)?.(part);
  if (attached === undefined) return undefined;
  const { base64, url, file } = attached;
  return isFilledText(base64) || isFilledText(url) || file !== undefined ? attached : undefined;
}

const READERS: ReadonlyMap<unknown, (part: JsonObject) => AttachedPart> = new Map(
  Object.entries<(part: JsonObject) => AttachedPart>({
    image_url: ({ image_url: image, ...part }) =>
      isObject(image) ? imageAt(image.url, image.detail) : imageAt(image, part.detail),
    input_image: readResponsesImage,
    computer_screenshot: readResponsesImage,
    image: (part) => attach("image", fromSource(part)),
    document: (part) => attach("document", fromSource(part)),
    file: ({ file }) => readFile(isObject(file) ? file : {}),
    input_file: readFile,
    input_audio: ({ input_audio: audio }) => {
      const { data, format } = isObject(audio) ? audio : {};
      return attach("audio", { mediaType: asText(format), base64: asText(data) });
    },
  }),
);

function attach(type: AttachedPart["type"], payload: Payload): AttachedPart {
  return { kind: "attached", type, ...payload };
}

function imageAt(url: unknown, detail: unknown): AttachedPart {
  return attach("image", { ...fromUrl(url), ...(detail === undefined ? {} : { detail }) });
}

function readResponsesImage({ image_url: url, file_id: id, detail }: JsonObject): AttachedPart {
  const image = imageAt(url, detail);
  return isFilledText(id) && !isFilledText(url) ? { ...image, file: { id, owner: "openai" } } : image;
}

/** A data URL gives its bytes; any other address stays one. */
function fromUrl(url: unknown): Payload {
  const inline = parseDataUrl(asText(url));
  return inline === undefined ? { mediaType: "", url: asText(url) } : inline;
}

/** `{source: {...}}` of Anthropic, or `{data, mimeType}` as tool servers write it. */
function fromSource(part: JsonObject): Payload {
  const source = isObject(part.source) ? part.source : part;
  const name = isFilledText(part.title) ? { name: part.title } : {};
  if (isFilledText(source.file_id)) return { mediaType: "", file: { id: source.file_id, owner: "anthropic" }, ...name };
  if (source.type === "url") return { ...fromUrl(source.url), ...name };
  return {
    mediaType: asText(source.media_type) || asText(source.mimeType),
    base64: asText(source.data),
    ...name,
  };
}

function readFile({ file_data: data, file_url: url, file_id: id, filename }: JsonObject): AttachedPart {
  const name = isFilledText(filename) ? { name: filename } : {};
  const file = isFilledText(id) ? { file: { id, owner: "openai" } as const } : {};
  const payload = isFilledText(data) ? fromFileBytes(data) : fromUrl(url);
  const type = payload.mediaType.startsWith("image/") ? "image" : "document";
  return attach(type, { ...payload, ...file, ...name });
}

/** Bare base64 is a PDF: the only kind of file both of OpenAI's endpoints read. */
function fromFileBytes(data: string): Payload {
  return parseDataUrl(data) ?? { mediaType: "application/pdf", base64: data };
}
