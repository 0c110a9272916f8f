// Bytes to lines, in linear time, with a limit: a line that is too long is passed by without being held, and told by its
// two ends, where clients write the id of a request.

export interface LineHandlers {
  readonly onLine: (line: string) => void;
  readonly onTooLong: (head: string, tail: string) => void;
}

const ENDS = 200;
const LINE_FEED = 10;

export class LineReader {
  readonly #most: number;
  readonly #on: LineHandlers;
  #held: Buffer[] = [];
  #length = 0;
  /** Of a line that is too long: its ends so far. */
  #head: string | undefined;
  #tail = Buffer.alloc(0);

  constructor(mostBytes: number, on: LineHandlers) {
    this.#most = mostBytes;
    this.#on = on;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** What is held is a line, also where the input ends without a line feed. */
  end(): void {
    if (this.#head !== undefined) this.#on.onTooLong(this.#head, this.#tail.toString("utf8"));
    else if (this.#length > 0) this.#on.onLine(Buffer.concat(this.#held).toString("utf8"));
    this.#held = [];
    this.#length = 0;
    this.#head = undefined;
  }

  #hold(part: Buffer): void {
    if (this.#head !== undefined) {
      this.#keepTail(part);
      return;
    }
    this.#held.push(part);
    this.#length += part.length;
    if (this.#length <= this.#most) return;
    const line = Buffer.concat(this.#held);
    this.#held = [];
    this.#head = line.subarray(0, ENDS).toString("utf8");
    this.#tail = Buffer.alloc(0);
    this.#keepTail(line);
  }

  #keepTail(part: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, part.subarray(-ENDS)]).subarray(-ENDS);
  }
}
