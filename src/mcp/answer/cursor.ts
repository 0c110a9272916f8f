// Where the next page of an answer begins, as an opaque text that a client hands back.
import { z } from "zod";
import { CompactError } from "../../errors.ts";

const LONGEST = 400;

export function writeCursor(position: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Throws `InvalidInput` for a text that `writeCursor` did not make for this kind of answer. */
export function readCursor<Schema extends z.ZodType>(cursor: string, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(decode(cursor));
  if (parsed.success) return parsed.data;
  throw new CompactError("InvalidInput", "'cursor' is not one that this tool gave.", {
    code: "INVALID_CURSOR",
    hint: "Send the next_cursor of the last answer unchanged, with the same other arguments, or leave it out.",
  });
}

function decode(cursor: string): unknown {
  if (cursor.length > LONGEST) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A page that is known by how many came before. */
export const offsetCursor = z.strictObject({ offset: z.int().min(0) });
