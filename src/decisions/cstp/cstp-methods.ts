// The only list of CSTP methods.
import type { CstpMethod } from "./method.ts";
import { compactMethod } from "./methods/compact.ts";
import { getCalibrationMethod } from "./methods/get-calibration.ts";
import { getCompactedMethod } from "./methods/get-compacted.ts";
import { getDecisionMethod } from "./methods/get-decision.ts";
import { getWisdomMethod } from "./methods/get-wisdom.ts";
import { queryDecisionsMethod } from "./methods/query-decisions.ts";
import { recordDecisionMethod } from "./methods/record-decision.ts";
import { reviewDecisionMethod } from "./methods/review-decision.ts";
import { setPreserveMethod } from "./methods/set-preserve.ts";

export const CSTP_METHODS: readonly CstpMethod[] = [
  compactMethod,
  getCompactedMethod,
  setPreserveMethod,
  getWisdomMethod,
  recordDecisionMethod,
  reviewDecisionMethod,
  queryDecisionsMethod,
  getDecisionMethod,
  getCalibrationMethod,
];
