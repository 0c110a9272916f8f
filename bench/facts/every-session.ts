// Every session of the corpus, of whatever host, read as the command line reads it.
import { basename } from "node:path";
import { detectInput } from "../../src/formats/detect-format.ts";
import { FORMATS } from "../../src/from-config/formats.ts";
import { READERS } from "../../src/from-config/readers.ts";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";
import type { RealSession } from "./sessions.ts";

export function everySession(): readonly RealSession[] {
  const files = [
    ...corpusFiles("transcripts", /^(?!vercel).*(?<!meta)\.(?:jsonl?|md)(?:\.gz)?$/),
    ...corpusFiles("derived", /^openai-(chat|responses)-.*\.json\.gz$/),
  ];
  if (files.length === 0) throw new Error("No sessions: set AGENT_CORPUS to a folder with transcripts/ and derived/.");
  return files.map((file) => {
    const name = basename(file).replace(/\.(?:jsonl?|md)(?:\.gz)?$/, "");
    return { file, name, ...readAny(readText(file), name) };
  });
}

function readAny(text: string, name: string): Pick<RealSession, "format" | "messages"> {
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
