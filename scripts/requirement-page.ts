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

function renderPart(part: RequirementPart): string[] {
  return [
    `## ${part.title}`,
    "",
    "| id | behaviour | asked for in | status |",
    "|---|---|---|---|",
    ...part.requirements.map(
      ({ id, behaviour, source, status }) => `| \`${id}\` | ${cell(behaviour)} | ${cell(source)} | ${status} |`,
    ),
    "",
  ];
}

function cell(text: string): string {
  return text.replace(/[|<]/g, (mark) => (mark === "|" ? "\\|" : "&lt;"));
}
