// The example of the specification: switching compaction on takes fewer than ten lines there.
import { readFileSync } from "node:fs";
// Loading the SDK takes most of the time; here it is not the test's.
import "@openai/agents";
import { expect, it, vi } from "vitest";
import { verifies } from "../../requirements/verifies.ts";

const EXAMPLE = "examples/agents-sdk-minimal.ts";

it("takes fewer than ten lines, imports and the runner among them, and runs", async () => {
  verifies("conversation/minimal-enablement");
  const lines = readFileSync(EXAMPLE, "utf8").split("\n");
  const from = lines.indexOf("// enablement");
  const to = lines.indexOf("// end of enablement");
  const imports = lines.filter((line) => line.startsWith("import") && line.includes('from "../src/'));
  const enabling = lines.slice(from + 1, to).filter((line) => line.trim() !== "");
  expect(from).toBeGreaterThan(0);
  expect(enabling.join("\n")).toMatch(/new CompactManager[\s\S]*compactInputFilter/);
  expect(imports.length + enabling.length).toBeLessThan(10);
  // It asserts what it shows.
  vi.spyOn(console, "error").mockImplementation(() => {});
  await import("../../../examples/agents-sdk-minimal.ts");
}, 120_000);
