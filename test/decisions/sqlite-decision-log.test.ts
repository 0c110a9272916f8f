// The contract of a decision log on a database file.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteDecisionLog } from "../../src/decisions/sqlite-decision-log.ts";
import { decisionLogSuite } from "./log-suite.ts";

decisionLogSuite("the log in SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "log-"));
  return createSqliteDecisionLog({ path: join(folder, "decisions.db"), create: true });
});
