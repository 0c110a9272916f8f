// A refusal that says the prompt does not fit: told by the provider's own code where it has one, else by the figures that every
// provider's sentence about it names, the tokens that came and the tokens that it takes.
import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../text/json-values.ts";
import { passBytes, type RawHeaders } from "./forward.ts";
import { decoderOf } from "./usage.ts";

export interface Refusal {
  readonly answer: IncomingMessage;
  /** Of its body; empty where that is long. */
  readonly text: string;
  readonly isOverflow: boolean;
  /** It says that thinking is bound to what stood before it, and no longer does. */
  readonly isBound: boolean;
  /** Tokens that the provider says it takes. */
  readonly window: number | undefined;
  /** The answer as it came. */
  passBack(response: ServerResponse, added: RawHeaders): void;
}

const MOST_BYTES = 256 * 1024;
const CODES = new Set(["context_length_exceeded", "exceed_context_size_error", "string_above_max_length"]);

/** Reads the whole answer. */
export async function readOverflow(answer: IncomingMessage): Promise<Refusal> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = await textOf(bytes, answer.headers["content-encoding"]);
  return {
    answer,
    text,
    ...overflowIn(text),
    isBound: /\bbound to a different conversation\b/.test(text),
    passBack: (response, added) => passBytes(answer, bytes, response, added),
  };
}

async function textOf(bytes: Buffer, encoding: string | undefined): Promise<string> {
  if (bytes.length > MOST_BYTES) return "";
  const decoder = decoderOf(encoding);
  if (decoder === undefined) return bytes.toString("utf8");
  try {
    decoder.end(bytes);
    let text = "";
    for await (const chunk of decoder) if (text.length <= MOST_BYTES) text += String(chunk);
    return text;
  } catch {
    return "";
  }
}

/** Anthropic: `prompt is too long: 210000 tokens > 200000 maximum`. OpenAI and those who answer like it: a code. */
export function overflowIn(text: string): Pick<Refusal, "isOverflow" | "window"> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { isOverflow: false, window: undefined };
  }
  const error = isObject(body) && isObject(body.error) ? body.error : body;
  if (!isObject(error)) return { isOverflow: false, window: undefined };
  const message = String(error.message ?? "");
  const limit =
    /\btokens? > (\d{3,8}) maximum/.exec(message)?.[1] ??
    /\b(?:maximum|max) (?:context|model|sequence) length (?:is|of) (\d{3,8})\b/i.exec(message)?.[1];
  const size = Number(error.n_ctx ?? limit);
  const window = Number.isSafeInteger(size) && size > 0 ? size : undefined;
  return { isOverflow: CODES.has(String(error.code)) || CODES.has(String(error.type)) || window !== undefined, window };
}
