// The suite has every kind of test the specification asks for, and a run without enough coverage fails.
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import config from "../../vitest.config.ts";
import { verifies } from "../requirements/verifies.ts";

const tests = new URL("../", import.meta.url);
const filesIn = (folder: string) =>
  readdirSync(new URL(`${folder}/`, tests), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".test.ts"),
  );

it("is unit, golden, property, soak and security tests, with at least 85 % of the lines covered", () => {
  verifies("conversation/suite-quality-gate");
  const kinds = {
    "token estimation": ["tokens"],
    "partitioning and policy": ["conversation", "formats"],
    "golden summaries": ["golden"],
    "property tests": ["property"],
    "soak tests": ["soak"],
    "security tests": ["redaction", "hostile"],
  };
  for (const [kind, folders] of Object.entries(kinds))
    for (const folder of folders) expect(filesIn(folder).length, `${kind} in ${folder}`).toBeGreaterThan(0);
  expect(config.test?.coverage?.thresholds?.lines).toBeGreaterThanOrEqual(85);
  const scripts = JSON.parse(readFileSync(new URL("../package.json", tests), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts.scripts["test:all"]).toContain("--coverage");
  expect(scripts.scripts.soak).toMatch(/AGENT_SOAK_RUNS=1000/);
});
