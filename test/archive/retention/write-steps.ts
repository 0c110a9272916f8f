// A process of its own: `root session count` archives so many steps, as compactions do.
import { createFsArchive } from "../../../src/archive/archives.ts";
import { asRedactedList, summaryRecord } from "../redacted-samples.ts";

const [root = "", session = "", count = "0"] = process.argv.slice(2);
const archive = createFsArchive({ path: root });
for (let round = 0; round < Number(count); round++) {
  const step = await archive.nextStep(session);
  await archive.saveTranscript(session, step, asRedactedList([{ role: "user", content: `needle-${step}` }]));
  await archive.saveSummary(session, step, summaryRecord(session, step));
}
