// Applies a plan and, where it is told to, restores all of it. Arguments: the workspace, the file of the plan, `restore`.
import { readFileSync } from "node:fs";
import { applyMemoryFilesCompaction } from "../../../../src/memory-files/apply-memory-files-compaction.ts";
import { restoreMemoryFiles } from "../../../../src/memory-files/restore-memory-files.ts";
import { options } from "../../applying/sample-plan.ts";

const [root = "", plan = "", then = ""] = process.argv.slice(2);
const report =
  then === "restore"
    ? await restoreMemoryFiles(root, { all: true }, {})
    : await applyMemoryFilesCompaction(root, JSON.parse(readFileSync(plan, "utf8")), options);
process.stdout.write(JSON.stringify(report));
