// Stands between the product and the real server, and does what networks and odd servers do: answers with an error, falls
// silent, breaks off, loses an answer, changes a header.
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { ENDPOINT } from "./store.ts";

export type Fault =
  | "forward"
  /** Never answers. */
  | "hang"
  /** Breaks the connection when half of the request's body has come. */
  | "cut"
  /** The server does it, and the answer gets lost. */
  | "lose"
  /** The answer breaks off in its middle. */
  | "half"
  | { readonly status: number; readonly code: string }
  /** Headers of the answer; undefined takes one away. */
  | { readonly headers: Readonly<Record<string, string | undefined>> };

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

export interface StoreProxy {
  readonly endpoint: string;
  readonly seen: readonly SeenRequest[];
  close(): void;
}

/** `decide` is asked once for each request, with those before it. */
export async function startProxy(
  decide: (request: SeenRequest, before: readonly SeenRequest[]) => Fault,
): Promise<StoreProxy> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const asked = { method: request.method ?? "", url: request.url ?? "", headers: request.headers };
    const fault = decide(asked, [...seen]);
    seen.push(asked);
    answer(request, response, fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  if (fault === "hang") request.resume();
  else if (fault === "cut") cut(request);
  else if (typeof fault === "object" && "status" in fault) refuse(request, response, fault);
  else forward(request, response, fault);
}

function forward(request: IncomingMessage, response: ServerResponse, fault: Fault): void {
  const { expect: _, ...headers } = request.headers;
  // The host is signed, so it stays the proxy's.
  const onward = send(`${ENDPOINT}${request.url}`, { method: request.method, headers }, (from) => {
    if (fault === "lose") {
      from.resume();
      from.on("end", () => request.socket.destroy());
      return;
    }
    if (fault === "half") {
      half(from, response);
      return;
    }
    const changed =
      typeof fault === "object" && "headers" in fault ? { ...from.headers, ...fault.headers } : from.headers;
    response.writeHead(from.statusCode ?? 500, withoutAbsent(changed));
    from.pipe(response);
  });
  onward.on("error", () => request.socket.destroy());
  request.pipe(onward);
}

function cut(request: IncomingMessage): void {
  const half = Number(request.headers["content-length"] ?? 0) / 2;
  if (half === 0) request.socket.destroy();
  let got = 0;
  request.on("data", (piece: Buffer) => {
    got += piece.length;
    if (got >= half) request.socket.destroy();
  });
}

function half(from: IncomingMessage, response: ServerResponse): void {
  response.writeHead(from.statusCode ?? 500, withoutAbsent(from.headers));
  const whole = Number(from.headers["content-length"] ?? 0);
  let sent = 0;
  from.on("data", (piece: Buffer) => {
    sent += piece.length;
    response.write(piece);
    if (sent >= whole / 2) response.destroy();
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, fault: { status: number; code: string }): void {
  request.resume();
  request.on("end", () => {
    response.writeHead(fault.status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>${fault.code}</Message></Error>`);
  });
}

function withoutAbsent(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
