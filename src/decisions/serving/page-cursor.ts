// Where the next page of an answer begins, as an opaque text that a client hands back: a place in the order of decisions,
// how many were served before it, and a mark of the request, since under another filter neither says anything.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { Position } from "../decision-log.ts";

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

/** Throws InvalidInput (`INVALID_CURSOR`) for a text that `writeCursor` did not make, or made for another request. */
export function readCursor(cursor: string, mark: string): PagePlace {
  const read = cursorSchema.safeParse(decode(cursor.trim()));
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
