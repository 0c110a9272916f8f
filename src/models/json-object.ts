// Reading JSON whose shape nobody promised: what is no object is read as an empty one.
import { isObject, type JsonObject } from "../formats/json-shape.ts";

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
