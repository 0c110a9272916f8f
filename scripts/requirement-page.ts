// Renders docs/reference/requirements.md from the requirement lists.
import type { Requirement, RequirementPart } from "../test/requirements/requirement.ts";

export function renderRequirementPage(parts: readonly RequirementPart[]): string {
  const everything = parts.flatMap((part) => part.requirements);
  return [
    "# Requirements",
    "",
    "Generated from `test/requirements/` by `npm run generate`: do not edit.",
    "A requirement is *proved* when at least one test cites its id through `verifies`, and *planned* until then.",
    "",
    "| part | proved | planned | total |",
    "|---|---|---|---|",
    ...parts.map((part) => summaryRow(part.title, part.requirements)),
    summaryRow("**all**", everything),
    "",
    ...parts.flatMap(renderPart),
  ].join("\n");
}

function summaryRow(title: string, requirements: readonly Requirement[]): string {
  const proved = requirements.filter((requirement) => requirement.status === "proved").length;
  return `| ${title} | ${proved} | ${requirements.length - proved} | ${requirements.length} |`;
}

function renderPart({ title, requirements }: RequirementPart): string[] {
  const isOfFaults = requirements.some(({ kind }) => kind !== undefined);
  const columns: readonly (readonly [string, (requirement: Requirement) => string])[] = [
    ["id", ({ id }) => `\`${id}\``],
    ...(isOfFaults ? [["kind", ({ kind = "" }: Requirement) => cell(kind)] as const] : []),
    ["behaviour", ({ behaviour }) => cell(behaviour)],
    ...(isOfFaults ? [["also found", ({ sisters = "" }: Requirement) => cell(sisters)] as const] : []),
    ["asked for in", ({ source }) => cell(source)],
    ["status", ({ status }) => status],
  ];
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `## ${title}`,
    "",
    row(columns.map(([name]) => name)),
    `|${"---|".repeat(columns.length)}`,
    ...requirements.map((requirement) => row(columns.map(([, render]) => render(requirement)))),
    "",
  ];
}

function cell(text: string): string {
  return text.replace(/[|<]/g, (mark) => (mark === "|" ? "\\|" : "&lt;"));
}
