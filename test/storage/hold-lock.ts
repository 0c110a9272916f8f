// A process of its own that takes the lock of ARGV's folder, says its own number, and keeps it.
import { join } from "node:path";
import { takeFolderLock } from "../../src/storage/folder-lock.ts";

const [folder = ""] = process.argv.slice(2);
const fail = () => {
  throw new Error("not taken");
};
await takeFolderLock({
  ...{ folder, lock: join(folder, "lock"), owner: join(folder, "writer") },
  ...{ busy: fail, lost: fail, failed: fail },
});
process.stdout.write(`${process.pid}`);
setInterval(() => undefined, 1000);
