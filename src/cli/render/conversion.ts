// What a person reads after a conversion: how many messages became how many, where they are, what is not in them.

import type { Repair } from "../../formats/format.ts";
import type { ReadNote } from "../../formats/readers/reader.ts";
import type { Colors } from "../terminal.ts";
import { figure, oneLine, plural } from "./table.ts";

/** What `--json` prints. */
export interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  readonly messages_before: number;
  /** Null when the result went to stdout. */
  readonly out: string | null;
  readonly notes: readonly ReadNote[];
  /** `message` counts the converted messages from 1, before anything was put right. */
  readonly repairs: readonly (Pick<Repair, "kind" | "action"> & { readonly message: number })[];
}

export function renderConversion(conversion: Conversion, label: string, isReplaced: boolean, colors: Colors): string {
  const { from, to, messages, messages_before: before, out, notes, repairs } = conversion;
  const rows: (readonly [string, string])[] = [
    ["messages", `${figure(before)} -> ${figure(messages)}`],
    ...(repairs.length === 0 ? [] : [["repaired", repairsText(repairs)] as const]),
    ["written to", out === null ? "stdout" : `${out}${isReplaced ? " (replaced)" : ""}`],
  ];
  const lines = [
    `${colors.bold("Converted")}: ${label} (${from}) to ${to}`,
    "",
    ...rows.map(([name, value]) => `  ${colors.dim(name.padEnd(10))}  ${value}`),
    ...(notes.length === 0 ? [] : [""]),
    ...notes.map(({ message }) => `${colors.yellow("note")}  ${oneLine(message)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function repairsText(repairs: Conversion["repairs"]): string {
  const counts = new Map<string, number>();
  for (const { kind } of repairs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].map(([kind, count]) => plural(count, kind.replaceAll("_", " ")));
  return `${kinds.join(", ")}: the provider would have refused the list`;
}
