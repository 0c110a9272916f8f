// The reference of the tools that the MCP server offers, made from the tools themselves, and the sentence with their
// number that other pages hold.

import { listedSchema } from "../src/mcp/call-tool.ts";
import type { Tool } from "../src/mcp/tool.ts";
import { TOOL_GROUPS, toolsOf } from "../src/mcp/tool-groups.ts";

interface ListedProperty {
  readonly type?: string;
  readonly anyOf?: readonly ListedProperty[];
  readonly items?: ListedProperty;
  readonly enum?: readonly string[];
  readonly description?: string;
}

/** "28 tools", as README and AGENTS.md say it. */
export async function renderToolCount(): Promise<string> {
  const all = (await toolsOf(TOOL_GROUPS, "all")).length;
  return `The MCP server offers ${all} tools, ${await coreCount()} of them without a flag: [reference](docs/tool-reference.md).`;
}

async function coreCount(): Promise<number> {
  return (await toolsOf(["observations"], "core")).length;
}

export async function renderToolPage(): Promise<string> {
  const sections: string[] = [];
  let total = 0;
  for (const group of TOOL_GROUPS) {
    const tools = await toolsOf([group], "all");
    total += tools.length;
    sections.push(`## ${heading(group)} (${tools.length})`, ...tools.map(renderTool));
  }
  return [
    "# Tools",
    "",
    `What \`agent-compact mcp\` offers: ${total} tools; of those over observations the first ${await coreCount()} unless it is started with \`--tools all\`. Numbers, switches and lists may be sent as text; \`null\` is the same as leaving a parameter out. Every answer is text and the same as an object, and stays under \`max_tokens\` (8,000 unless said otherwise); longer ones page with \`cursor\`. What a call cannot take is an answer marked as an error that says what to send.`,
    "",
    sections.join("\n\n"),
    "",
  ].join("\n");
}

function heading(group: string): string {
  const words = group.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function renderTool({ name, description, params, hints }: Tool): string {
  const { properties = {}, required = [] } = listedSchema(params, "input") as {
    readonly properties?: Readonly<Record<string, ListedProperty>>;
    readonly required?: readonly string[];
  };
  const rows = Object.entries(properties).map(
    ([key, property]) =>
      `| \`${key}\`${required.includes(key) ? " **required**" : ""} | ${typeOf(property)} | ${(property.description ?? "").replaceAll("|", "\\|")} |`,
  );
  const marks = [
    hints.isReadOnly ? "reads only" : undefined,
    hints.isDestructive ? "overwrites or removes" : undefined,
    hints.isIdempotent && !hints.isReadOnly ? "twice is the same as once" : undefined,
  ].filter((mark) => mark !== undefined);
  const table = rows.length === 0 ? "No parameters." : ["| parameter | type | |", "|---|---|---|", ...rows].join("\n");
  return [`### \`${name}\``, description, ...(marks.length === 0 ? [] : [`*${marks.join(", ")}*`]), table].join("\n\n");
}

function typeOf({ type, anyOf, items, enum: choices }: ListedProperty): string {
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (type === "array") return items?.type === undefined ? "list" : `list of ${items.type}s`;
  return type ?? "any";
}
