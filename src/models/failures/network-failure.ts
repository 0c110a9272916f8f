// Recognises failures of the network in what was thrown, by system code: of Node and of its fetch, which hides the
// code in `cause`, and of other runtimes, which give a message only.
import type { ModelFailureCode } from "../model.ts";

const TIMEOUTS = new Set([
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

const BREAKS = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_NETWORK",
  "ConnectionRefused",
  "ConnectionClosed",
]);

const DEPTH = 6;

export interface NetworkFailure {
  readonly code: ModelFailureCode;
  /** The system code found. */
  readonly reason: string;
}

/** Undefined when no system code of the network stands anywhere in the chain. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  for (const link of chainOf(error)) {
    const reason = link.code;
    if (typeof reason !== "string") continue;
    if (TIMEOUTS.has(reason)) return { code: "MODEL_TIMEOUT", reason };
    // Broken compressed bodies (Z_) and broken HTTP (HPE_) come from peers that died half-way.
    if (BREAKS.has(reason) || /^(?:UND_ERR_|HPE_|Z_|ERR_HTTP2_|ERR_SSL_)/.test(reason)) {
      return { code: "MODEL_UNAVAILABLE", reason };
    }
  }
  return undefined;
}

/** The error and what it names as its causes, nearest first. Bounded, so that a circle ends. */
export function chainOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const chain: Readonly<Record<string, unknown>>[] = [];
  for (let link = error; typeof link === "object" && link !== null && chain.length < DEPTH; ) {
    const record = link as Readonly<Record<string, unknown>>;
    chain.push(record);
    link = record.cause ?? record.lastError ?? (Array.isArray(record.errors) ? record.errors[0] : undefined);
  }
  return chain;
}
