// Who may import whom in src/, as data, and the same table as Markdown for ARCHITECTURE.md.
// The walk over the imports is in layer-check.ts.

/** A layer names folders of src/ and single files at its root. */
export interface Layer {
  readonly name: string;
  readonly members: readonly string[];
  /** Names of the layers below that may be imported. */
  readonly below: readonly string[];
  /** Inside the layer: who may import whom. "any" lifts the limit; a folder may always import itself. */
  readonly within: "any" | Readonly<Record<string, readonly string[]>>;
  /** Members that see contracts only, never an `<impl>-<noun>.ts` of another folder. */
  readonly contractsOnly: readonly string[];
}

export const layers: readonly Layer[] = [
  {
    name: "0",
    members: [
      "errors.ts",
      "http-client.ts",
      "lazy.ts",
      "time.ts",
      "timeout.ts",
      "text",
      "language",
      "providers",
      "session-files",
    ],
    below: [],
    within: "any",
    contractsOnly: [],
  },
  {
    name: "1",
    members: [
      "tokens",
      "similarity",
      "facts",
      "models",
      "summaries",
      "redaction",
      "archive",
      "trace",
      "storage",
      "engine",
    ],
    below: ["0"],
    within: {
      facts: ["tokens", "similarity"],
      summaries: ["models", "facts", "tokens", "redaction"],
      models: ["redaction"],
      archive: ["redaction", "storage"],
      trace: ["redaction", "storage"],
      engine: ["trace", "storage"],
    },
    contractsOnly: [],
  },
  {
    name: "2",
    members: ["conversation", "observations", "decisions", "memory-files"],
    below: ["0", "1"],
    within: {},
    contractsOnly: ["conversation", "observations", "decisions", "memory-files"],
  },
  {
    name: "3",
    members: ["config", "factories", "conversation.ts", "observations.ts", "decisions.ts", "memory-files.ts"],
    below: ["0", "1", "2"],
    within: {
      factories: ["config"],
      "conversation.ts": ["config", "factories"],
      "observations.ts": ["config", "factories"],
      "decisions.ts": ["config", "factories"],
      "memory-files.ts": ["config", "factories"],
    },
    contractsOnly: ["config"],
  },
  {
    name: "4",
    members: ["index.ts", "tokens.ts", "operations", "integrations", "http", "mcp", "proxy"],
    below: ["0", "1", "2", "3"],
    within: { mcp: ["operations", "http"], http: ["operations"], proxy: ["http", "mcp"] },
    contractsOnly: [],
  },
  { name: "5", members: ["cli"], below: ["0", "1", "2", "3", "4"], within: {}, contractsOnly: [] },
  {
    name: "aside",
    members: ["testing.ts", "testing"],
    below: ["0", "1", "2"],
    within: { "testing.ts": ["testing"] },
    contractsOnly: ["testing"],
  },
];

/** Files that end in `suffix` inside `folder` implement the contract in `contract`; the contract itself is free. */
export interface ImplementationName {
  readonly folder: string;
  readonly suffix: string;
  readonly contract: string;
}

export const implementationNames: readonly ImplementationName[] = [
  { folder: "providers/anthropic", suffix: "-format.ts", contract: "format.ts" },
  { folder: "providers/openai-chat", suffix: "-format.ts", contract: "format.ts" },
  { folder: "providers/openai-responses", suffix: "-format.ts", contract: "format.ts" },
  { folder: "session-files", suffix: ".ts", contract: "session-reader.ts" },
  { folder: "tokens", suffix: "-token-counter.ts", contract: "token-counter.ts" },
  { folder: "models", suffix: "-model.ts", contract: "model.ts" },
  { folder: "summaries", suffix: "-summarizer.ts", contract: "summarizer.ts" },
  { folder: "archive", suffix: "archives.ts", contract: "archive.ts" },
  { folder: "trace", suffix: "-sink.ts", contract: "trace-sink.ts" },
  { folder: "storage/sqlite", suffix: "-driver.ts", contract: "driver.ts" },
];

/** Public entries whose static imports must stay free of Node built-ins. */
export const portableEntries: readonly string[] = [
  "index.ts",
  "conversation.ts",
  "observations.ts",
  "decisions.ts",
  "memory-files.ts",
  "tokens.ts",
];

export const ceilings = { fileLines: 400 } as const;

/** The layer table in Markdown, without a trailing newline. */
export function renderLayerTable(): string {
  const rows = layers.map((layer) => `| ${layer.name} | ${members(layer)} | ${permissions(layer)} |`);
  return ["| layer | members | may import |", "|---|---|---|", ...rows].join("\n");
}

function members(layer: Layer): string {
  return layer.members.map((member) => `\`${member.endsWith(".ts") ? member : `${member}/`}\``).join(" ");
}

function permissions(layer: Layer): string {
  const sentences = [layer.below.length === 0 ? "nothing below" : `layers ${layer.below.join(", ")}`];
  if (layer.within === "any") sentences.push("anything in this layer");
  else {
    const pairs = Object.entries(layer.within).map(
      ([from, to]) => `\`${from}\` -> ${to.map((name) => `\`${name}\``).join(", ")}`,
    );
    if (pairs.length > 0) sentences.push(`inside the layer ${pairs.join("; ")}`);
  }
  if (layer.contractsOnly.length > 0) {
    sentences.push(`contracts only: ${layer.contractsOnly.map((name) => `\`${name}\``).join(", ")}`);
  }
  return sentences.join("; ");
}
