// How low the confidence in a decision goes, and how far its parts are from each other. A store that works it out by
// itself (SQL) must agree with this file.
import type { Decision } from "../decision.ts";
import type { LevelChange } from "../decision-log.ts";

/** Of the confidences of its reasons; of a record that does not break it down, its own. Undefined without either. */
export function confidenceRange({
  reasons,
  confidence,
}: Pick<Decision, "reasons" | "confidence">): LevelChange["confidence"] {
  const own = reasons.flatMap((reason) => reason.confidence ?? []);
  const components = own.length > 0 || confidence === undefined ? own : [confidence];
  if (components.length === 0) return undefined;
  const [least, most] = components.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [1, 0],
  );
  return { least, spread: most - least };
}
