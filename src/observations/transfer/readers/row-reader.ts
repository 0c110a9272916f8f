// The contract of an import format. Adding one is one file that implements `RowReader` and its line in read-rows.ts.
import type { ImportedRows } from "../imported-rows.ts";

export interface PlacedValue {
  readonly value: unknown;
  /** `line 3`, `item 4`; empty for the one value of a JSON text. */
  readonly position: string;
}

export interface Fault {
  readonly reason: string;
  readonly position: string;
}

/** A text taken apart: the items of one JSON array, one JSON value, or the values of JSON Lines. */
export interface ReadText {
  readonly values: readonly PlacedValue[];
  /** True for a JSON text that is one object. */
  readonly isObject: boolean;
  /** Lines that are not JSON. */
  readonly faults: readonly Fault[];
}

export interface RowReader {
  /** As `format` takes it. */
  readonly name: string;
  /** What a message to the user calls such a text, without an article. */
  readonly title: string;
  /** Looks at shapes only; a text matches when one of its values is surely of this format. */
  matches(text: ReadText): boolean;
  /** Never throws: what is not understood is skipped and said. */
  read(text: ReadText): ImportedRows;
}
