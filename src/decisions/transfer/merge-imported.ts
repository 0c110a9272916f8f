// Which keys of a record that the log has already an import sets: what the file says otherwise. What only the log has stays,
// so does its mark, and of two reviews the later one (merge-review.ts).
import type { RawDecision } from "../decision.ts";
import { canonicalJson } from "../reading/canonical-json.ts";
import { isSilent } from "../reading/field-values.ts";
import { mergeReview, OF_REVIEWS } from "./merge-review.ts";

/** Settled by other rules than the rest. `id` is the same, however it is spelt. */
const SETTLED_ELSEWHERE = new Set<string>(["id", "preserve", "superseded_by", ...OF_REVIEWS]);

/** Undefined where nothing would change. Keys are only ever set, to null where the record must not go on saying it. */
export function mergeImported(known: RawDecision, imported: RawDecision): RawDecision | undefined {
  const said = Object.entries(imported).filter(([key, value]) => !SETTLED_ELSEWHERE.has(key) && isSaid(key, value));
  const wanted: RawDecision = {
    ...Object.fromEntries(said),
    ...("preserve" in known || isSilent(imported.preserve) ? {} : { preserve: imported.preserve }),
    ...mergeReview(known, imported),
  };
  const changes = Object.entries(wanted).filter(([key, value]) => !isSame(known[key], value));
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** An empty list of what it supersedes does not contradict what the log knows. */
function isSaid(key: string, value: unknown): boolean {
  return !isSilent(value) && !(key === "supersedes" && Array.isArray(value) && value.length === 0);
}

function isSame(known: unknown, wanted: unknown): boolean {
  return isSilent(known) && isSilent(wanted) ? true : canonicalJson(known) === canonicalJson(wanted);
}
