// An inspection for a person: a line of totals, then where the tokens are, then what a compaction would do.
import type { Inspection } from "../analysis/inspect-messages.ts";
import type { Colors, OutputStream } from "../terminal.ts";
import { widthOf } from "../terminal.ts";
import { bar } from "./bar.ts";
import { figure, percent, plural, renderTable } from "./table.ts";

const MOST_TOOLS = 12;

export function renderInspection(
  inspection: Inspection,
  { label }: { readonly label: string },
  stream: OutputStream,
  colors: Colors,
): string {
  const { format, messages, tokens } = inspection;
  const barWidth = Math.max(10, Math.min(30, widthOf(stream) - 60));
  const sections = [
    `${colors.bold(label)} (${format}): ${plural(messages, "message")}, ${plural(tokens.total, "token")}`,
    section("By component", components(inspection, barWidth, colors), colors),
    section("By role", roles(inspection, colors), colors),
    ...(Object.keys(inspection.by_tool).length === 0
      ? []
      : [section("By tool", tools(inspection, barWidth, colors), colors)]),
    section("Largest messages", largest(inspection, colors), colors),
    section("A compaction now", planLines(inspection), colors),
    section("Facts that a summary holds, by its size", factShares(inspection, barWidth, colors), colors),
  ];
  return `${sections.join("\n\n")}\n`;
}

function section(title: string, body: string, colors: Colors): string {
  return `${colors.bold(title)}\n${body}`;
}

const NUMBER = { isNumber: true } as const;

function components({ tokens }: Inspection, width: number, colors: Colors): string {
  const { total, ...parts } = tokens;
  const rows = Object.entries(parts).map(([name, count]) => [
    name.replaceAll("_", " "),
    count,
    share(count, total),
    bar(count, total, width),
  ]);
  return renderTable(
    [{ title: "" }, { title: "tokens", ...NUMBER }, { title: "share", ...NUMBER }, { title: "" }],
    rows,
    colors,
  );
}

function roles({ by_role, tokens }: Inspection, colors: Colors): string {
  const rows = Object.entries(by_role).map(([role, { messages, tokens: count }]) => [
    role,
    messages,
    count,
    share(count, tokens.total),
  ]);
  return renderTable(
    [
      { title: "role" },
      { title: "messages", ...NUMBER },
      { title: "tokens", ...NUMBER },
      { title: "share", ...NUMBER },
    ],
    rows,
    colors,
  );
}

function tools({ by_tool, tokens }: Inspection, width: number, colors: Colors): string {
  const all = Object.entries(by_tool);
  const rows = all
    .slice(0, MOST_TOOLS)
    .map(([name, { calls, tokens: count }]) => [
      name,
      calls,
      count,
      share(count, tokens.total),
      bar(count, tokens.total, width),
    ]);
  const table = renderTable(
    [
      { title: "tool", width: 40 },
      { title: "calls", ...NUMBER },
      { title: "tokens", ...NUMBER },
      { title: "share", ...NUMBER },
      { title: "" },
    ],
    rows,
    colors,
  );
  return all.length > MOST_TOOLS
    ? `${table}\n  and ${plural(all.length - MOST_TOOLS, "more tool")}: see --json`
    : table;
}

function largest(inspection: Inspection, colors: Colors): string {
  const rows = inspection.largest.map(({ message, role, tokens, what }) => [message, role, tokens, what]);
  return renderTable(
    [{ title: "#", ...NUMBER }, { title: "role" }, { title: "tokens", ...NUMBER }, { title: "what", width: 60 }],
    rows,
    colors,
  );
}

function planLines({ plan, tokens }: Inspection): string {
  if (!plan.possible) return `  is not possible: ${plan.reason}`;
  if (plan.expected_tokens >= tokens.total)
    return `  would not make it smaller (budget ${figure(plan.budget)}, aim ${figure(plan.target)}).`;
  const { kept } = plan;
  return [
    `  keeps   ${figure(kept.pinned)} pinned, ${plural(kept.recent_turns, "recent turn")}, ${plural(kept.tool_pairs, "tool pair")}`,
    `  leaves  ${plural(plan.pruned_count, "message")} to a summary of at most ${plural(plan.summary_max_tokens, "token")}`,
    `  size    ${figure(tokens.total)} -> at most ${figure(plan.expected_tokens)} tokens (budget ${figure(plan.budget)}, aim ${figure(plan.target)})`,
  ].join("\n");
}

function factShares({ facts }: Inspection, width: number, colors: Colors): string {
  const rows = facts.map(({ tokens, kept, all }) => [
    tokens,
    `${figure(kept)} of ${figure(all)}`,
    bar(kept, Math.max(1, all), width),
  ]);
  return renderTable([{ title: "tokens", ...NUMBER }, { title: "facts", ...NUMBER }, { title: "" }], rows, colors);
}

function share(part: number, total: number): string {
  return total === 0 ? "" : percent(part / total);
}
