// Writes examples/transcripts/.
import { mkdirSync, writeFileSync } from "node:fs";
import { exampleTranscripts } from "./transcripts.ts";

const folder = "examples/transcripts";
mkdirSync(folder, { recursive: true });
for (const [name, text] of exampleTranscripts()) {
  writeFileSync(`${folder}/${name}`, text);
  console.log(`Written: ${folder}/${name}`);
}
