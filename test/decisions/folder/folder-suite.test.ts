// The contract of a decision log in a folder of files.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCstpYamlDecisionLog } from "../../../src/decisions/cstp-yaml-decision-log.ts";
import { decisionLogSuite } from "../log-suite.ts";

decisionLogSuite(
  "the log in a folder",
  async () => createCstpYamlDecisionLog({ path: await mkdtemp(join(tmpdir(), "decisions-")), create: true }),
  { records: 300 },
);
