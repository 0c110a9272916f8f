// What the requests of reading share: which decisions, which level, how many, from where. Blank texts and null are as if
// they were absent; everything else that cannot be meant is refused.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
import { withoutUndefined } from "../../text/json-values.ts";
import { LEVELS, type Level } from "../decision.ts";
import type { DecisionFilter, Position } from "../decision-log.ts";

export interface PageRequest {
  /** Exact name. */
  readonly category?: string | null | undefined;
  /** Who recorded them; exact name. */
  readonly agent?: string | null | undefined;
  /** Only decisions of this level: `full`, `summary`, `digest` or `wisdom`. */
  readonly level?: string | null | undefined;
  /** Decisions of one answer, 1 to 500: what is beyond is taken as the nearest. Default 50. */
  readonly limit?: number | null | undefined;
  /** `nextCursor` of the last answer. */
  readonly cursor?: string | null | undefined;
}

const DEFAULT_LIMIT = 50;
const MOST = 500;
const LONGEST_QUERY = 1000;

/** Punctuation around a word, as in a sentence; what stands inside one, or belongs to it as in C++, stays. */
const AROUND = /^["'“”‘’([{<¿¡]{1,20}|["'“”‘’)\]}>,.;:!?…]{1,20}$/g;

export function readFilter(request: Pick<PageRequest, "category" | "agent">): DecisionFilter {
  return withoutUndefined({ category: named(request.category), agent: named(request.agent) });
}

/** Undefined for all levels. @throws InvalidInput (`UNKNOWN_LEVEL`) that lists them. */
export function readLevel(given: string | null | undefined): Level | undefined {
  const name = named(given);
  const level = LEVELS.find((known) => known === name);
  if (name === undefined || level !== undefined) return level;
  throw new CompactError("InvalidInput", `There is no level "${name.slice(0, 40)}".`, {
    code: "UNKNOWN_LEVEL",
    hint: `Use one of: ${LEVELS.join(", ")}.`,
    data: { levels: LEVELS },
  });
}

/** @throws InvalidInput (`INVALID_LIMIT`) for what is no number. */
export function readLimit(given: number | null | undefined): number {
  return readNumber(given, { name: "limit", code: "INVALID_LIMIT", range: [1, MOST] }) ?? DEFAULT_LIMIT;
}

/** The nearest whole number in the range; undefined where none is given. @throws InvalidInput for what is no number. */
export function readNumber(
  given: number | null | undefined,
  { name, code, range }: { readonly name: string; readonly code: string; readonly range: readonly [number, number] },
): number | undefined {
  if (given === undefined || given === null) return undefined;
  const [least, most] = range;
  if (typeof given === "number" && !Number.isNaN(given)) return Math.min(most, Math.max(least, Math.trunc(given)));
  throw new CompactError("InvalidInput", `${name} is not a number.`, {
    code,
    hint: `Give a whole number from ${least} to ${most}.`,
  });
}

/** Words that all must occur. @throws InvalidInput (`QUERY_TOO_LONG`). */
export function readWords(query: string | null | undefined): readonly string[] {
  const text = named(query) ?? "";
  if (text.length > LONGEST_QUERY) {
    throw new CompactError("InvalidInput", `query is longer than ${LONGEST_QUERY} characters.`, {
      code: "QUERY_TOO_LONG",
      hint: "Give the few words that the decisions must hold.",
    });
  }
  const words = text.split(/\s+/).map((word) => word.replace(AROUND, "") || word);
  return [...new Set(words.filter((word) => word !== "").map((word) => word.toLowerCase()))];
}

/** Trimmed; undefined for what is blank, null or no text. */
export function named(given: string | null | undefined): string | undefined {
  const trimmed = typeof given === "string" ? given.trim() : "";
  return trimmed === "" ? undefined : trimmed;
}

// Where the next page of an answer begins, as an opaque text that a client hands back: a place in the order of decisions,
// how many were served before it, and a mark of the request, since under another filter neither says anything.

const LONGEST = 4000;

const cursorSchema = z.strictObject({
  /** Milliseconds since the epoch; absent for a decision without a readable date. */
  at: z.number().optional(),
  id: z.string().min(1),
  before: z.int().min(0),
  /** Of the request. */
  of: z.string(),
});

/** Hex digits of a mark: it tells requests apart that somebody mixed up. */
const MARK_LENGTH = 8;

/** The same for the same request, whatever the order of its keys; absent is as undefined. */
export function markOf(request: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(request).filter(([, value]) => value !== undefined);
  return sha256(JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, MARK_LENGTH);
}

export interface PagePlace {
  readonly position: Position;
  /** Decisions on the pages before. */
  readonly before: number;
}

/** `mark`: of the request that the page answers. */
export function writeCursor({ position: { decidedAt, id }, before }: PagePlace, mark: string): string {
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ...(decidedAt === undefined ? {} : { at: decidedAt }), id, before, of: mark }),
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Undefined for the first page. `mark`: of the request.
 * @throws InvalidInput (`INVALID_CURSOR`) for a text that `writeCursor` did not make, or made for another request.
 */
export function readPlace(given: string | null | undefined, mark: string): PagePlace | undefined {
  const cursor = named(given);
  if (cursor === undefined) return undefined;
  const read = cursorSchema.safeParse(decode(cursor));
  if (!read.success) throw refused("The cursor is not one that an answer gave.");
  const { at, id, before, of } = read.data;
  if (of !== mark) throw refused("The cursor is of an answer to a request with other parameters.");
  return { position: { ...(at === undefined ? {} : { decidedAt: at }), id }, before };
}

function refused(message: string): CompactError {
  return new CompactError("InvalidInput", message, {
    code: "INVALID_CURSOR",
    hint: "Send nextCursor of the last answer unchanged, with the same other parameters, or leave it out.",
  });
}

function decode(cursor: string): unknown {
  if (cursor.length > LONGEST) return undefined;
  try {
    const binary = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
