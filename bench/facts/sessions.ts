// The real sessions that the benches of facts run on. Where they are is said by AGENT_CORPUS; a clone has none.
import { basename } from "node:path";
import { detectInput } from "../../src/formats/detect-format.ts";
import { readClaudeCodeSession } from "../../src/formats/readers/claude-code-reader.ts";
import { FORMATS } from "../../src/index.ts";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";

export interface RealSession {
  readonly file: string;
  readonly name: string;
  readonly format: string;
  readonly messages: readonly unknown[];
}

export function realSessions(): readonly RealSession[] {
  const files = [
    ...corpusFiles("transcripts", /^claude-code-.*\.jsonl\.gz$/),
    ...corpusFiles("derived", /^openai-(chat|responses)-.*\.json\.gz$/),
  ];
  if (files.length === 0) throw new Error("No sessions: set AGENT_CORPUS to a folder with transcripts/ and derived/.");
  return files.map(readSession);
}

function readSession(file: string): RealSession {
  const name = basename(file).replace(/\.jsonl?\.gz$/, "");
  const text = readText(file);
  if (file.includes("claude-code"))
    return { file, name, format: "anthropic", messages: readClaudeCodeSession(text).messages };
  const found = detectInput(JSON.parse(text), FORMATS);
  if (found === undefined) throw new Error(`${name} was not recognised`);
  return { file, name, format: found.format.name, messages: found.messages };
}
