// A process of its own: `root after` removes all that may leave, and is killed while it removes the step behind so many.
import { createFsArchive } from "../../../src/archive/archives.ts";
import { applyRetention, planRetention } from "../../../src/archive/retention.ts";

const [root = "", after = "1"] = process.argv.slice(2);
const archive = createFsArchive({ path: root });
let removed = 0;
await applyRetention(archive, planRetention(await archive.sizes(), { maxBytes: 1 }, Date.now()), {
  trace: {
    emit: () => {
      removed++;
      // By then the next removal is under way.
      if (removed === Number(after)) setImmediate(() => process.kill(process.pid, "SIGKILL"));
    },
  },
});
