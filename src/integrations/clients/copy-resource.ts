// A part of a provider's client (`chat`, `messages`) that makes its requests through another client than its own.
import { isObject } from "../../formats/json-shape.ts";

/** The resource and those below it, with the wrapped client in the place of its own. */
export function copyResource(resource: object, client: object, wrapped: object): object {
  const copy = Object.create(Object.getPrototypeOf(resource), Object.getOwnPropertyDescriptors(resource));
  for (const [name, value] of Object.entries(copy)) {
    if (value === client) copy[name] = wrapped;
    else if (isObject(value) && value._client === client) copy[name] = copyResource(value, client, wrapped);
  }
  return copy;
}
