// Where a provider answers and with which headers, checked once when the model is made. What is shown of it later is
// the origin only: paths, queries and headers may hold keys.
import { CompactError } from "../../errors.ts";

export interface Endpoint {
  readonly url: URL;
  readonly headers: Headers;
  /** For messages: `http://localhost:11434`. */
  readonly origin: string;
}

export interface EndpointOptions {
  readonly baseUrl: string;
  /** Appended to the base URL: `/chat/completions`. A base URL that already ends in it is taken as it is. */
  readonly path: string;
  /** Headers that we set. */
  readonly ours: Readonly<Record<string, string>>;
  /** Headers of the user; they win. */
  readonly theirs: Readonly<Record<string, string>>;
}

/** @throws CompactError `InvalidConfig` for a base URL or a header that cannot be sent; never quotes either. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const url = readBaseUrl(options.baseUrl);
  const path = url.pathname.replace(/\/{1,9}$/, "");
  url.pathname = path.endsWith(options.path) ? path : path + options.path;
  url.hash = "";
  const headers = new Headers();
  for (const [name, value] of [...Object.entries(options.ours), ...Object.entries(options.theirs)]) {
    setHeader(headers, name, value);
  }
  return { url, headers, origin: url.origin };
}

/** The key without the line end that files and shells leave on it; undefined when nothing is left. */
export function readApiKey(apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim() ?? "";
  return key === "" ? undefined : key;
}

function readBaseUrl(baseUrl: string): URL {
  let url: URL | undefined;
  try {
    url = new URL(baseUrl.trim());
  } catch {
    // Refused below; the parser's error quotes the text.
  }
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CompactError("InvalidConfig", "The base URL of the summarizer's model must be an http or https URL", {
      code: "INVALID_BASE_URL",
      hint: "Write it like http://localhost:11434/v1.",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new CompactError("InvalidConfig", "The base URL of the summarizer's model must not hold a user or password", {
      code: "INVALID_BASE_URL",
      hint: "Give the key as apiKey, or an authorization header in headers.",
    });
  }
  return url;
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The runtime's error quotes the value, which is often the key.
    throw new CompactError("InvalidConfig", "A header of the summarizer's model cannot be sent", {
      code: "INVALID_HEADER",
      hint: "Look for line breaks and characters outside Latin-1 in the API key and in headers.",
    });
  }
}
