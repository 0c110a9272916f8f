// The real sessions that the benches of facts run on. Where they are is said by AGENT_CORPUS; a clone has none.
import { basename } from "node:path";
import { FORMATS } from "../../src/factories/formats.ts";
import { READERS } from "../../src/factories/readers.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";

export interface RealSession {
  readonly file: string;
  readonly name: string;
  readonly format: string;
  readonly messages: readonly unknown[];
}

/** Those of one host, and the same in two wire formats. */
export function realSessions(): readonly RealSession[] {
  return sessionsOf(/^claude-code-.*\.jsonl\.gz$/);
}

/** All, of whatever host. */
export function everySession(): readonly RealSession[] {
  return sessionsOf(/^(?!vercel).*(?<!meta)\.(?:jsonl?|md)(?:\.gz)?$/);
}

function sessionsOf(transcripts: RegExp): readonly RealSession[] {
  const files = [
    ...corpusFiles("transcripts", transcripts),
    ...corpusFiles("derived", /^openai-(chat|responses)-.*\.json\.gz$/),
  ];
  if (files.length === 0) throw new Error("No sessions: set AGENT_CORPUS to a folder with transcripts/ and derived/.");
  return files.map((file) => {
    const name = basename(file).replace(/\.(?:jsonl?|md)(?:\.gz)?$/, "");
    return { file, name, ...readAny(readText(file), name) };
  });
}

/** As the command line reads it. */
export function readAny(text: string, name: string): { format: string; messages: readonly unknown[] } {
  const values = parse(text);
  const reader = READERS.find((known) => (values === undefined ? known.matchesText?.(text) : known.matches(values)));
  if (reader !== undefined) {
    const { format = "anthropic", messages } = reader.read(text);
    return { format, messages };
  }
  const found = values?.length === 1 ? detectInput(values[0], FORMATS) : undefined;
  if (found === undefined) throw new Error(`${name} was not recognised`);
  return { format: found.format.name, messages: found.messages };
}

/** The values of a text that is JSON or JSON Lines; undefined for one that is neither. */
function parse(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    const values = text.split("\n").flatMap((line) => {
      try {
        return line.trim() === "" ? [] : [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
    return typeof values[0] === "object" ? values : undefined;
  }
}
