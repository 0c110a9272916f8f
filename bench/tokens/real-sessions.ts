// Real sessions, where AGENT_CORPUS names a folder that has some: the texts of OpenAI message lists, as one JSON file
// each that the measured processes read.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

export interface RealSession {
  readonly name: string;
  /** JSON array of texts. */
  readonly path: string;
}

export function readRealSessions(corpus: string | undefined, folder: string): readonly RealSession[] {
  if (corpus === undefined) return [];
  const derived = join(corpus, "derived");
  const names = readdirSync(derived).filter((name) => /^openai-chat-.*\.json\.gz$/.test(name));
  return names.map((name, index) => {
    const texts: string[] = [];
    collectTexts(JSON.parse(gunzipSync(readFileSync(join(derived, name))).toString("utf8")), texts);
    const path = join(folder, `${index}.json`);
    writeFileSync(path, JSON.stringify(texts));
    return { name: `real session ${index + 1}`, path };
  });
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) collectTexts(inner, texts);
}
