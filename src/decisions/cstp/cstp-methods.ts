// The only list of CSTP methods, and a call of one.
import type { CstpContext, CstpMethod } from "./method.ts";
import { readCall } from "./read-params.ts";
import {
  getCalibrationMethod,
  getCompactedMethod,
  getDecisionMethod,
  getWisdomMethod,
  queryDecisionsMethod,
} from "./reading-methods.ts";
import { compactMethod, recordDecisionMethod, reviewDecisionMethod, setPreserveMethod } from "./writing-methods.ts";

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

// One call of a method as JSON-RPC makes it: parameters read, method run, and a write that did not take all it was sent says
// so, since nobody looks again at what was written.

/** Throws `InvalidInput` (`INVALID_PARAMS`), and what the method throws. */
export async function runMethod(
  method: CstpMethod,
  given: Readonly<Record<string, unknown>>,
  context: CstpContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { params, ignored } = readCall(method, given);
  const result = await method.run(params, context);
  return method.hints.isReadOnly || ignored.length === 0 ? result : { ...result, ignored };
}
