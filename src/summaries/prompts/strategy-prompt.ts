// What a strategy's prompt consists of. The titles are not in it: they are those of the extractive digest, so that
// both kinds of summary look alike.
import type { Section } from "../shapes.ts";

export interface StrategyPrompt {
  /** What the record is for, one or two sentences. */
  readonly purpose: string;
  /** What stands in each section of the strategy, one sentence. */
  readonly guidance: Readonly<Partial<Record<Section, string>>>;
  /** A stretch of transcript and the record of it. */
  readonly examples: readonly { readonly transcript: string; readonly record: string }[];
}
