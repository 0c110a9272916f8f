// Refuses a body that is too large, announced or not. What has no body passes by untouched.
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

export function limitBody(mostBytes: number, refuse: () => Response): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: mostBytes, onError: refuse });
  return async (context, next) => {
    const { raw } = context.req;
    // A request that announces neither has no body (RFC 9112, 6.3), although this server's requests have a stream for it.
    if (!raw.headers.has("content-length") && !raw.headers.has("transfer-encoding")) return next();
    if (raw.headers.has("transfer-encoding") && raw.body !== null) context.req.raw = standardRequest(raw);
    return limit(context, next);
  };
}

/** The limit reads a body of unknown length and makes the request anew, which only one of Node's own can be made from. */
function standardRequest(raw: Request): Request {
  const { url, method, headers, body, signal } = raw;
  return new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit);
}
