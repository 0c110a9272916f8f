// How much there is to read in a document, in sound, in a video: pages and seconds, from the payload where it says so and
// from its length else. A guess costs little and is capped: a size in bytes says nothing of what a model reads.
import { decodeBase64, IMAGE_TYPES, imageSize, kindOf, type Media, signatureOf } from "./attachments.ts";

/** Pages of a PDF that a provider takes. */
const MOST_PAGES = 100;
/** Where no page can be seen in a PDF (newer ones pack them): its length by what a page of text takes, and no more than so many. */
const BYTES_PER_PAGE = 100_000;
const MOST_GUESSED_PAGES = 20;
/** Of 128 kbit/s sound, of 16-bit samples, and of a 2 Mbit/s video. */
const BYTES_PER_SECOND = { audio: 16_000, samples: 48_000, video: 250_000 } as const;

/** `kind` and `mediaType` as the message gives them; the payload itself knows better. */
export function measureMedia(base64: string, mediaType: string, kind?: Media["kind"]): Media {
  const bytes = Math.floor(base64.length * 0.75);
  const size = imageSize(base64);
  if (size !== undefined)
    return { kind: "image", mediaType: IMAGE_TYPES.has(mediaType) ? mediaType : "", bytes, ...size };
  if (signatureOf(base64) === "pdf" || mediaType === "application/pdf")
    return { kind: "document", mediaType: "application/pdf", bytes, pages: pagesOf(base64, bytes) };
  const known = kindOf(mediaType) ?? kind ?? "document";
  if (known === "audio") return { kind: known, mediaType, bytes, seconds: secondsOfSound(base64, mediaType, bytes) };
  if (known === "video") return { kind: known, mediaType, bytes, seconds: Math.ceil(bytes / BYTES_PER_SECOND.video) };
  return { kind: known, mediaType, bytes };
}

/** A list is measured before every call, and a document of many megabytes stays in it. */
const KNOWN_PAGES = new Map<string, number>();
const MOST_KNOWN = 200;
const SAMPLE = 96;

function pagesOf(base64: string, bytes: number): number {
  const key = `${base64.length} ${base64.slice(0, SAMPLE)} ${base64.slice(-SAMPLE)}`;
  const known = KNOWN_PAGES.get(key);
  if (known !== undefined) return known;
  const seen = countPages(base64);
  const guessed = Math.min(MOST_GUESSED_PAGES, Math.ceil(bytes / BYTES_PER_PAGE));
  const pages = Math.max(1, Math.min(MOST_PAGES, seen === 0 ? guessed : seen));
  if (KNOWN_PAGES.size >= MOST_KNOWN) KNOWN_PAGES.clear();
  KNOWN_PAGES.set(key, pages);
  return pages;
}

/** Characters that are looked through for pages: some 24 MB, which is what providers take. */
const MOST_CHARACTERS = 32_000_000;
const STRETCH = 1_048_576;
/** Base64 characters by which stretches overlap: a mark may stand across. */
const OVERLAP = 64;
const PAGE = /\/Type\s{0,4}\/Page(?![A-Za-z])/g;
const LINEARIZED = /\/Linearized[^>]{0,200}\/N\s{1,4}(\d{1,6})/;

/** 0 where none can be seen. */
function countPages(base64: string): number {
  const told = LINEARIZED.exec(decodeBase64(base64.slice(0, 4_096)))?.[1];
  if (told !== undefined) return Number(told);
  let pages = 0;
  const end = Math.min(base64.length, MOST_CHARACTERS);
  for (let start = 0; start < end && pages < MOST_PAGES; start += STRETCH) {
    const text = decodeBase64(base64.slice(start, start + STRETCH + OVERLAP));
    const own = (STRETCH / 4) * 3;
    for (const { index } of text.matchAll(PAGE)) if (index < own) pages += 1;
  }
  return pages;
}

function secondsOfSound(base64: string, mediaType: string, bytes: number): number {
  const header = decodeBase64(base64.slice(0, 64));
  const isWave = header.startsWith("RIFF") && header.slice(8, 12) === "WAVE";
  const rate = isWave ? [31, 30, 29, 28].reduce((value, at) => value * 256 + (header.charCodeAt(at) || 0), 0) : 0;
  const usual = /pcm|l16/i.test(mediaType) ? BYTES_PER_SECOND.samples : BYTES_PER_SECOND.audio;
  return Math.ceil(bytes / (rate > 0 ? rate : usual));
}
