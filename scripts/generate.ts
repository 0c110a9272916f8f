// Writes the generated pages, or with --check fails when one of them is not up to date.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { generatedPages } from "./generated-pages.ts";

const onlyCheck = process.argv.includes("--check");
const outdated: string[] = [];

for (const { path, render } of generatedPages) {
  const current = readIfThere(path);
  const wanted = await render(current);
  if (wanted === undefined || wanted === current) continue;
  outdated.push(path);
  if (onlyCheck) continue;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, wanted);
}

if (onlyCheck && outdated.length > 0) {
  console.error(`Not up to date: ${outdated.join(", ")}. Run: npm run generate`);
  process.exitCode = 1;
} else {
  console.log(outdated.length === 0 ? "Generated pages are up to date." : `Written: ${outdated.join(", ")}`);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
