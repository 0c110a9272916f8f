// A process of its own: `root session count` writes so many files of a session and notes each.
import { createCatalog } from "../../../src/archive/catalog.ts";
import { writeNoted } from "./written-files.ts";

const [root = "", session = "", count = "0"] = process.argv.slice(2);
const catalog = createCatalog(root);
for (let step = 1; step <= Number(count); step++) {
  await writeNoted(catalog, root, session, `${session}-${String(step).padStart(3, "0")}.jsonl`);
  if (step % 10 === 0) await catalog.entries();
}
