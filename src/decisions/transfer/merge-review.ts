// Whose review stands after an import, that of the log or that of the file, as a whole; and what either knows of who took
// the decision's place, which no review may drop.
import { readTime } from "../../time.ts";
import { type RawDecision, REVIEWED } from "../decision.ts";
import { isSilent, text } from "../reading/field-values.ts";
import { readSupersession } from "../reading/supersession.ts";
import { isOfTracker } from "./issues/issue-record.ts";

/** What a review says. */
export const OF_REVIEWS = [
  "status",
  "outcome",
  "reviewed_at",
  "actual_result",
  "lessons",
  "review_notes",
  "reviewed_by",
  "affected_kpis",
] as const;

/** `file`: keys that the file says. `file only`: and none that only the log does. */
type Standing = "log" | "file" | "file only";

/** Values of these keys as they are to be; keys that it does not name stay. */
export function mergeReview(known: RawDecision, imported: RawDecision): RawDecision {
  const standing = standingOf(known, imported);
  const merged: Record<string, unknown> = {};
  for (const key of OF_REVIEWS) {
    if (isSilent(imported[key])) {
      if (standing === "file only" && key !== "status" && !isSilent(known[key])) merged[key] = null;
    } else if (standing !== "log") merged[key] = imported[key];
  }
  // A review in the log protects no other status than its own.
  const status = text(known.status) === REVIEWED ? {} : { status: imported.status ?? known.status };
  const settled = { ...status, ...merged };
  return { ...settled, ...keptSupersession(known, imported, text(settled.status ?? known.status)) };
}

function standingOf(known: RawDecision, imported: RawDecision): Standing {
  if (!hasReview(known)) return "file";
  // The tracker has opened the issue again, or closed it otherwise: what it said before is over.
  if (isOfTracker(known) && known.issue_status !== imported.issue_status && !isSilent(imported.issue_status)) {
    return "file only";
  }
  if (!hasReview(imported)) return "log";
  const [before, now] = [readTime(known.reviewed_at), readTime(imported.reviewed_at)];
  if (before === undefined) return "file";
  if (now === undefined || now < before) return "log";
  if (now === before) return "file";
  // Somebody said what came of it; that it was closed later says less.
  return isSilent(imported.outcome) && !isSilent(known.outcome) ? "log" : "file only";
}

function hasReview({ status, outcome, reviewed_at }: RawDecision): boolean {
  return text(status) === REVIEWED || !isSilent(outcome) || !isSilent(reviewed_at);
}

/**
 * A status that says who took the decision's place may be the only one to say so, in the log or in the file. Where a review
 * takes its place the link comes to stand where it stays; without a link to keep the status stays.
 */
function keptSupersession(known: RawDecision, imported: RawDecision, status: string | undefined): RawDecision {
  if (successorIn(imported, "superseded_by") !== undefined) return { superseded_by: imported.superseded_by };
  if (status !== REVIEWED) return {};
  const ofFile = successorIn(imported);
  if (ofFile !== undefined && ofFile !== "") return { superseded_by: ofFile };
  if (!isSilent(known.superseded_by)) return {};
  const ofLog = successorIn(known);
  if (ofLog !== undefined && ofLog !== "") return { superseded_by: ofLog };
  if (ofFile === "") return { status: imported.status };
  return ofLog === "" ? { status: known.status } : {};
}

/** By this key alone; empty where a status names nobody. */
function successorIn(record: RawDecision, key: "status" | "superseded_by" = "status"): string | undefined {
  return readSupersession({ [key]: record[key] }, "").supersededBy;
}
