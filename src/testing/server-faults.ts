// What a broken server does to a connection instead of answering.
import type { ServerResponse } from "node:http";

/**
 * `hang`: no byte ever. `drip`: good headers, then a blank now and then, without end. `half-body`: the connection ends
 * within the body. `not-json`: a cut JSON text with status 200. `web-page`: a gateway's HTML with status 200. `huge-body`:
 * valid headers and megabytes without end. `reset`: the connection is reset before any answer.
 */
export type ServerFault = "hang" | "drip" | "half-body" | "not-json" | "web-page" | "huge-body" | "reset";

const DRIP_MS = 10;
const HUGE_PIECE = "a".repeat(65_536);

type Misbehaviour = (response: ServerResponse, body: string) => void;

const JSON_TYPE = { "content-type": "application/json" };

const MISBEHAVIOURS: Readonly<Record<ServerFault, Misbehaviour>> = {
  hang: () => {},
  drip,
  "half-body": (response, body) => {
    response.writeHead(200, { ...JSON_TYPE, "content-length": String(body.length) });
    response.write(halfOf(body), () => response.destroy());
  },
  "not-json": (response, body) => {
    response.writeHead(200, JSON_TYPE).end(halfOf(body));
  },
  "web-page": (response) => {
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end("<!doctype html><title>Gateway</title>");
  },
  "huge-body": pour,
  reset: (response) => {
    response.socket?.resetAndDestroy();
  },
};

/** `body` is a good answer, to be spoiled. */
export function misbehave(fault: ServerFault, response: ServerResponse, body: string): void {
  MISBEHAVIOURS[fault](response, body);
}

function halfOf(body: string): string {
  return body.slice(0, Math.floor(body.length / 2));
}

/** Blanks are legal before any JSON, so only a time-out ends this. */
function drip(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  const timer = setInterval(() => response.write(" "), DRIP_MS);
  response.once("close", () => clearInterval(timer));
}

/** As fast as the client reads, until it hangs up. */
function pour(response: ServerResponse): void {
  response.writeHead(200, JSON_TYPE);
  response.write('{"choices":[{"message":{"content":"');
  const more = (): void => {
    while (!response.destroyed && response.write(HUGE_PIECE)) {
      // The socket takes more.
    }
  };
  response.on("drain", more);
  more();
}
