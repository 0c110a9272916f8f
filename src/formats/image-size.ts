// Reads the pixel size of an image from the first bytes of its base64 text. Never decodes the whole payload:
// counting must not cost more than the header.

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Enough for PNG, GIF and WebP. */
const HEADER_CHARACTERS = 64;
/** A JPEG tells its size after its metadata, which may hold a thumbnail. */
const JPEG_CHARACTERS = 131_072;

/** Size in pixels of a PNG, GIF, WebP or JPEG given as base64, or undefined. */
export function imageSize(base64: string): ImageSize | undefined {
  const header = decode(base64, HEADER_CHARACTERS);
  if (header === undefined) return undefined;
  const size = pngSize(header) ?? gifSize(header) ?? webpSize(header) ?? jpegSize(header, base64);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** Media type and payload of a `data:` URL with base64 content. */
export function parseDataUrl(url: string): { readonly mediaType: string; readonly base64: string } | undefined {
  if (!url.startsWith("data:")) return undefined;
  const comma = url.indexOf(",");
  const head = comma < 0 || comma > 200 ? "" : url.slice("data:".length, comma);
  if (!head.endsWith(";base64")) return undefined;
  return { mediaType: head.split(";")[0] ?? "", base64: url.slice(comma + 1) };
}

function decode(base64: string, characters: number): Uint8Array | undefined {
  const part = base64.slice(0, characters);
  try {
    const binary = atob(part.slice(0, part.length - (part.length % 4)));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function startsWith(bytes: Uint8Array, text: string, at = 0): boolean {
  return [...text].every((character, index) => bytes[at + index] === character.charCodeAt(0));
}

function big(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at; index < at + length; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function little(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let index = at + length - 1; index >= at; index -= 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

function pngSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "\x89PNG")) return undefined;
  return { width: big(bytes, 16, 4), height: big(bytes, 20, 4) };
}

function gifSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "GIF8")) return undefined;
  return { width: little(bytes, 6, 2), height: little(bytes, 8, 2) };
}

function webpSize(bytes: Uint8Array): ImageSize | undefined {
  if (!startsWith(bytes, "RIFF") || !startsWith(bytes, "WEBP", 8)) return undefined;
  if (startsWith(bytes, "VP8X", 12)) return { width: little(bytes, 24, 3) + 1, height: little(bytes, 27, 3) + 1 };
  if (startsWith(bytes, "VP8 ", 12)) {
    return { width: little(bytes, 26, 2) & 0x3fff, height: little(bytes, 28, 2) & 0x3fff };
  }
  const packed = little(bytes, 21, 4);
  return { width: (packed & 0x3fff) + 1, height: (Math.floor(packed / 0x4000) & 0x3fff) + 1 };
}

function jpegSize(header: Uint8Array, base64: string): ImageSize | undefined {
  if (header[0] !== 0xff || header[1] !== 0xd8) return undefined;
  const bytes = decode(base64, JPEG_CHARACTERS) ?? header;
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    // Frame headers carry the size: C0-CF without the tables C4, C8 and CC.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: big(bytes, at + 7, 2), height: big(bytes, at + 5, 2) };
    at += 2 + Math.max(2, big(bytes, at + 2, 2));
  }
  return undefined;
}
