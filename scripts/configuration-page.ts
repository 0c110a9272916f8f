// docs/reference/configuration.md, made from the schema: each key with what it takes, its default, its variable and its
// meaning.

import { yamlValue } from "../src/config/describe-config.ts";
import { listConfigFields } from "../src/config/file-schema.ts";
import type { ConfigField } from "../src/config/schema-fields.ts";
import { fieldPath, toSnakeCase } from "../src/config/schema-parts.ts";

const HEAD = `# Configuration

Generated from the schema by \`npm run generate\`: do not edit.

\`agent-compact config init\` writes a commented \`compact.yaml\`, \`config show\` prints what is in effect and where each value
comes from, \`config validate\` checks a file, and \`config schema\` prints a JSON Schema for editors.

**Which value counts.** A flag, else a variable, else the entry of \`models\` that stands for the model, else the file, else
the default: field by field, never a whole block.

**Which file.** \`--config FILE\`, else \`compact.yaml\`, \`compact.yml\` or \`compact.json\` in the working directory or above it, up
to the folder with \`.git\`, the home folder or the root, whichever comes first. Two of them in one folder are an error. Above
the working directory, folders that everybody may write to (\`/tmp\`) are passed over, because the file decides where
conversations are sent.

**What is refused.** Unknown keys, with the name that was probably meant; values out of range, with file, line and field;
empty variables, but for those whose key stands for nothing without a value (default "none", as \`COMPACT_TELEMETRY_OTLP_URL=\`):
they switch off what the file names. Nothing is clamped. Numbers and booleans may be given as text. \`0\` is never "no limit": only
\`enabled: false\` switches compaction off, and a compaction by hand still works.

**Keys of models** come from the environment alone: \`COMPACT_SUMMARIZER_API_KEY\`, else \`OPENAI_API_KEY\` or
\`ANTHROPIC_API_KEY\` by the summarizer's type, these two only for the provider's own address. A file that holds an API key is
refused. Plain http is for this machine and private networks: loopback, 10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7,
names without a dot, and names below local, localhost, internal, lan and home.arpa. There is no way round it, because keys
and conversations would be readable on their way; a tunnel to this machine does the same.

Code gives the same keys to \`CompactManager\` in camelCase; there \`summarizer\` may also be a summarizer or \`{model}\`, and
\`archive\`, \`trace\` and \`archiveOptional\` stand for \`storage\` and \`telemetry\`.
`;

const MODELS = `## models

Limits and policy of single models, laid over the rest field by field, at each preflight: a session can switch its model.

\`\`\`yaml
models:
  gpt-4o-mini:
    reserved_output_tokens: 4000
  claude*:
    max_context_tokens: 200000
    policy:
      trigger_pct: 0.8
\`\`\`

An entry takes \`max_context_tokens\`, \`reserved_output_tokens\` and \`policy\`. \`*\` may end a name. All matching entries count, the
most precise one last. Names are compared without regard to case, with and without a vendor's part (\`openai/gpt-4o\`). There
is no variable for it; a variable for one of the fields wins over every entry.
`;

const POLICIES = `## decisions.policies

What differs for the decisions of one agent, of one category, or of one agent in one category. The most precise policy
governs a decision: agent and category, else agent, else category, else \`decisions.policy\`, from which each takes what it does
not say.

\`\`\`yaml
decisions:
  policies:
    security:
      category: security
      preserve_stakes: [high, critical]
    scout:
      agent: scout
      thresholds:
        full: 3
\`\`\`

An entry takes \`agent\`, \`category\` or both, and the keys of \`decisions.policy\`. Two entries for the same decisions are
refused, as are thresholds that do not rise. There is no variable for it. Who may call \`agent-compact serve\` stands in no
file: \`CSTP_AUTH_TOKENS=agent:token,agent:token\`.
`;

export function renderConfigurationPage(): string {
  const fields = listConfigFields();
  const blocks = [...new Set(fields.map(blockOf))];
  const tables = blocks.map((block) =>
    [
      `## ${block === "" ? "Top level" : block}`,
      "",
      "| key | takes | default | variable | meaning |",
      "|---|---|---|---|---|",
      ...fields.filter((field) => blockOf(field) === block).map(row),
      "",
    ].join("\n"),
  );
  return [HEAD, ...tables, POLICIES, MODELS].join("\n");
}

function blockOf({ path }: ConfigField): string {
  return path.length === 1 ? "" : toSnakeCase(path[0] ?? "");
}

function row(field: ConfigField): string {
  const { path, expected, default: value, note, variable, meaning } = field;
  const standard = value === undefined ? (note ?? "") : `\`${yamlValue(value)}\``;
  const name = variable === undefined ? "" : `\`${variable}\``;
  const key = path.length === 1 ? fieldPath(path) : fieldPath(path).slice(blockOf(field).length + 1);
  const cells = [`\`${key}\``, expected.replace(/^one of: /, ""), standard, name, meaning];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
