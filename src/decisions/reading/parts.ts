// Reasons and bridge of a record.
import type { Bridge, Reason } from "../decision.ts";
import { isMap, listOf, share, text } from "./field-values.ts";

/** Each a map with a text, or a text alone. */
export function readReasons(value: unknown): readonly Reason[] {
  return listOf(value).flatMap((reason) => {
    const said = isMap(reason) ? text(reason.text) : text(reason);
    if (said === undefined) return [];
    const { type, strength, confidence } = isMap(reason) ? reason : {};
    const [weight, own] = [share(strength), share(confidence)];
    return {
      type: text(type) ?? "analysis",
      text: said,
      ...(weight === undefined ? {} : { strength: weight }),
      ...(own === undefined ? {} : { confidence: own }),
    };
  });
}

/** Undefined where it says neither what the decision is nor what it is for. */
export function readBridge(value: unknown): Bridge | undefined {
  if (!isMap(value)) return undefined;
  const structure = text(value.structure) ?? "";
  const purpose = text(value.function) ?? "";
  if (structure === "" && purpose === "") return undefined;
  const texts = (list: unknown) => listOf(list).flatMap((item) => text(item) ?? []);
  return {
    structure,
    function: purpose,
    tolerance: texts(value.tolerance),
    enforcement: texts(value.enforcement),
    prevention: texts(value.prevention),
  };
}
