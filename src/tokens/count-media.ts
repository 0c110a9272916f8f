// What images, documents, sound and videos cost: by pixels, pages and seconds, never by the length of their base64. They
// are guesses, the larger where providers publish several rules, and none without bounds.
import type { Media, MessagePart, MessageView } from "../providers/format.ts";

const FLAT_COST = 1_000;
const LEAST_COST = 85;
const MOST_COST = 5_000;

/**
 * Tokens of one image. With a known size, the larger of two published rules, between 85 and 5,000:
 * OpenAI's tiles (fit into 2,048 x 2,048, short side down to 768, 85 + 170 per started 512-pixel tile) and
 * Anthropic's area (long side down to 1,568, width x height / 750). With an unknown size, 1,000.
 * One rule for all providers, so that trigger, cut and report agree.
 */
export function countImage(width: number | undefined, height: number | undefined): number {
  if (!isPixels(width) || !isPixels(height)) return FLAT_COST;
  const cost = Math.max(tileCost(width, height), areaCost(width, height));
  return Math.min(MOST_COST, Math.max(LEAST_COST, cost));
}

function isPixels(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}

function tileCost(width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return 85 + 170 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

function areaCost(width: number, height: number): number {
  const scale = Math.min(1, 1_568 / Math.max(width, height));
  return Math.ceil((width * scale * height * scale) / 750);
}

/** A page is read as its words and as a picture. */
const PAGE_COST = 2_500;
/** The highest published figures. */
const SECOND_COST = { audio: 32, video: 300 } as const;
/** Of text four bytes are a token; of what is packed, as spreadsheets are, a provider reads a part. */
const BYTES_PER_TOKEN = { text: 4, packed: 20 } as const;
const MOST_MEDIA_COST = 250_000;
const MOST_PACKED_COST = 50_000;
const TEXTUAL = /^text\/|[/+](?:json|xml|csv|yaml|javascript)$/;

/** Nothing for what stands elsewhere: the provider alone knows its size. */
export function countMedia({ kind, mediaType, bytes, width, height, pages, seconds }: Media): number {
  if (bytes === 0) return 0;
  if (kind === "image") return countImage(width, height);
  if (pages !== undefined) return Math.min(MOST_MEDIA_COST, pages * PAGE_COST);
  if (seconds !== undefined)
    return Math.min(MOST_MEDIA_COST, Math.ceil(seconds * SECOND_COST[kind === "video" ? kind : "audio"]));
  if (TEXTUAL.test(mediaType)) return Math.min(MOST_MEDIA_COST, Math.ceil(bytes / BYTES_PER_TOKEN.text));
  return Math.min(MOST_PACKED_COST, Math.ceil(bytes / BYTES_PER_TOKEN.packed));
}

export function countAllMedia(media: readonly Media[] = []): number {
  return media.reduce((sum, one) => sum + countMedia(one), 0);
}

/** The view with nothing left to guess at. */
export function withoutMedia(view: MessageView): MessageView {
  return { ...view, parts: view.parts.filter(({ kind }) => kind !== "image").map(withoutPartsMedia) };
}

function withoutPartsMedia(part: MessagePart): MessagePart {
  if (part.kind === "result") return { ...part, images: 0, pictures: [], media: [] };
  return part.kind === "opaque" ? { ...part, media: [] } : part;
}

export function holdsMedia({ parts }: MessageView): boolean {
  return parts.some(
    (part) =>
      part.kind === "image" ||
      (part.kind === "result" && (part.images > 0 || (part.media ?? []).length > 0)) ||
      (part.kind === "opaque" && (part.media ?? []).length > 0),
  );
}
