// How the suite runs. `npm test`: the tests of test/, with what takes long in small numbers. `npm run test:all`: e2e/ too,
// the whole mass, coverage.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vitest/config";

/** LangChain is installed below e2e/ only: what our sources ask of it is found there. */
const langchainOfE2e: Plugin = {
  name: "langchain-of-e2e",
  enforce: "pre",
  resolveId(id) {
    const from = fileURLToPath(new URL("e2e/package.json", import.meta.url));
    return /^(?:langchain|@langchain\/core)(?:\/|$)/.test(id) ? this.resolve(id, from, { skipSelf: true }) : undefined;
  },
};

export default defineConfig({
  plugins: [langchainOfE2e],
  test: {
    include: ["test/**/*.test.ts", "e2e/**/*.test.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    // All cores: by default one is left free, on two that is half of the machine.
    maxWorkers: "100%",
    testTimeout: 30_000,
    // Stands in for the linter's rule against focused tests, which takes a function called `fit` for one.
    allowOnly: false,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "lcov"],
      thresholds: { lines: 90 },
    },
  },
});
