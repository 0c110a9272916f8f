// Where a page begins and how long it is, from what a call says.
import { offsetCursor, readCursor } from "../../answer/cursor.ts";

/** 0 without a cursor; clients send an empty text for none. Throws `InvalidInput` for one that no answer gave. */
export function offsetOf(toolName: string, cursor: string | undefined): number {
  return cursor === undefined || cursor.trim() === "" ? 0 : readCursor(toolName, cursor, offsetCursor).offset;
}

/** Items a page: the usual number where none above 0 is asked for. */
export function pageSize(asked: number | undefined, usual: number, most: number): number {
  return asked === undefined || !(asked >= 1) ? usual : Math.min(most, Math.floor(asked));
}
