// The real transcripts that tests read where they are present: `AGENT_CORPUS` names their folder.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const corpus = process.env.AGENT_CORPUS ?? "";

/** True when there is no corpus, so that tests on it are skipped and counted as such. */
export const isCorpusAbsent = corpus === "";

/** Paths of the corpus files whose name, folder included, fits. */
export function corpusFiles(pattern: RegExp): readonly string[] {
  if (isCorpusAbsent) return [];
  const folders = ["transcripts", "derived"];
  const names = folders.flatMap((folder) => readdirSync(join(corpus, folder)).map((name) => `${folder}/${name}`));
  return names.filter((name) => pattern.test(name)).sort();
}

export function readCorpusText(name: string): string {
  const bytes = readFileSync(join(corpus, name));
  return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}
