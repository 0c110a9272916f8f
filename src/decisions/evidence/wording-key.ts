// The key under which wordings of one principle meet.
import { factKey } from "../../similarity/same-fact.ts";

/** Empty for a text without words. */
export function wordingKey(text: string): string {
  return text.trim() === "" ? "" : factKey(text);
}
