// What came of an issue, by the sentence with which it was closed. Said to be done: a success; said to be moot: abandoned.
// What says neither, or both, says nothing: nobody has reviewed such an issue.
import { splitSentences } from "../../language/sentences.ts";
import type { Outcome } from "../decision.ts";

/** A reason begins so, or names the work and then says so. */
const DONE =
  "implemented|fixed|added|changed|merged|completed|resolved|removed|released|refactored|updated|documented|migrated|extracted|replaced|verified|renamed|upgraded|landed|shipped|deployed|created|built|committed|rewritten|rewrote";
const MOOT =
  /\b(?:won'?t (?:fix|do|be)|not (?:planned|needed|a bug|reproducible|doing|implementing|pursuing)|cannot reproduce|obsolete|stale|spurious|duplicate|superseded|rejected|invalid|wrong (?:repo|rig|project|place)|misfiled|orphaned|no longer|skipp(?:ed|ing)|abandoned|refil(?:ed|ing)|deferred|moved to)\b/i;
const BEGINS_DONE = new RegExp(`^(?:all |already )?(?:${DONE}|complete)\\b`, "i");
const ENDS_DONE = new RegExp(
  `^(?:pr|mr|gh|reviewed|pull request|release|all|both|epic|phase|implementation|work|fix|feature|tests?|workflow)\\b.{0,100}\\b(?:${DONE}|complete|successfully)\\b`,
  "i",
);
const UNDONE = /\b(?:not|never|failed|fails|partially|partly|requested changes|todo|remaining|except|but)\b/i;

/** Undefined where it says neither. */
export function outcomeOfReason(reason: string): Outcome | undefined {
  const [first = ""] = splitSentences(reason.trim());
  const isDone = BEGINS_DONE.test(first) || ENDS_DONE.test(first);
  if (isDone && /\b(?:partially|partly)\b/i.test(first)) return "partial";
  if (isDone) return UNDONE.test(first) ? undefined : "success";
  return MOOT.test(first) && !/\bmerged\b/i.test(first) ? "abandoned" : undefined;
}
