// Where the next page of an answer begins, as an opaque text that a client hands back. It begins with the name of the tool that
// gave it: handed to another, it would be a wrong place in another answer. And how long a page is, from what a call says.
import * as z from "zod";
import { CompactError } from "../errors.ts";

const LONGEST_CURSOR = 400;

export function writeCursor(toolName: string, position: Readonly<Record<string, unknown>>): string {
  return `${toolName}.${Buffer.from(JSON.stringify(position)).toString("base64url")}`;
}

/** Undefined without one. Throws `InvalidInput` for a text that `writeCursor` did not make for this tool. */
export function readCursor<Schema extends z.ZodType>(
  toolName: string,
  cursor: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = schema.safeParse(decode(toolName, cursor));
  if (parsed.success) return parsed.data;
  const [, other] = /^([a-z_]{1,40})\./.exec(cursor) ?? [];
  const whose = other === undefined || other === toolName ? "" : `; it is one of ${other}`;
  throw new CompactError("InvalidInput", `'cursor' is not one that ${toolName} gave${whose}.`, {
    code: "INVALID_CURSOR",
    hint: "Send the next_cursor of the last answer unchanged, with the same other arguments, or leave it out.",
  });
}

function decode(toolName: string, cursor: string): unknown {
  const [name, position, ...others] = cursor.length > LONGEST_CURSOR ? [] : cursor.trim().split(".");
  if (name !== toolName || position === undefined || others.length > 0) return undefined;
  try {
    return JSON.parse(Buffer.from(position, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A page that is known by how many came before. */
export const offsetCursor = z.strictObject({ offset: z.int().min(0) });

/** 0 without a cursor. Throws `InvalidInput` for one that no answer gave. */
export function offsetOf(toolName: string, cursor: string | undefined): number {
  return readCursor(toolName, cursor, offsetCursor)?.offset ?? 0;
}

/** Where the next page begins; undefined on the last. */
export function nextOffset(toolName: string, offset: number, shown: number, total: number): string | undefined {
  const end = offset + shown;
  return shown > 0 && end < total ? writeCursor(toolName, { offset: end }) : undefined;
}

/** Items a page: the usual number where none above 0 is asked for. */
export function pageSize(asked: number | undefined, usual: number, most: number): number {
  return asked === undefined || !(asked >= 1) ? usual : Math.min(most, Math.floor(asked));
}
