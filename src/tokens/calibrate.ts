// Corrects an estimate by what the provider reports: for model families whose tokenizer nobody published. Pure; where
// the figures come from and when they are too old to use is for the caller to decide.

export interface Calibration {
  /** Tokens reported per token estimated; multiply estimates by it. */
  readonly ratio: number;
  /** Reports that went into it. */
  readonly reports: number;
}

export const UNCALIBRATED: Calibration = { ratio: 1, reports: 0 };

/** No tokenizer in use is further from the estimate than this; what is, is something else (a sum over calls, a cache). */
const LEAST_RATIO = 0.4;
const MOST_RATIO = 4;
/** Below this many tokens the frame around the messages outweighs their text. */
const LEAST_TOKENS = 500;
/** Reports after which a new one weighs no less: a session's text changes, and so does the ratio. */
const MEMORY = 4;

/**
 * Takes in one report: `estimated` is our uncalibrated count of the very request that `reported` tokens were read for,
 * cached ones included. Too small or implausible reports change nothing. The ratio is the mean of the first reports,
 * later a moving mean, always between 0.4 and 4.
 */
export function calibrate(calibration: Calibration, estimated: number, reported: number): Calibration {
  const ratio = reported / estimated;
  const isPlausible = estimated >= LEAST_TOKENS && ratio >= LEAST_RATIO && ratio <= MOST_RATIO;
  if (!isPlausible) return calibration;
  const weight = 1 / Math.min(MEMORY, calibration.reports + 1);
  return { ratio: calibration.ratio + weight * (ratio - calibration.ratio), reports: calibration.reports + 1 };
}
