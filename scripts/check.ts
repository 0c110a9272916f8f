// Runs the project's own rules on the checkout: layers, ceilings, repository text, signposts, requirement gate.
import { posix } from "node:path";
import { requirementParts } from "../test/requirements/parts.ts";
import { checkCeilings } from "./ceilings.ts";
import { checkLayers } from "./layer-check.ts";
import { checkRepositoryText } from "./repository-text.ts";
import { judgeRequirements, scanCitations } from "./requirement-gate.ts";
import { checkSignposts } from "./signposts.ts";
import { readSourceFacts } from "./source-facts.ts";
import { type FileMap, filesBelow, readRepository, testSources } from "./source-files.ts";

const repository = readRepository();
const sources = filesBelow(repository, "src", ".ts");
const requirements = requirementParts.flatMap((part) => part.requirements);
const gate = judgeRequirements(requirements, scanCitations(testSources(repository)));

const violations = [
  ...[...checkLayers(sources), ...checkCeilings(sources)].map((violation) => `src/${violation}`),
  ...checkRepositoryText(repository),
  ...checkSignposts(repository),
  ...gate.violations,
  ...gate.unmarked.map((id) => `"${id}" has a test but is marked planned: npm run requirements -- --update`),
];

for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
const proved = requirements.filter((requirement) => requirement.status === "proved").length;
console.log(
  `${violations.length} violations; ${proved} of ${requirements.length} requirements proved.\n${describeHouse(sources)}`,
);

/** How large src is, and how finely it is cut. */
function describeHouse(files: FileMap): string {
  const lines = [...files.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
  const folders = new Set([...files.keys()].map((path) => posix.dirname(path)));
  const importers = [...files].flatMap(([path, text]) => {
    const { imports } = readSourceFacts(path, text);
    const targets = imports.map(({ specifier }) => posix.join(posix.dirname(path), specifier));
    return [...new Set(targets)];
  });
  const once = [...files.keys()].filter((path) => importers.filter((target) => target === path).length === 1);
  const deep = [...files.keys()].filter((path) => path.split("/").length > 3);
  const short = [...files.values()].filter((text) => text.split("\n").length <= 80);
  return (
    `src: ${lines} lines in ${files.size} files and ${folders.size} folders; ${deep.length} files deeper than two folders, ` +
    `${once.length} with one importer, ${short.length} under 80 lines.`
  );
}
