// Which format a file of decisions has: by the end of its name, and where that says too little by what stands in it.
import { isMap } from "../reading/field-values.ts";
import type { DecisionFormat } from "./decision-source.ts";
import { readJsonItems } from "./json-values.ts";

/** Characters from which the contents are judged. */
const LOOKED_AT = 200_000;

/** Undefined for a file that is none of them. */
export function detectDecisionFormat(name: string, text: string): DecisionFormat | undefined {
  const bare = name.toLowerCase().replace(/\.gz$/, "");
  if (/\.(?:md|markdown|mdx)$/.test(bare)) return "adr";
  if (/\.ya?ml$/.test(bare)) return "cstp";
  if (/\.(?:jsonl?|ndjson)$/.test(bare)) return formatOfJson(text);
  const start = text.slice(0, LOOKED_AT).replace(/^\ufeff?\s{1,1000}|^\ufeff/, "");
  if (/^[[{]/.test(start)) return formatOfJson(text);
  if (/^(?:#{1,6} \S|[^\n]{1,200}\n={3,}\s{0,100}\n)/.test(start)) return "adr";
  if (/^---\s/.test(start) && /^---\s{0,100}$/m.test(start.slice(4)) && /^#{1,6} \S/m.test(start)) return "adr";
  return /^(?:- )?(?:id|summary|decision|timestamp|date|category):/m.test(start) ? "cstp" : undefined;
}

/** Records of decisions are known by their text, issues by a title. */
function formatOfJson(text: string): DecisionFormat | undefined {
  const whole = firstValue(text.slice(0, LOOKED_AT)) ?? firstValue(text);
  if (whole === undefined) return undefined;
  if ("decision" in whole || ("summary" in whole && !("title" in whole))) return "cstp";
  const isIssue = "title" in whole && ["id", "number", "status", "state", "issue_type"].some((key) => key in whole);
  return isIssue ? "issues" : undefined;
}

function firstValue(text: string): Readonly<Record<string, unknown>> | undefined {
  return readJsonItems(text)
    .items.map(({ value }) => value)
    .find(isMap);
}
