// What a provider reports of a call, read from a copy of its answer while the answer itself passes by: one JSON object, or a
// stream of events. What cannot be read reports nothing.
import { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import zlib from "node:zlib";
import { Decompress } from "fzstd";
import { isObject, type JsonObject } from "../text/json-values.ts";

export interface UsageReader {
  write(chunk: Buffer): void;
  /** Resolves to the usage as the provider spells it; undefined where it told none. */
  end(): Promise<JsonObject | undefined>;
}

/** Of an answer that is one JSON object. */
const MOST_JSON = 16 * 1024 * 1024;
/** Of one line of a stream; a longer one holds no usage. */
const MOST_LINE = 4 * 1024 * 1024;

export function createUsageReader(headers: NodeJS.Dict<string | string[]>): UsageReader {
  const isStream = String(headers["content-type"]).includes("text/event-stream");
  const reader = isStream ? createEventReader() : createObjectReader();
  const decoder = decoderOf(headers["content-encoding"]);
  if (decoder === undefined) return { write: reader.write, end: async () => reader.end() };
  const done = new Promise<void>((resolve) => decoder.once("close", resolve));
  decoder.on("error", () => decoder.destroy());
  decoder.on("data", reader.write);
  return {
    write: (chunk) => void decoder.write(chunk),
    end: async () => {
      decoder.end();
      await done;
      return reader.end();
    },
  };
}

/** Undefined for bytes as they are. */
export function decoderOf(encoding: string | string[] | undefined): Duplex | undefined {
  const { createZstdDecompress = createZstdDecoder } = zlib as { readonly createZstdDecompress?: () => Duplex };
  const makers: Readonly<Record<string, () => Duplex>> = {
    gzip: zlib.createGunzip,
    "x-gzip": zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
    zstd: createZstdDecompress,
  };
  return makers[String(encoding).trim().toLowerCase()]?.();
}

/** Bytes of zstd read at once: a block of four bytes may stand for 128 KiB. */
const ZSTD_PIECE = 1_024;

/** For a Node before 22.15, which has none. */
export function createZstdDecoder(): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    const decoded: Uint8Array[] = [];
    const zstd = new Decompress((piece) => decoded.push(piece));
    for await (const bytes of source) {
      for (let at = 0; at < bytes.length; at += ZSTD_PIECE) {
        zstd.push(bytes.subarray(at, at + ZSTD_PIECE));
        yield* decoded.splice(0);
      }
    }
    zstd.push(new Uint8Array(), true);
    yield* decoded;
  });
}

interface TextReader {
  write(chunk: Buffer): void;
  end(): JsonObject | undefined;
}

function createObjectReader(): TextReader {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    write: (chunk) => {
      size += chunk.length;
      if (size <= MOST_JSON) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: () => usageIn(parsed(Buffer.concat(chunks).toString("utf8"))),
  };
}

/** Anthropic tells the prompt with the first event and the answer with a later one; others tell all with the last. */
function createEventReader(): TextReader {
  const decoder = new StringDecoder("utf8");
  let usage: JsonObject | undefined;
  let line = "";
  const take = (text: string) => {
    if (!text.startsWith("data:") || !text.includes('"usage"')) return;
    const found = usageIn(parsed(text.slice("data:".length)));
    const told = Object.entries(found ?? {}).filter(([, figure]) => figure !== null);
    if (told.length > 0) usage = { ...usage, ...Object.fromEntries(told) };
  };
  return {
    write: (chunk) => {
      const lines = (line + decoder.write(chunk)).split("\n");
      line = lines.pop() ?? "";
      if (line.length > MOST_LINE) line = "";
      lines.forEach(take);
    },
    end: () => {
      take(line + decoder.end());
      return usage;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function usageIn(value: unknown): JsonObject | undefined {
  return holdersOfUsage(value)[0]?.usage as JsonObject | undefined;
}

/** The objects that hold a usage: an answer, or what is in an event of one. */
export function holdersOfUsage(value: unknown): readonly { usage: unknown }[] {
  if (!isObject(value)) return [];
  const holders = [value, value.message, value.response].filter(isObject);
  return holders.filter(({ usage }) => isObject(usage)) as unknown as readonly { usage: unknown }[];
}

export interface UsageFigures {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWritten: number;
  readonly output: number;
}

/** `input`: the whole prompt but what was read from the cache or written to it. */
export function figuresOf(usage: JsonObject): UsageFigures {
  const figure = (...names: readonly string[]) => Number(names.map((name) => usage[name]).find(Number.isFinite) ?? 0);
  const details = [usage.prompt_tokens_details, usage.input_tokens_details].find(isObject);
  const output = figure("output_tokens", "completion_tokens");
  if (details !== undefined || "prompt_tokens" in usage) {
    const cached = Number(details?.cached_tokens ?? 0);
    return { input: figure("prompt_tokens", "input_tokens") - cached, cacheRead: cached, cacheWritten: 0, output };
  }
  const [cacheRead, cacheWritten] = [figure("cache_read_input_tokens"), figure("cache_creation_input_tokens")];
  return { input: figure("input_tokens"), cacheRead, cacheWritten, output };
}
