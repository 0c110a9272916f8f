// Runs a cycle that does not end: its texts say "writing" and wait, until somebody kills it or a minute is over. Arguments: kind of log, folder, time.
import { compactDecisions } from "../../../src/decisions/compaction/compact-decisions.ts";
import { decisionPolicies } from "../../../src/decisions/levels.ts";
import { openShared } from "../levels/shared-logs.ts";

const [, , kind = "", folder = "", now = "0"] = process.argv;
setTimeout(() => process.exit(1), 60_000);
await compactDecisions(
  openShared(kind, folder),
  {},
  {
    policies: decisionPolicies(),
    now: Number(now),
    texts: {
      strategy: "brief",
      model: "slow",
      write: () => {
        process.stdout.write("writing\n");
        return new Promise(() => undefined);
      },
    },
  },
);
