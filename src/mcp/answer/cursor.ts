// Where the next page of an answer begins, as an opaque text that a client hands back. It begins with the name of the tool
// that gave it: handed to another, it would be a wrong place in another answer.
import * as z from "zod";
import { CompactError } from "../../errors.ts";

const LONGEST = 400;

export function writeCursor(toolName: string, position: Readonly<Record<string, unknown>>): string {
  return `${toolName}.${Buffer.from(JSON.stringify(position)).toString("base64url")}`;
}

/** Throws `InvalidInput` for a text that `writeCursor` did not make for this tool. */
export function readCursor<Schema extends z.ZodType>(
  toolName: string,
  cursor: string,
  schema: Schema,
): z.infer<Schema> {
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
  const [name, position, ...others] = cursor.length > LONGEST ? [] : cursor.trim().split(".");
  if (name !== toolName || position === undefined || others.length > 0) return undefined;
  try {
    return JSON.parse(Buffer.from(position, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A page that is known by how many came before. */
export const offsetCursor = z.strictObject({ offset: z.int().min(0) });
