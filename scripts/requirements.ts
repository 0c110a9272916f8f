// Shows how the tests stand against the requirement lists; --update marks every id that a test cites as proved.
import { readFileSync, writeFileSync } from "node:fs";
import { requirementParts } from "../test/requirements/parts.ts";
import { judgeRequirements, markProved, scanCitations } from "./requirement-gate.ts";
import { readRepository, testSources } from "./source-files.ts";

const update = process.argv.includes("--update");
const scan = scanCitations(testSources(readRepository()));
const report = judgeRequirements(
  requirementParts.flatMap((part) => part.requirements),
  scan,
);

for (const violation of report.violations) console.error(violation);
if (report.violations.length > 0) process.exitCode = 1;

if (update) {
  for (const part of requirementParts) {
    const path = `test/requirements/${part.file}`;
    const before = readFileSync(path, "utf8");
    const after = markProved(before, report.unmarked);
    if (after !== before) writeFileSync(path, after);
  }
  console.log(`Marked proved: ${report.unmarked.length}. Now run: npm run generate`);
} else {
  for (const id of report.unmarked) console.log(`has a test, still planned: ${id}`);
}
