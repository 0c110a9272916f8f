// How well stated confidence has matched what came of it, over all reviewed decisions of any age, those that were superseded
// included. Levels, texts and cycles play no part: a compaction cannot change a digit.
import type { DecisionLog, DecisionOptions } from "./decision-log.ts";
import { type PageRequest, readFilter } from "./serving/page-request.ts";
import { isScored, roundHalfUp, type Scored, type ScoredTally, scoredOf, statisticsOf } from "./statistics.ts";

export const VERDICTS = [
  "well_calibrated",
  "slightly_overconfident",
  "overconfident",
  "slightly_underconfident",
  "underconfident",
] as const;
type Verdict = (typeof VERDICTS)[number];

type CalibrationRequest = Pick<PageRequest, "category" | "agent">;

/** Figures have three decimals. All are null below three decisions with an outcome and a confidence. */
interface CalibrationFigures {
  readonly brierScore: number | null;
  /** Success 1, partial 0.5, else 0. */
  readonly accuracy: number | null;
  readonly avgConfidence: number | null;
  /** Accuracy less mean confidence. */
  readonly calibrationGap: number | null;
  readonly interpretation: Verdict | null;
}

interface CalibrationBucket {
  /** `0.9-1.0`, `0.7-0.9`, `0.5-0.7`, `0.0-0.5`: from the first bound on, up to the second. */
  readonly bucket: string;
  readonly decisions: number;
  /** Successes alone. */
  readonly successRate: number;
  readonly accuracy: number;
  /** Mean confidence of the bucket. */
  readonly expectedRate: number;
  readonly gap: number;
  readonly interpretation: Verdict;
}

export interface Calibration {
  readonly overall: CalibrationFigures & {
    /** Reviewed ones. */
    readonly totalDecisions: number;
    /** Of them, those with an outcome and a confidence: what the figures are made of. */
    readonly reviewedDecisions: number;
  };
  /** The highest first; those of fewer than three decisions are left out. */
  readonly byConfidenceBucket: readonly CalibrationBucket[];
}

/** Below so many nothing is said. */
const LEAST = 3;
const DECIMALS = 3;
const BUCKETS = [
  ["0.9-1.0", 0.9],
  ["0.7-0.9", 0.7],
  ["0.5-0.7", 0.5],
  ["0.0-0.5", 0],
] as const;

/** @throws NotFound where there is no log; StoreFailed. */
export async function getCalibration(
  log: DecisionLog,
  request: CalibrationRequest,
  _options?: DecisionOptions,
): Promise<Calibration> {
  const filter = readFilter(request);
  const tallies = await log.read((reader) => reader.tally({ filter }));
  const scored = tallies.filter(isScored);
  const figures = scoredOf(scored);
  return {
    overall: {
      ...figuresOf(figures),
      totalDecisions: statisticsOf(tallies).decisions,
      reviewedDecisions: figures?.decisions ?? 0,
    },
    byConfidenceBucket: BUCKETS.flatMap(([bucket, from], at) => {
      const below = BUCKETS[at - 1]?.[1] ?? Number.POSITIVE_INFINITY;
      return bucketOf(
        bucket,
        scored.filter(({ confidence }) => confidence >= from && confidence < below),
      );
    }),
  };
}

/** Beside the bounds: within 0.05 of each other is well, more than 0.1 apart is no longer slight. */
export function verdictOf(calibrationGap: number): Verdict {
  // 0.6 - 0.7 is -0.1, not a hair more.
  const gap = roundHalfUp(calibrationGap, 9);
  if (Math.abs(gap) < 0.05) return "well_calibrated";
  if (gap < 0) return gap < -0.1 ? "overconfident" : "slightly_overconfident";
  return gap > 0.1 ? "underconfident" : "slightly_underconfident";
}

function figuresOf(scored: Scored | undefined): CalibrationFigures {
  if (scored === undefined || scored.decisions < LEAST) {
    return { brierScore: null, accuracy: null, avgConfidence: null, calibrationGap: null, interpretation: null };
  }
  return {
    brierScore: rounded(scored.brierScore),
    accuracy: rounded(scored.accuracy),
    avgConfidence: rounded(scored.avgConfidence),
    calibrationGap: rounded(scored.calibrationGap),
    interpretation: verdictOf(scored.calibrationGap),
  };
}

function bucketOf(bucket: string, tallies: readonly ScoredTally[]): readonly CalibrationBucket[] {
  const scored = scoredOf(tallies);
  if (scored === undefined || scored.decisions < LEAST) return [];
  return [
    {
      bucket,
      decisions: scored.decisions,
      successRate: rounded(statisticsOf(tallies).successRate ?? 0),
      accuracy: rounded(scored.accuracy),
      expectedRate: rounded(scored.avgConfidence),
      gap: rounded(scored.calibrationGap),
      interpretation: verdictOf(scored.calibrationGap),
    },
  ];
}

function rounded(figure: number): number {
  return roundHalfUp(figure, DECIMALS);
}
