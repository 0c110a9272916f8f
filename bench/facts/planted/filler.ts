// What fills a session between the facts: tools that print logs, listings and code, as they do. None of it says
// anything that a planted fact says.
import type { Random } from "../../../scripts/example-sessions/random.ts";

export interface Phrases {
  readonly asks: readonly string[];
  readonly answers: readonly string[];
  readonly thoughts: readonly string[];
  readonly nouns: readonly string[];
}

const PARTS = ["billing", "export", "mail", "search", "login", "report", "price", "import", "queue", "cache"];
const ROLES = ["service", "store", "client", "router", "parser", "writer", "view", "test"];
const MESSAGES = [
  "request handled",
  "row skipped",
  "retrying later",
  "connection opened",
  "cache miss",
  "batch written",
  "token refreshed",
];

export function sayFrom(phrases: readonly string[], nouns: readonly string[], random: Random): string {
  const phrase = phrases[random.whole(0, phrases.length - 1)] ?? "";
  return phrase.replace("{noun}", nouns[random.whole(0, nouns.length - 1)] ?? "");
}

export function pathFrom(random: Random): string {
  const part = PARTS[random.whole(0, PARTS.length - 1)];
  return `src/${part}/${ROLES[random.whole(0, ROLES.length - 1)]}.ts`;
}

/** What a tool printed: 10 to 50 lines, times `verbosity`. */
export function toolOutput(random: Random, verbosity: number): string {
  const lines = random.whole(10, 50) * verbosity;
  const kind = random.whole(0, 2);
  return Array.from({ length: lines }, (_, at) => {
    if (kind === 0) return logLine(at, random);
    return kind === 1 ? listingLine(random) : codeLine(at, random);
  }).join("\n");
}

function logLine(at: number, random: Random): string {
  const message = MESSAGES[random.whole(0, MESSAGES.length - 1)];
  return `12:${String(at % 60).padStart(2, "0")}:${random.whole(10, 59)}.${random.whole(100, 999)} [worker ${random.whole(1, 8)}] ${message} in ${random.whole(1, 9)}.${random.whole(1, 9)} ms`;
}

function listingLine(random: Random): string {
  return `${pathFrom(random)}:${random.whole(1, 90)}:  return ${PARTS[random.whole(0, PARTS.length - 1)]}Of(row);`;
}

function codeLine(at: number, random: Random): string {
  const name = PARTS[random.whole(0, PARTS.length - 1)];
  return at % 7 === 0
    ? `export function ${name}Step(rows: Row[]): Row[] {`
    : `  const ${name} = rows.map((row) => row.${name} ?? ${name}Default);`;
}
