// Logs that two connections, and two processes, can have open at once.
import { join } from "node:path";
import { createCstpYamlDecisionLog } from "../../../src/decisions/cstp-yaml-decision-log.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { createSqliteDecisionLog } from "../../../src/decisions/sqlite-decision-log.ts";

export const SHARED = ["sqlite", "folder"] as const;

export function openShared(kind: string, folder: string): DecisionLog {
  if (kind === "folder") return createCstpYamlDecisionLog({ path: folder, create: true });
  return createSqliteDecisionLog({ path: join(folder, "decisions.db"), create: true });
}
