// Compacts one session again and again, as one of several processes. Arguments: the archive's folder, its own name.
// Prints the steps that it took.
import { CompactManager, createFsArchive } from "../../../../src/index.ts";
import { turns } from "../../support.ts";

const [path = "", name = ""] = process.argv.slice(2);
const manager = new CompactManager({ archive: createFsArchive({ path }) });
const steps: unknown[] = [];
let list: readonly unknown[] = turns(12, (n) => `${name} ${n}`);
for (let round = 0; round < 4; round++) {
  const { messages } = await manager.compact("s", [...list, ...turns(8, (n) => `${name} ${round}.${n}`)]);
  steps.push(/archived as step (\d+)/.exec(JSON.stringify(messages))?.[1]);
  list = messages;
}
process.stdout.write(JSON.stringify(steps));
