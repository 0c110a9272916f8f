// Stands before a mock provider on the loopback and keeps each request body as it came over the wire: the mock's own
// journal holds them in its own shape.
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface RecordedRequest {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a foreign body, read as it comes
  readonly body: any;
}

export interface RecordingServer {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  close(): Promise<void>;
}

export async function startRecordingServer(target: string): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    requests.push({ path: request.url ?? "", body: JSON.parse(body) });
    const answer = await fetch(`${target}${request.url}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer none", "x-api-key": "none" },
      body,
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
