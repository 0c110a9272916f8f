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
 * What is loaded together is one file: what somebody needs who only counts, what help and a hook that does nothing need, the
 * root, what its first compaction loads, what the commands of conversations add.
 */
const root = "src/index.ts";
const commandLine = ["src/cli/start.ts", "src/cli/run.ts", "src/cli/conversation/hook.ts"];
const chunks: readonly Chunk[] = [
  { name: "base", entries: commandLine, within: root },
  { name: "counting", entries: ["src/tokens.ts"], within: root },
  { name: "schemas", entries: [root], packages: /[\\/]zod[\\/](?!.*json-schema)/ },
  { name: "root", entries: [root] },
  { name: "tokens", entries: ["src/tokens.ts"] },
  { name: "start", entries: ["src/cli/start.ts"] },
  { name: "command-line", entries: commandLine },
  {
    name: "facts",
    entries: ["src/facts/extract-facts.ts", "src/summaries/record.ts", "src/conversation/session-state.ts"],
  },
  {
    name: "compaction",
    entries: [
      "src/factories/conversation.ts",
      "src/conversation/session.ts",
      "src/conversation/choose-layers.ts",
      "src/archive/catalog.ts",
    ],
  },
  { name: "settings", entries: ["src/cli/conversation/hook-after.ts"] },
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
    // Every process that imports the package would load its 80 files, half of them texts in languages nobody asked for.
    // Its types stay its own.
    deps: { alwaysBundle: [/^zod(?:\/|$)/], onlyBundle: ["zod"] },
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
      { from: "node_modules/zod/LICENSE", to: "dist/licenses/zod", flatten: true },
    ],
  },
  { ...shared, dts: { emitDtsOnly: true }, clean: false },
]);
