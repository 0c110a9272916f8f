// Keeps what stands beside the records in files of its own: small values, runs, levels of cycles, texts. A file that cannot
// be read is as if it were not there: all of it can be made again.
import type { Level } from "../decision.ts";
import { LEVELS } from "../decision.ts";
import type { CycleRun, DecisionText } from "../decision-log.ts";
import type { Kept, KeptContent, KeptPart } from "../memory/kept.ts";
import { isMap } from "../reading/field-values.ts";
import type { Folder } from "./places.ts";
import { isSame, isSettled, type Stamp, stampOf } from "./stamps.ts";

export const KEPT_FILES: Readonly<Record<KeptPart, string>> = {
  state: "state.json",
  runs: "runs.jsonl",
  levels: "levels.json",
  texts: "texts.jsonl",
};
const PARTS = Object.keys(KEPT_FILES) as readonly KeptPart[];

/** What each file held when it was last looked at. */
export type SeenFiles = Map<KeptPart, { readonly stamp?: Stamp; readonly text: string }>;

export function refreshKept(folder: Folder, kept: Kept, seen: SeenFiles): void {
  for (const part of PARTS) {
    const before = seen.get(part);
    const now = Date.now();
    const path = folder.aside(KEPT_FILES[part]);
    const stats = folder.fs.statSync(path, { throwIfNoEntry: false });
    const stamp = stats === undefined ? undefined : stampOf(stats);
    if (stamp !== undefined && isSame(before?.stamp, stamp)) continue;
    const text = stamp === undefined ? "" : textOf(folder, path);
    if (text !== (before?.text ?? "")) kept.load(contentOf(part, text));
    seen.set(part, { text, ...(stamp !== undefined && isSettled(stamp, now) ? { stamp } : {}) });
  }
}

/** The text of a part's file. */
export function keptText(kept: Kept, part: KeptPart): string {
  if (part === "runs") return lines(kept.runs);
  if (part === "texts") return lines([...kept.texts.values()].flat());
  return `${JSON.stringify(Object.fromEntries(kept[part]))}\n`;
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function textOf({ fs }: Folder, path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function contentOf(part: KeptPart, text: string): KeptContent {
  const values: readonly unknown[] = text.split("\n").map(parsed);
  const entries = Object.entries(isMap(values[0]) ? values[0] : {});
  if (part === "state") return { state: new Map(entries) };
  if (part === "levels") {
    return { levels: new Map(entries.filter((entry): entry is [string, Level] => LEVELS.includes(entry[1] as Level))) };
  }
  if (part === "runs") return { runs: values.filter(isRun) };
  const texts = new Map<string, DecisionText[]>();
  for (const value of values.filter(isText)) texts.set(value.id, [...(texts.get(value.id) ?? []), value]);
  return { texts };
}

function isRun(value: unknown): value is CycleRun {
  return isMap(value) && typeof value.id === "string" && typeof value.started_at === "string" && isMap(value.levels);
}

function isText(value: unknown): value is DecisionText {
  return (
    isMap(value) &&
    ["id", "level", "hash", "strategy", "model", "text", "source"].every((key) => typeof value[key] === "string")
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
