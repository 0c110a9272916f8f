// How the suite runs: every test file under test/, coverage only when asked for (`npm run test:coverage`).
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["scripts/token-ranks/before-tests.ts", "test/temporary-folder.ts"],
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
