// A folder of YAML files as people keep them, and what it takes before and after it has been indexed.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { createCstpYamlDecisionLog } from "../../src/decisions/cstp-yaml-decision-log.ts";
import { decisionPolicies } from "../../src/decisions/levels.ts";
import { getCompacted } from "../../src/decisions/serving/query-decisions.ts";
import { getWisdom } from "../../src/decisions/wisdom/get-wisdom.ts";
import { type Figure, timesOf } from "../observations/timing.ts";
import { LATER, NOW, sampleRecords } from "./sample-log.ts";

const EDITION = 1;
const policies = decisionPolicies();

function buildFolder(count: number): string {
  const path = join(tmpdir(), `agent-compact-bench-decisions-${EDITION}-${count}-files`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  for (const record of sampleRecords(count)) {
    const [date = ""] = String(record.date).split("T");
    const folder = join(unfinished, date.slice(0, 4), date.slice(5, 7));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${date}-decision-${String(record.id)}.yaml`), stringify(record));
  }
  renameSync(unfinished, path);
  return path;
}

export async function measureFolder(count: number): Promise<readonly Figure[]> {
  const path = buildFolder(count);
  const what = (text: string) => `${text}, a folder of ${count.toLocaleString("en")} YAML files`;
  const first = await timesOf(1, async () => {
    const log = createCstpYamlDecisionLog({ path });
    await getCompacted(log, {}, { policies, now: NOW });
    await log.close();
  });
  const log = createCstpYamlDecisionLog({ path });
  const served = await timesOf(20, () => getCompacted(log, {}, { policies, now: NOW }));
  const wisdom = await timesOf(5, () => getWisdom(log, {}, { policies, now: LATER }));
  await log.close();
  return [
    { what: what("getCompacted, the first of a process"), times: first },
    { what: what("getCompacted, once indexed"), times: served },
    { what: what("getWisdom, once indexed"), times: wisdom },
  ];
}
