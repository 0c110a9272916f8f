// A message that was changed shares nothing with the caller's: whoever marks up what is sent, as callers do to cache it,
// does not write into the history that it came from. A message that stays is the caller's own object.
import { detach } from "../../../formats/protected.ts";

export function detachChanged(messages: readonly unknown[], given: readonly unknown[]): readonly unknown[] {
  const own = new Set(given);
  return messages.map((message) => (own.has(message) ? message : detach(message)));
}
