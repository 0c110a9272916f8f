// How fast texts are redacted, beside one plain expression over the same texts, and how the time grows on hostile text.
import type { Redactor } from "../../src/redaction/redactor.ts";

const ROUNDS = 5;
const PLAIN = /(?:api[_-]?key|password|secret|token)\s*[:=]\s*\S+/gi;

export interface Speed {
  readonly megabytes: number;
  /** Megabytes of UTF-8 in a second of the processor. */
  readonly redaction: number;
  readonly plain: number;
}

export function measureSpeed(texts: readonly string[], redactor: Redactor): Speed {
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const rate = (run: (text: string) => unknown) => megabytes / shortest(() => texts.forEach((text) => void run(text)));
  return {
    megabytes,
    redaction: rate((text) => redactor.text(text)),
    plain: rate((text) => text.replace(PLAIN, "")),
  };
}

/** Seconds of the processor, of the best round. */
function shortest(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    best = Math.min(best, (user + system) / 1e6);
  }
  return best;
}

export interface Growth {
  readonly what: string;
  readonly megabytes: number;
  readonly milliseconds: number;
  /** The time for twice the text, as a multiple. */
  readonly doubled: number;
}

const dashes = "-----BEGIN ";
const HOSTILE: Readonly<Record<string, (times: number) => string>> = {
  "one capital, 256k": (times) => "A".repeat(times * 256_000),
  "`api_key `, 50k times": (times) => "api_key ".repeat(times * 50_000),
  "a quoted password of 100k backslashes": (times) => `password='${"\\".repeat(times * 100_000)}`,
  "the beginning of a key's marker, 20k times": (times) => dashes.repeat(times * 20_000),
  "5 MB of base64": (times) => "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo0NTY3".repeat(times * 125_000),
  "names without an end, 50k": (times) => "authorization:required-".repeat(times * 50_000),
  "quotes without an end, 40k": (times) => `password="x secret='y `.repeat(times * 40_000),
  "the beginning of an address, 150k": (times) => "://a:b".repeat(times * 150_000),
  "the beginning of a web token, 80k": (times) => "eyJaaaaaaaa.".repeat(times * 80_000),
  "curl without a user, 100k": (times) => "curl -u ".repeat(times * 100_000),
  "cookies, 50k": (times) => "cookie: a=b; ".repeat(times * 50_000),
  "a list of names and values, 50k": (times) => 'token", '.repeat(times * 50_000),
};

export function measureGrowth(redactor: Redactor): readonly Growth[] {
  return Object.entries(HOSTILE).map(([what, write]) => {
    const [once, twice] = [write(1), write(2)];
    const seconds = shortest(() => void redactor.text(once));
    const doubled = shortest(() => void redactor.text(twice)) / Math.max(seconds, 0.0005);
    return { what, megabytes: once.length / 1e6, milliseconds: seconds * 1000, doubled };
  });
}
