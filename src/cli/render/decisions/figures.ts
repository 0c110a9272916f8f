// Figures of wisdom and calibration as a person reads them.
import { roundHalfUp } from "../../../decisions/calibration/round.ts";

/** `+0.06`, `-0.10`: accuracy less confidence. */
export function signed(gap: number): string {
  return `${gap > 0 ? "+" : ""}${roundHalfUp(gap, 2).toFixed(2)}`;
}
