// The peer: every record read from one file of JSON lines and worked out in plain code for each call, as a log without an
// index does it. It serves and counts the same, in its barest form.
import { readFileSync } from "node:fs";
import { DAY_MS } from "../../src/time.ts";

interface Plain {
  readonly id: string;
  readonly date: string;
  readonly category: string;
  readonly status: string;
  readonly outcome?: string;
  readonly confidence?: number;
  readonly preserve?: boolean;
  readonly pattern?: string;
  readonly lessons?: string;
  readonly reasons?: readonly { readonly text: string }[];
}

function readAll(path: string): readonly Plain[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Plain);
}

function levelOf({ date, status, preserve }: Plain, now: number): string {
  if (preserve === true || status !== "reviewed") return "full";
  const days = Math.floor((now - Date.parse(date)) / DAY_MS);
  return days < 7 ? "full" : days < 30 ? "summary" : days < 90 ? "digest" : "wisdom";
}

export function plainCompacted(path: string, now: number, limit: number) {
  const levels: Record<string, number> = {};
  const served: { readonly record: Plain; readonly level: string }[] = [];
  for (const record of readAll(path)) {
    const level = levelOf(record, now);
    levels[level] = (levels[level] ?? 0) + 1;
    if (level !== "wisdom") served.push({ record, level });
  }
  served.sort((a, b) => (a.record.date < b.record.date ? 1 : -1));
  return { levels, page: served.slice(0, limit) };
}

export function plainWisdom(path: string, now: number) {
  const categories = new Map<string, Map<string, { confirmations: number; failures: number }>>();
  for (const record of readAll(path)) {
    if (now - Date.parse(record.date) < 90 * DAY_MS || record.status !== "reviewed") continue;
    const wordings = categories.get(record.category) ?? new Map();
    categories.set(record.category, wordings);
    const said = [record.pattern, record.lessons, ...(record.reasons ?? []).map(({ text }) => text)];
    for (const key of new Set(said.flatMap((text) => text?.toLowerCase().trim() ?? []))) {
      const counts = wordings.get(key) ?? { confirmations: 0, failures: 0 };
      if (record.outcome === "success") counts.confirmations += 1;
      if (record.outcome === "failure") counts.failures += 1;
      wordings.set(key, counts);
    }
  }
  return [...categories].map(([category, wordings]) => ({
    category,
    principles: [...wordings].sort(([, a], [, b]) => b.confirmations - a.confirmations).slice(0, 5),
    failureModes: [...wordings].sort(([, a], [, b]) => b.failures - a.failures).slice(0, 5),
  }));
}
