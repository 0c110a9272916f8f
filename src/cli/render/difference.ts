// A comparison for a person: sizes, a table of what became of the messages, and which ones.
import type { Difference, DiffMessage } from "../analysis/describe-difference.ts";
import type { Colors } from "../terminal.ts";
import { renderBars } from "./bar.ts";
import { ranges } from "./plan-table.ts";
import { figure, percent, plural, renderTable } from "./table.ts";

const CHANGES: Readonly<Record<DiffMessage["change"], string>> = {
  kept: "kept",
  shortened: "shortened",
  summarized: "summarized",
  pruned: "pruned",
  replaced_summary: "earlier summary, replaced",
  inserted_summary: "summary, inserted",
  inserted_filler: "opener, inserted",
  inserted: "inserted",
};

export function renderDifference(
  difference: Difference,
  labels: { readonly before: string; readonly after: string },
  colors: Colors,
): string {
  const { messages_before, messages_after, tokens_before, tokens_after } = difference;
  const columns = [
    { title: "what" },
    { title: "messages", isNumber: true },
    { title: "tokens", isNumber: true },
    { title: "numbers", width: 60 },
  ];
  const changes = Object.keys(CHANGES) as DiffMessage["change"][];
  const rows = changes.flatMap((change) => {
    const members = difference.messages.filter((message) => message.change === change);
    if (members.length === 0) return [];
    const numbers = ranges(members.map(({ message }) => message));
    return [
      [
        CHANGES[change],
        members.length,
        difference.tokens[change] ?? 0,
        members[0]?.list === "after" ? `${numbers} of the second` : numbers,
      ],
    ];
  });
  return `${[
    `${colors.bold(labels.before)} -> ${colors.bold(labels.after)} (${difference.format})`,
    "",
    ...renderBars(tokens_before, tokens_after, 50, colors),
    `  ${plural(messages_before, "message")} -> ${figure(messages_after)}, tokens ${difference.reduction < 0 ? "+" : "-"}${percent(Math.abs(difference.reduction))}`,
    "",
    renderTable(columns, rows, colors),
  ].join("\n")}\n`;
}
