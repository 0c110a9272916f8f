// docs/reference/cstp.md: the methods of `agent-compact serve`, made from the methods themselves. Shapes that several
// results share are written once.
import type * as z from "zod";
import { listedSchema } from "../src/mcp/call-tool.ts";
import type { DecisionOperation } from "../src/operations/decisions/context.ts";
import { DECISION_METHODS } from "../src/operations/decisions/methods.ts";
import { faultsResult, levelCounts, servedDecision, servedPolicy } from "../src/operations/decisions/schemas.ts";

interface Listed {
  readonly type?: string;
  readonly anyOf?: readonly Listed[];
  readonly items?: Listed;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Listed>>;
  readonly required?: readonly string[];
}

interface Shape {
  readonly name: string;
  readonly meaning: string;
  readonly listed: Listed;
}

type Column = (name: string, isRequired: boolean) => string;

const SHAPES: readonly Shape[] = [
  shapeOf("decision", servedDecision, "Less of it the older it is; keys without a value are left out."),
  shapeOf("policy", servedPolicy, "As the answer names it; thresholds are whole days."),
  shapeOf("levels", levelCounts, "How many decisions are at each level."),
  shapeOf("fault", faultsResult.unwrap().element, "A record that is not served as it should be."),
];

const HEAD = `# CSTP over JSON-RPC

Generated from the methods by \`npm run generate\`: do not edit.

\`agent-compact serve\` answers JSON-RPC 2.0 at \`POST /cstp\`; how to start and call it is in [the guide](../guides/decisions.md#serve). \`GET /health\` and \`GET /\` need no token.

Parameters may be written in camelCase or snake_case, and inside a \`filters\` object; numbers and switches may be sent as text, \`null\` and a blank text are the same as nothing, keys that no parameter has are ignored, and a method that writes names them in \`ignored\`. A key that is plainly a parameter misspelt (\`dryrun\`), and two spellings of one that say different things, are refused with -32602. \`decisionId\` may be called \`id\`, \`recordedBy\` and \`reviewedBy\` \`agent\`, \`notes\` \`review_notes\`.

| code | when |
|---|---|
| -32700 | the body is no JSON in UTF-8 |
| -32600 | no request: without \`jsonrpc: "2.0"\` or \`method\`, an \`id\` that is neither text, number nor null, an empty batch or one of more than 100 calls, nested more than 100 levels deep |
| -32601 | no such method; \`data.available\` lists them |
| -32602 | what the caller has to mend: parameters that cannot be read, an id that no decision has, or, of a new one, that a decision has already |
| -32603 | the log cannot be read or written, or another program is at work on it (\`CYCLE_RUNNING\`, \`RECORD_CHANGED\`): try again |

Each error has \`data.type\`, \`data.code\` and, where something can be done, \`data.hint\`. Status 200 carries errors too; 204 answers a body of notifications. Refusals before JSON-RPC are \`{"detail": "..."}\`: 400 a body that did not arrive whole, 401 no token or another, 403 a \`Host\` or \`Origin\` that is not this machine, 404 and 405 another path or verb, 413 more than 10 MiB, 504 after ten minutes.`;

export function renderCstpPage(): string {
  const methods = DECISION_METHODS.map(renderMethod);
  const shapes = SHAPES.map(({ name, meaning, listed }) =>
    [`### ${name}`, meaning, tableOf("key", listed, optional)].join("\n\n"),
  );
  return `${[HEAD, `## Methods (${methods.length})`, ...methods, "## Shapes", ...shapes].join("\n\n")}\n`;
}

function renderMethod({ name, description, params, result, exact = [], hints }: DecisionOperation): string {
  const marks = [
    hints.isReadOnly ? "reads only" : undefined,
    hints.isDestructive ? "takes the place of what was there" : undefined,
    hints.isIdempotent && !hints.isReadOnly ? "twice is the same as once" : undefined,
    exact.length === 0 ? undefined : `${exact.map((key) => `\`${key}\``).join(", ")} must not be sent as text`,
  ].filter((mark) => mark !== undefined);
  return [
    `### \`${name}\``,
    description,
    ...(marks.length === 0 ? [] : [`*${marks.join(", ")}*`]),
    tableOf("parameter", listedSchema(params, "input"), required),
    tableOf("result", listedSchema(result, "output"), optional),
  ].join("\n\n");
}

function shapeOf(name: string, schema: z.ZodObject, meaning: string): Shape {
  return { name, meaning, listed: listedSchema(schema, "output") };
}

const required: Column = (name, isRequired) => `\`${name}\`${isRequired ? " **required**" : ""}`;
const optional: Column = (name, isRequired) => `\`${name}${isRequired ? "" : "?"}\``;

function tableOf(head: string, { properties = {}, required: needed = [] }: Listed, column: Column): string {
  const rows = Object.entries(properties).map(
    ([name, property]) =>
      `| ${column(name, needed.includes(name))} | ${typeOf(property)} | ${(property.description ?? "").replaceAll("|", "\\|")} |`,
  );
  return [`| ${head} | type | |`, "|---|---|---|", ...rows].join("\n");
}

function typeOf(listed: Listed): string {
  const { type, anyOf, items, properties } = listed;
  if (listed.enum !== undefined) return listed.enum.map((choice) => `\`${choice}\``).join(", ");
  if (listed.const !== undefined) return `\`${JSON.stringify(listed.const)}\``;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (type === "array") return items === undefined || isAnything(items) ? "list" : `list of ${pluralOf(items)}`;
  if (properties !== undefined) return objectOf(listed);
  return type ?? "any";
}

function objectOf(listed: Listed): string {
  const { properties = {}, required: needed = [] } = listed;
  const names = Object.keys(properties);
  const shape = SHAPES.find(({ listed: known }) => isWithin(Object.keys(known.properties ?? {}), names));
  if (shape === undefined) return `{ ${names.map((name) => optional(name, needed.includes(name))).join(", ")} }`;
  const own = names.filter((name) => shape.listed.properties?.[name] === undefined).map((name) => `\`${name}\``);
  return `[${shape.name}](#${shape.name})${own.length === 0 ? "" : ` with ${own.join(", ")}`}`;
}

function pluralOf(items: Listed): string {
  if (items.properties !== undefined) return objectOf(items);
  if (items.anyOf !== undefined) return items.anyOf.map(pluralOf).join(" or ");
  return items.type === undefined ? "any" : `${items.type}s`;
}

function isAnything({ type, anyOf, properties }: Listed): boolean {
  return type === undefined && anyOf === undefined && properties === undefined;
}

function isWithin(few: readonly string[], many: readonly string[]): boolean {
  return few.every((name) => many.includes(name));
}
