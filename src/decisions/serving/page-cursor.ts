// Where the next page of an answer begins, as an opaque text that a client hands back. It belongs to no request: it is a
// place in the order of decisions, and how many were served before it.
import { z } from "zod";
import { CompactError } from "../../errors.ts";
import type { Position } from "../decision-log.ts";

const LONGEST = 4000;

const cursorSchema = z.strictObject({
  /** Milliseconds since the epoch; absent for a decision without a readable date. */
  at: z.number().optional(),
  id: z.string().min(1),
  before: z.int().min(0),
});

export interface PagePlace {
  readonly position: Position;
  /** Decisions on the pages before. */
  readonly before: number;
}

export function writeCursor({ position: { decidedAt, id }, before }: PagePlace): string {
  const bytes = new TextEncoder().encode(
    JSON.stringify({ ...(decidedAt === undefined ? {} : { at: decidedAt }), id, before }),
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Throws InvalidInput (`INVALID_CURSOR`) for a text that `writeCursor` did not make. */
export function readCursor(cursor: string): PagePlace {
  const read = cursorSchema.safeParse(decode(cursor.trim()));
  if (!read.success) {
    throw new CompactError("InvalidInput", "The cursor is not one that an answer gave.", {
      code: "INVALID_CURSOR",
      hint: "Send nextCursor of the last answer unchanged, with the same other parameters, or leave it out.",
    });
  }
  const { at, id, before } = read.data;
  return { position: { ...(at === undefined ? {} : { decidedAt: at }), id }, before };
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
