// How the suite runs. `npm test` is the tests of test/ but for the mass; `npm run test:all` everything, e2e/ too, with
// coverage; `npx vitest run PATH` whatever is named.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig, type Plugin } from "vitest/config";

/** What takes a third of the time and seldom finds what the others do not: random histories, many processes, real packages. */
const MASS = [
  "test/{corpus,property,soak,torture}/**",
  "test/archive/growth.test.ts",
  "test/cli/session-files-corpus.test.ts",
  "test/conversation/{request-bytes,attempts/every-failure,sessions/crash}.test.ts",
  "test/mcp/{built-server,http,shutdown}.test.ts",
  "test/memory-files/{applying/parallel,journal/*,planning/random-workspaces,restoring/many-changes}.test.ts",
  "test/{observations,decisions}/sqlite-{random,writers}.test.ts",
  "test/security/cli-doors.test.ts",
  "test/surface/tarball.test.ts",
  "test/trace/ariadne/{leaving,posting}.test.ts",
];

/** LangChain is installed below e2e/ only, OpenTelemetry's SDK beside an API of its own: our sources find them there. */
const packagesOfE2e: Plugin = {
  name: "packages-of-e2e",
  enforce: "pre",
  resolveId(id) {
    const from = fileURLToPath(new URL("e2e/package.json", import.meta.url));
    return /^(?:langchain|@langchain\/core|@opentelemetry\/api)(?:\/|$)/.test(id)
      ? this.resolve(id, from, { skipSelf: true })
      : undefined;
  },
};

export default defineConfig({
  plugins: [packagesOfE2e],
  test: {
    include: ["test/**/*.test.ts", "e2e/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(process.env.TEST_QUICK === undefined ? [] : MASS)],
    globalSetup: ["test/temporary-folder.ts"],
    // One more than there are cores: a third of the time goes by in waiting for child processes and servers.
    maxWorkers: availableParallelism() + 1,
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
