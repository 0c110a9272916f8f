// One POST of JSON with the runtime's own fetch. Decides what of the transport is a failure: broken connections,
// redirects, bodies beyond the cap. What a status or a body means is left to ask-provider.ts.
import { CompactError } from "../../errors.ts";
import { modelFailure } from "../failures/model-failure.ts";
import { findNetworkFailure } from "../failures/network-failure.ts";
import { WRONG_PLACE_HINT } from "../failures/status-failure.ts";
import type { Endpoint } from "./endpoint.ts";
import { readCapped } from "./read-capped.ts";

export interface JsonReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined when the body is no JSON. */
  readonly body: unknown;
  readonly raw: string;
}

const MAX_ANSWER_BYTES = 8 * 1_048_576;
/** Enough to see what an error is about. */
const MAX_ERROR_BYTES = 65_536;
const MAX_REDIRECTS = 3;

/**
 * @throws CompactError `SummarizationFailed`: `MODEL_UNAVAILABLE`, `MODEL_TIMEOUT` for the network, `MODEL_REJECTED` for a
 * redirect elsewhere or an endless body. Throws the signal's reason when it was aborted.
 */
export async function postJson(endpoint: Endpoint, body: string, signal?: AbortSignal): Promise<JsonReply> {
  try {
    const response = await send(endpoint, body, signal);
    const cap = response.ok ? MAX_ANSWER_BYTES : MAX_ERROR_BYTES;
    const { text, isCut } = await readCapped(response, cap);
    if (isCut && response.ok) throw tooLarge(endpoint, response.status);
    return { status: response.status, headers: response.headers, body: parse(text), raw: text };
  } catch (error) {
    signal?.throwIfAborted();
    throw readTransportError(endpoint, error);
  }
}

/** Follows redirects only where they lead to the same origin by the same method: a key is never sent elsewhere. */
async function send(endpoint: Endpoint, body: string, signal: AbortSignal | undefined): Promise<Response> {
  let url = endpoint.url;
  for (let hops = 0; ; hops++) {
    const response = await fetch(url, {
      method: "POST",
      headers: endpoint.headers,
      body,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    });
    const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
    if (!isRedirect) return response;
    await response.body?.cancel().catch(() => {});
    const next = redirectTarget(url, response);
    if (next === undefined || hops === MAX_REDIRECTS) throw redirected(endpoint, response.status);
    url = next;
  }
}

function redirectTarget(from: URL, response: Response): URL | undefined {
  if (response.status !== 307 && response.status !== 308) return undefined;
  const location = response.headers.get("location") ?? "";
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return target?.origin === from.origin && target.username === "" && target.password === "" ? target : undefined;
}

function redirected(endpoint: Endpoint, status: number): CompactError {
  return modelFailure("MODEL_REJECTED", `${endpoint.origin} redirects the request elsewhere`, {
    status,
    hint: "Set the base URL to the final address (https, host, path): keys and prompts do not follow redirects.",
  });
}

function tooLarge(endpoint: Endpoint, status: number): CompactError {
  return modelFailure("MODEL_REJECTED", `The answer of ${endpoint.origin} is larger than ${MAX_ANSWER_BYTES} bytes`, {
    status,
    hint: WRONG_PLACE_HINT,
  });
}

/** Errors of the transport hold addresses at most, but nothing of them is shown except the system's code. */
function readTransportError(endpoint: Endpoint, error: unknown): unknown {
  if (CompactError.isInstance(error)) return error;
  const { code, reason } = findNetworkFailure(error) ?? { code: "MODEL_UNAVAILABLE", reason: undefined };
  const seen = reason === undefined ? "" : ` (${reason})`;
  return modelFailure(code, `No whole answer came from ${endpoint.origin}${seen}`, {
    reason,
    hint: "Check that the model's server runs there and that this machine may reach it.",
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
