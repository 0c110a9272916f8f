// Writes a list of JSON values as lines, of which those that are known already are named and not written again: see
// shared-lines.ts for the form.
import { CompactError } from "../errors.ts";
import { sha256OfBytes } from "../storage/sha256.ts";
import { joinBytes } from "./content.ts";
import { BREAK, encode, HEADER, HEADER_START, type LineRange, type Place } from "./shared-lines.ts";

/** Large enough to write and to pack at once, small beside a transcript. */
const PIECE_BYTES = 1 << 18;

/** What a list may refer to instead of storing it. */
export interface KnownLines {
  find(hash: string): Place | undefined;
  /** A text that may stand inside a value, and under which number it is stored; `used` is told that it does. */
  readonly text?: { readonly file: number; readonly text: string; used(): void } | undefined;
}

export interface WrittenLine extends Place {
  readonly hash: string;
}

export interface EncodeOptions {
  /** Told of each line that later files may refer to. */
  readonly wrote?: (line: WrittenLine) => void;
  /** Names a value in messages. Default `message`. */
  readonly what?: string;
  /** The value with number N stands in line N. */
  readonly keepsNumbers?: boolean;
}

/**
 * The lines of `values` as file number `file`, in pieces of bytes. Throws `InvalidInput` (`NOT_JSON`) for a value that JSON
 * cannot hold.
 */
export async function* encodeLines(
  values: readonly unknown[],
  file: number,
  known: KnownLines | undefined,
  { wrote, what = "message", keepsNumbers = false }: EncodeOptions = {},
): AsyncGenerator<Uint8Array> {
  const isShared = known !== undefined || values.some(Array.isArray);
  const own = new Map<string, Place>();
  const out = new LineWriter(isShared, keepsNumbers);
  for (const [index, value] of values.entries()) {
    const text = encodeValue(value, `${what} ${index + 1}`);
    const bytes = encode(text);
    const hash = sha256OfBytes(bytes);
    const place = isShared ? (own.get(hash) ?? known?.find(hash)) : undefined;
    if (place === undefined) {
      const line = out.put(isShared ? (ownLine(value, text, index + 1, known) ?? bytes) : bytes);
      own.set(hash, { file, line });
      wrote?.({ hash, file, line });
    } else {
      out.refer(place, index + 1);
    }
    if (out.size >= PIECE_BYTES) yield out.take();
  }
  out.end(values.length);
  if (out.size > 0) yield out.take();
}

class LineWriter {
  readonly #isShared: boolean;
  readonly #keepsNumbers: boolean;
  #pieces: Uint8Array[] = [];
  #line = 0;
  #run: (LineRange & { readonly at: number }) | undefined;
  size = 0;

  constructor(isShared: boolean, keepsNumbers: boolean) {
    this.#isShared = isShared;
    this.#keepsNumbers = keepsNumbers;
    if (isShared && !keepsNumbers) this.#add(encode(HEADER));
  }

  /** Returns the number of the line. */
  put(content: Uint8Array): number {
    this.#endRun();
    return this.#add(content);
  }

  refer({ file, line }: Place, at: number): void {
    if (this.#run?.file === file && this.#run.last + 1 === line && !this.#keepsNumbers) {
      this.#run = { ...this.#run, last: line };
      return;
    }
    this.#endRun();
    this.#run = { at, file, first: line, last: line };
  }

  end(count: number): void {
    this.#endRun();
    if (this.#isShared) this.#add(encode(JSON.stringify(["end", count])));
  }

  take(): Uint8Array {
    const bytes = joinBytes(this.#pieces);
    this.#pieces = [];
    this.size = 0;
    return bytes;
  }

  #endRun(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) this.#add(encode(JSON.stringify(["same", run.at, run.file, run.first, run.last])));
  }

  #add(content: Uint8Array): number {
    const holdsHeader = this.#line === 0 && this.#isShared && this.#keepsNumbers;
    const bytes = holdsHeader ? joinBytes([encode(`${HEADER_START},`), content, encode("]")]) : content;
    this.#pieces.push(bytes, BREAK);
    this.size += bytes.length + 1;
    return ++this.#line;
  }
}

/** Undefined where the value stands as it is. */
function ownLine(value: unknown, line: string, at: number, known: KnownLines | undefined): Uint8Array | undefined {
  if (Array.isArray(value)) return encode(`["value",${line}]`);
  if (known?.text === undefined) return undefined;
  const { file, text, used } = known.text;
  // As it stands inside a JSON string.
  const escaped = JSON.stringify(text).slice(1, -1);
  const start = line.length < escaped.length ? -1 : line.indexOf(escaped);
  if (start < 0) return undefined;
  used();
  return encode(JSON.stringify(["summary", at, file, line.slice(0, start), line.slice(start + escaped.length)]));
}

/** Throws `InvalidInput` for what JSON cannot hold. */
export function encodeValue(value: unknown, what: string): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw notJson(what, cause);
  }
  if (text === undefined) throw notJson(what);
  return text;
}

function notJson(what: string, cause?: unknown): CompactError {
  return new CompactError("InvalidInput", `${what} cannot be archived: JSON cannot hold it`, {
    code: "NOT_JSON",
    hint: "Messages are plain JSON values: no functions, cycles or big integers.",
    cause,
  });
}
