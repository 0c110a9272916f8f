// Listens on 127.0.0.1 and nowhere else, and ends within a bounded time. What is served is the caller's.
import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { CompactError } from "../errors.ts";

export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`. */
  readonly address: string;
  readonly port: number;
  /** Takes no more connections, lets running requests end for `graceMs` at most, then cuts them off. */
  close(graceMs: number): Promise<void>;
}

export interface LoopbackServerOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly log: (line: string) => void;
}

const LOOPBACK = "127.0.0.1";
/** How long a client may take to send its headers, and its whole request. */
const RECEIVING = { headersTimeout: 15_000, requestTimeout: 60_000 } as const;
const SWEEP_MS = 20;

/** Throws `Conflict` (`PORT_IN_USE`) and `InvalidInput` (`PORT_REFUSED`). */
export async function openLoopbackServer({ port, fetch, log }: LoopbackServerOptions): Promise<LoopbackServer> {
  const { createAdaptorServer } = await import("@hono/node-server");
  const server = createAdaptorServer({
    fetch,
    serverOptions: { ...RECEIVING },
    overrideGlobalObjects: false,
  }) as Server;
  const unused = watchUnused(server);
  await listen(server, port);
  server.on("error", (error) => log(`The server could not take a connection: ${error.message}`));
  const bound = server.address();
  const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
  return {
    address: `http://${LOOPBACK}:${boundPort}`,
    port: boundPort,
    close: (graceMs) => closeServer(server, unused, graceMs),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenFailure(error, port));
    server.once("error", fail);
    server.listen(port, LOOPBACK, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

function listenFailure(error: NodeJS.ErrnoException, port: number): CompactError {
  if (error.code === "EADDRINUSE") {
    return new CompactError("Conflict", `Port ${port} of ${LOOPBACK} is in use.`, {
      code: "PORT_IN_USE",
      hint: "Name another one, or 0 for any free one.",
    });
  }
  return new CompactError(
    "InvalidInput",
    `Port ${port} of ${LOOPBACK} cannot be used: ${error.code ?? error.message}.`,
    {
      code: "PORT_REFUSED",
      hint: "Name a port from 1024 to 65535, or 0 for any free one.",
      cause: error,
    },
  );
}

/** Connections on which nothing was asked yet, as browsers keep them ready. Node counts them as busy. */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage) => unused.delete(socket));
  return unused;
}

async function closeServer(server: Server, unused: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of unused) socket.destroy();
  // A connection that is kept open for a next request becomes idle after close() has looked.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
}
