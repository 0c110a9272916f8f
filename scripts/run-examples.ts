// Runs every example as its first lines say, one after another; each asserts what it shows. `npm run examples`; a word after
// `--` runs those whose path holds it.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const FOLDERS = ["examples", "examples/integrations", "examples/extend"];

const [word = ""] = process.argv.slice(2);
const failed: string[] = [];
for (const path of examplePaths().filter((each) => each.includes(word))) {
  console.log(`\n== ${path}`);
  const { status } = spawnSync("npx", ["unrun", path], { stdio: "inherit" });
  if (status !== 0) failed.push(path);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}

function examplePaths(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
}
