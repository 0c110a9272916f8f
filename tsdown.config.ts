// What the published package contains: one ESM file and one declaration file per public entry.
// Dependencies stay external; Node built-ins stay behind the dynamic imports the sources write.
import { defineConfig } from "tsdown";
import { writeRanks } from "./scripts/token-ranks/write-ranks.ts";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    tokens: "src/tokens.ts",
    testing: "src/testing/testing.ts",
    "cli/main": "src/cli/main.ts",
  },
  format: "esm",
  platform: "node",
  target: "node20.19",
  fixedExtension: false,
  dts: true,
  clean: true,
  hooks: { "build:prepare": writeRanks },
  copy: [{ from: "src/tokens/ranks/*.ranks", to: "dist/ranks", flatten: true }],
});
