// The limits of a model, as far as somebody stated them.
import type { Model } from "./model.ts";

export type StatedLimits = Pick<Model, "maxContextTokens" | "maxOutputTokens">;

/** Only those that are there: an absent field and one that is undefined are not the same. */
export function statedLimits(stated: {
  readonly maxContextTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}): StatedLimits {
  const { maxContextTokens, maxOutputTokens } = stated;
  return {
    ...(maxContextTokens === undefined ? {} : { maxContextTokens }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}
