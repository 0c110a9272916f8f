// The review that a new one took the place of, whole: the record does not have it any more.
import type { RawDecision } from "../../../decisions/decision.ts";
import type { Colors } from "../../terminal.ts";
import { oneLine } from "../table.ts";
import { wrapText } from "./wrap.ts";

/** What stands below the first line, with its name for a person. */
const FIELDS = [
  ["actual_result", "result"],
  ["lessons", "lessons"],
  ["review_notes", "notes"],
] as const;

export function renderReplaced(
  replaced: RawDecision,
  { colors, width }: { readonly colors: Colors; readonly width: number },
): readonly string[] {
  const { outcome, reviewed_at: at, reviewed_by: by } = replaced;
  const about = [
    said(outcome) || "without an outcome",
    ...(said(at) === "" ? [] : [said(at).slice(0, 10)]),
    ...(said(by) === "" ? [] : [`by ${said(by)}`]),
  ];
  return [
    colors.yellow(`It replaced this review, which nothing else keeps: ${about.join(", ")}`),
    ...FIELDS.flatMap(([key, name]) =>
      said(replaced[key]) === "" ? [] : wrapText(said(replaced[key]), { width, indent: "    ", head: `${name}: ` }),
    ),
  ];
}

function said(value: unknown): string {
  if (value === undefined || value === null) return "";
  return oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}
