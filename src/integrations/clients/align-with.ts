// Puts the messages of the current list in the place of earlier objects that say the same, where a caller builds its list
// anew for each call: what is sent is what it holds now.
import { type JsonObject, toJson } from "../../formats/json-shape.ts";

/** `core` is what counts for being the same. The same array when each is from `current` already. Linear. */
export function alignWith(
  current: readonly JsonObject[],
  sent: readonly JsonObject[],
  core: (message: JsonObject) => JsonObject,
): readonly JsonObject[] {
  const places = new Map(current.map((message, at) => [message, at]));
  if (sent === current || sent.every((message) => places.has(message))) return sent;
  const alike = groupByText(current, core);
  let end = current.length;
  const aligned = sent.toReversed().map((message) => {
    const own = places.get(message);
    if (own !== undefined) {
      end = own;
      return message;
    }
    const candidates = alike.get(toJson(core(message))) ?? [];
    while (candidates.length > 0 && (candidates.at(-1) ?? 0) >= end) candidates.pop();
    const at = candidates.pop();
    if (at === undefined) return message;
    end = at;
    return current[at] ?? message;
  });
  return aligned.reverse();
}

/** Places of the messages by what they say, in rising order. */
function groupByText(
  messages: readonly JsonObject[],
  core: (message: JsonObject) => JsonObject,
): ReadonlyMap<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [at, message] of messages.entries()) {
    const text = toJson(core(message));
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [at]);
    else group.push(at);
  }
  return groups;
}
