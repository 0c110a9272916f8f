// Holds the lock of a folder and dies. Arguments: the folder.
import { createCstpYamlDecisionLog } from "../../../../src/decisions/cstp-yaml-decision-log.ts";

const [path = ""] = process.argv.slice(2);
await createCstpYamlDecisionLog({ path }).write(async (writer) => {
  await writer.change("shared", { count: 99 });
  process.kill(process.pid, "SIGKILL");
});
