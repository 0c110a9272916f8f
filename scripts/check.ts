// Runs the project's own rules on the checkout: layers, ceilings, repository text, requirement gate.
import { requirementParts } from "../test/requirements/parts.ts";
import { checkCeilings } from "./ceilings.ts";
import { checkLayers } from "./layer-check.ts";
import { checkRepositoryText } from "./repository-text.ts";
import { judgeRequirements, scanCitations } from "./requirement-gate.ts";
import { filesBelow, readRepository, testSources } from "./source-files.ts";

const repository = readRepository();
const sources = filesBelow(repository, "src", ".ts");
const requirements = requirementParts.flatMap((part) => part.requirements);
const gate = judgeRequirements(requirements, scanCitations(testSources(repository)));

const violations = [
  ...[...checkLayers(sources), ...checkCeilings(sources)].map((violation) => `src/${violation}`),
  ...checkRepositoryText(repository),
  ...gate.violations,
  ...gate.unmarked.map((id) => `"${id}" has a test but is marked planned: npm run requirements -- --update`),
];

for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
const proved = requirements.filter((requirement) => requirement.status === "proved").length;
console.log(
  `${violations.length} violations; ${sources.size} source files; ${proved} of ${requirements.length} requirements proved.`,
);
