// What is asked for when rows are wanted in the order of time.
import type { Condition } from "../conditions.ts";

export interface TimeQuery {
  readonly conditions: readonly Condition[];
  readonly direction: "oldest" | "newest";
  readonly limit: number;
  /** Times strictly before, in milliseconds. */
  readonly before?: number;
  /** With `oldest`: later in the order than this row. */
  readonly after?: { readonly createdAt: number; readonly id: number };
}
