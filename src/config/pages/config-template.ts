// The commented file that `config init` writes: every key with its meaning, switched off, so that an unchanged file
// changes nothing.
import type { ConfigField } from "../config-fields.ts";
import { listConfigFields } from "../file-fields.ts";
import { toSnakeCase } from "../key-case.ts";

const HEAD = `# Configuration of agent-compact. A key that is commented out shows its default, or an example where it has none.
# Each can also be set by a variable: COMPACT_TRIGGER_PCT=0.9 wins over this file. API keys never stand here: they come
# from COMPACT_SUMMARIZER_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY.
# agent-compact config show      what is in effect, and where it comes from
# agent-compact config validate  whether it is right
`;

const MODELS = `
# What differs for one model. * may end a name; the most precise name wins, field by field.
# models:
#   gpt-4o-mini:
#     reserved_output_tokens: 4000
#   claude*:
#     max_context_tokens: 200000
#     policy:
#       trigger_pct: 0.8
`;

const POLICIES = `  # What differs for the decisions of an agent, of a category, or of both; the most precise policy governs.
  # policies:
  #   security:
  #     category: security
  #     preserve_stakes: [high, critical]
  #   scout:
  #     agent: scout
  #     thresholds:
  #       full: 3
`;

export function configTemplate(): string {
  const fields = listConfigFields();
  const blocks = [...new Set(fields.map(({ path }) => (path.length === 1 ? "" : path[0])))];
  const sections = blocks.map((block) => {
    const inside = fields.filter(({ path }) => (path.length === 1 ? "" : path[0]) === block);
    return `\n${linesOf(inside)}${block === "decisions" ? POLICIES : ""}`;
  });
  return `${HEAD}${sections.join("")}${MODELS}`;
}

/** Each field below the blocks it is in, a block's name where the block begins. */
function linesOf(fields: readonly ConfigField[]): string {
  const lines: string[] = [];
  let open: readonly string[] = [];
  for (const field of fields) {
    const blocks = field.path.slice(0, -1);
    blocks.forEach((block, depth) => {
      if (open[depth] !== block) lines.push(`${INDENT.repeat(depth)}${toSnakeCase(block)}:\n`);
    });
    open = blocks;
    lines.push(fieldLines(field, INDENT.repeat(blocks.length)));
  }
  return lines.join("");
}

const INDENT = "  ";

function fieldLines(field: ConfigField, indent: string): string {
  const { path, meaning, note, example, default: value } = field;
  const key = toSnakeCase(path.at(-1) ?? "");
  if (key === "version") return `version: "1.0"\n`;
  const remark = note === undefined ? meaning : `${meaning} Default: ${note}.`;
  const shown = yamlValue(value ?? example ?? "");
  return `${indent}# ${remark}\n${indent}# ${key}: ${shown}\n`;
}

/** A value on one line of YAML. */
export function yamlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlValue).join(", ")}]`;
  if (typeof value !== "string") return String(value);
  return /^(?:[a-z]|\.[a-z])[\w./-]*$/i.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value)
    ? value
    : JSON.stringify(value);
}
