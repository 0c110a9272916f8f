// What the published package contains: one ESM file and one declaration file per public entry.
// Dependencies stay external; Node built-ins stay behind the dynamic imports the sources write.
import { defineConfig, type UserConfig } from "tsdown";
import { asciiOutput } from "./scripts/build/ascii-output.ts";
import { rootChunk } from "./scripts/build/root-chunk.ts";

const doors = ["conversation", "observations", "decisions", "memory-files", "tokens", "testing"];
const hosts = ["openai-agents", "ai", "langchain", "openai", "anthropic", "mastra", "host"];
/** What the files of `plugins/` are made of. */
const plugins = ["pi", "opencode"];

/** What the command line needs for its help, and what somebody needs who only counts. */
const partsOfRoot = { base: ["src/cli/main.ts", "src/cli/run.ts"], counting: ["src/tokens.ts"] };

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
        groups: [{ name: rootChunk("src/index.ts", partsOfRoot) }],
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
