// The messages of an input as they were found: whose they are, what is sent beside them, where they stand in the text.
import type { Format } from "../../formats/format.ts";
import type { ReadNote } from "../../formats/readers/reader.ts";
import type { ArraySlices, Slice } from "../../text/json-slices.ts";

export type Layout =
  | { readonly kind: "array"; readonly array: ArraySlices }
  | { readonly kind: "lines"; readonly slices: readonly Slice[] };

export interface FoundMessages {
  readonly format: Format;
  /** The name of what was read: a format, or a reader of session files, whose messages are of `format`. */
  readonly readAs: string;
  readonly messages: readonly unknown[];
  readonly system?: unknown;
  readonly tools?: readonly unknown[];
  /** Undefined when the messages are no slices of the text: a session file, a single message. */
  readonly layout: Layout | undefined;
  /** The file's own id. */
  readonly sessionId?: string;
  readonly notes: readonly ReadNote[];
}
