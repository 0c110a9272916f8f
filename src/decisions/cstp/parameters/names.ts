// Under which names a parameter may arrive: its own, the same in snake_case, and those that records and other servers have
// for it.

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  decisionId: ["id"],
  recordedBy: ["agent"],
  reviewedBy: ["agent"],
  notes: ["reviewNotes", "review_notes"],
};

/** Its own first. */
export function namesOf(parameter: string): readonly string[] {
  return [...new Set([parameter, snakeCase(parameter), ...(ALIASES[parameter] ?? [])])];
}

/** What a record of a decision holds. A client that sends a whole record has misspelt none of these. */
const RECORD_FIELDS = [
  ...["id", "summary", "decision", "category", "confidence", "stakes", "status", "date", "createdAt", "context"],
  ...["reasons", "trace", "deliberation", "bridge", "relatedTo", "kpiIndicators", "mentalState", "reviewBy", "tags"],
  ...["pattern", "preDecision", "recordedBy", "project", "feature", "pr", "file", "line", "commit", "preserve"],
  ...["outcome", "reviewedAt", "actualResult", "lessons", "reviewNotes", "affectedKpis", "reviewedBy"],
  ...["supersedes", "supersededBy"],
];

/** In either spelling. */
export function isRecordField(key: string): boolean {
  return RECORD_FIELDS.some((field) => key === field || key === snakeCase(field));
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
