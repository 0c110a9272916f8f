// What the edits of memory files depend on besides the files.
import type { PlannedEdit } from "../plan.ts";
import type { Draft } from "./draft.ts";
import type { Mentions } from "./moving/last-use.ts";
import type { TakenSoFar } from "./taken-so-far.ts";

export interface EditsContext {
  readonly now: number;
  readonly count: (text: string) => number;
  readonly aggressive: boolean;
  readonly moreThanHalf: boolean;
  readonly taken: TakenSoFar;
  /** Sections move; else they are only proposed to. */
  readonly move: boolean;
  readonly maxMemoryKb: number;
  /** What the notes say of the sections of the main file; undefined where none of them may move. */
  readonly mentions: Mentions | undefined;
  /** What leaves the notes, and which places of the memory hold it. */
  readonly removals: readonly Draft<PlannedEdit>[];
  readonly signal?: AbortSignal | undefined;
}
