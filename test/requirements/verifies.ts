// What a test calls to say which requirements it proves. An unknown id fails the test at once.
// The gate in scripts/ reads the same calls from the source text, so ids are written as string literals.
import { requirementParts } from "./parts.ts";

const knownIds = new Set(requirementParts.flatMap((part) => part.requirements.map((requirement) => requirement.id)));

/** Throws an Error when an id is not in the requirement lists. */
export function verifies(...ids: string[]): void {
  for (const id of ids) {
    if (!knownIds.has(id)) throw new Error(`No requirement "${id}": see test/requirements/ for the ids`);
  }
}
