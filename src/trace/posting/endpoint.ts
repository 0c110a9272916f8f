// Where a sink posts to. Decides which addresses are taken, when the sink is made: a wrong one is the caller's mistake
// and is told then, not in a log line later.
import { CompactError } from "../../errors.ts";

export interface Endpoint {
  readonly url: string;
  readonly headers: Headers;
  /** Without the query, which may hold a key: what log lines show. */
  readonly shown: string;
}

export interface EndpointOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** "Ariadne", "OTLP": in messages. */
  readonly label: string;
  /** "/ingest": added to a base address, not to one that ends in it already. */
  readonly path: string;
  /** What a good address looks like. */
  readonly example: string;
}

/** @throws CompactError `InvalidConfig`: `INVALID_URL`, `INVALID_HEADER`. Never quotes the address or a header: keys stand there. */
export function endpointOf(options: EndpointOptions): Endpoint {
  const url = readUrl(options);
  const base = url.pathname.replace(/\/$/, "");
  url.pathname = base.endsWith(options.path) ? base : base + options.path;
  url.hash = "";
  return { url: url.href, headers: headersOf(options), shown: url.origin + url.pathname };
}

/** Another path of the same server, beside the endpoint's own: a health check. */
export function besideEndpoint(endpoint: Endpoint, path: string, other: string): Endpoint {
  const url = new URL(endpoint.url);
  url.pathname = url.pathname.slice(0, -path.length) + other;
  return { ...endpoint, url: url.href, shown: url.origin + url.pathname };
}

function readUrl({ url: written, label, example }: EndpointOptions): URL {
  const url = typeof written === "string" && URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CompactError("InvalidConfig", `The URL of the ${label} sink must be an http or https URL`, {
      code: "INVALID_URL",
      hint: `Write it like ${example}.`,
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new CompactError("InvalidConfig", `The URL of the ${label} sink must not hold a user or password`, {
      code: "INVALID_URL",
      hint: "Take them out of the URL; where the server wants them, send an authorization header from `headers`.",
    });
  }
  return url;
}

function headersOf({ headers: given = {}, label }: EndpointOptions): Headers {
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value);
    } catch {
      // The runtime's error quotes the value, which is often the key.
      throw new CompactError("InvalidConfig", `A header of the ${label} sink cannot be sent`, {
        code: "INVALID_HEADER",
        hint: "Look for line breaks and characters outside Latin-1 in its name and value.",
      });
    }
  }
  return headers;
}
