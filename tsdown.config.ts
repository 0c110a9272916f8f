// What the published package contains: one ESM file and one declaration file per public entry.
// Dependencies stay external; Node built-ins stay behind the dynamic imports the sources write.
import { defineConfig, type UserConfig } from "tsdown";
import { asciiOutput } from "./scripts/build/ascii-output.ts";
import { type Chunk, chunkNames } from "./scripts/build/chunks.ts";

const doors = ["conversation", "observations", "decisions", "memory-files", "tokens", "testing"];
const hosts = ["openai-agents", "ai", "langchain", "openai", "anthropic", "mastra", "host"];
/** What the files of `plugins/` are made of. */
const plugins = ["pi", "opencode"];

/**
 * Every process that imports the package would load the 80 files of zod, half of them texts in languages nobody asked for; its
 * types stay its own. Of the others finding and opening them took longer than what is in them.
 */
const bundled = ["zod", "@noble/hashes", "commander", "picocolors"] as const;

/**
 * What is loaded together is one file: what somebody needs who only counts, what help and a hook that does nothing need, the
 * root, what its first compaction loads, what the commands of conversations add.
 */
const root = "src/index.ts";
const commandLine = ["src/cli/start.ts", "src/cli/run.ts", "src/cli/conversation/hook.ts"];
const chunks: readonly Chunk[] = [
  { name: "base", entries: commandLine, within: root },
  { name: "counting", entries: ["src/tokens.ts"], within: root },
  { name: "packages", entries: [root], packages: /[\\/](?:zod|@noble)[\\/](?!.*json-schema)/ },
  { name: "root", entries: [root] },
  { name: "commander", entries: commandLine, packages: /[\\/](?:commander|picocolors)[\\/]/ },
  { name: "tokens", entries: ["src/tokens.ts"] },
  { name: "start", entries: ["src/cli/start.ts"] },
  { name: "command-line", entries: commandLine },
  {
    name: "archive",
    entries: ["archive/catalog", "archive/read-archive", "conversation/summary-frame", "text/words"].map(
      (name) => `src/${name}.ts`,
    ),
  },
  {
    name: "facts",
    entries: ["src/facts/extract-facts.ts", "src/summaries/record.ts", "src/conversation/session-state.ts"],
  },
  {
    name: "compaction",
    entries: ["src/factories/conversation.ts", "src/conversation/session.ts", "src/conversation/choose-layers.ts"],
  },
  {
    name: "settings",
    entries: ["open-compactor", "render", "report", "files/output", "files/write-conversation"].map(
      (name) => `src/cli/${name}.ts`,
    ),
  },
  { name: "hook", entries: ["src/cli/conversation/hook-after.ts"] },
  {
    name: "conversations",
    entries: ["compact", "facts", "inspect", "hook-before"].map((name) => `src/cli/conversation/${name}.ts`),
  },
];

const shared: UserConfig = {
  entry: {
    index: "src/index.ts",
    ...Object.fromEntries(doors.map((door) => [door, `src/${door}.ts`])),
    ...Object.fromEntries([...hosts, ...plugins].map((host) => [host, `src/integrations/${host}.ts`])),
    "cli/main": "src/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
};

export default defineConfig([
  {
    ...shared,
    dts: false,
    clean: true,
    deps: { alwaysBundle: bundled.map((name) => new RegExp(`^${name}(?:/|$)`)), onlyBundle: [...bundled] },
    plugins: [asciiOutput()],
    outputOptions: {
      comments: { jsdoc: false },
      codeSplitting: {
        groups: [{ name: chunkNames(chunks) }],
        includeDependenciesRecursively: false,
      },
    },
    inputOptions: { preserveEntrySignatures: "allow-extension" },
    copy: [
      { from: "src/tokens/ranks/*.ranks", to: "dist/ranks", flatten: true },
      ...bundled.map((name) => ({ from: `node_modules/${name}/LICENSE*`, to: `dist/licenses/${name}`, flatten: true })),
    ],
  },
  { ...shared, dts: { emitDtsOnly: true }, clean: false },
]);
