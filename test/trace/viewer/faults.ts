// How a trace server misbehaves, for the fake viewer and the fake collector alike: real sockets on the loopback.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Behaviour {
  /** Milliseconds before each answer. */
  readonly delayMs?: number;
  /** Answers every post with this instead of reading it. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For this many posts; without it for all. */
  readonly times?: number;
  /** Takes connections and never answers. */
  readonly isBlackHole?: boolean;
}

export interface FaultyServer {
  readonly url: string;
  behave(behaviour: Behaviour): void;
  /** Closes the port; later connections are refused. */
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** `isPost` tells the requests that a behaviour with a status is about. */
export async function startFaulty(answer: Answer): Promise<FaultyServer> {
  let behaviour: Behaviour = {};
  let left = Number.POSITIVE_INFINITY;
  const server: Server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (behaviour.isBlackHole === true) return;
    if (behaviour.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs));
    if (behaviour.status === undefined || request.method !== "POST" || left-- <= 0) return answer(request, response);
    for await (const _ of request);
    response.writeHead(behaviour.status, { "content-type": "application/json", ...behaviour.headers });
    response.end('{"error":"Internal server error","message":"told to"}');
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behave(next) {
      behaviour = next;
      left = next.times ?? Number.POSITIVE_INFINITY;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
