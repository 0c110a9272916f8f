// Finds the call that a result belongs to, where the two stand apart: by its id or, in older files, by its name only.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText } from "../../json-shape.ts";

interface Queue {
  readonly given: string[];
  next: number;
}

/** Calls that wait for their result, oldest first. */
export class OpenCalls {
  readonly #waiting = new Map<string, Queue>();

  /** `given`: the id that the call has in the messages. */
  add(call: JsonObject, given: string): void {
    const key = keyOf(call);
    const queue = this.#waiting.get(key);
    if (queue === undefined) this.#waiting.set(key, { given: [given], next: 0 });
    else queue.given.push(given);
  }

  /** The id of the call that this answers; undefined when none of its waits. */
  take(response: JsonObject): string | undefined {
    return this.#first(keyOf(response)) ?? this.#first(`name ${asText(response.name)}`);
  }

  #first(key: string): string | undefined {
    const queue = this.#waiting.get(key);
    const given = queue?.given[queue.next];
    if (queue !== undefined && given !== undefined) queue.next += 1;
    return given;
  }
}

function keyOf({ id, name }: JsonObject): string {
  return isFilledText(id) ? `id ${id}` : `name ${asText(name)}`;
}
