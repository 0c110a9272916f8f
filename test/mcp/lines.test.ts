import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { LineReader, LineTransport } from "../../src/mcp/serve-stdio.ts";

function read(chunks: readonly Buffer[], most = 1000) {
  const lines: string[] = [];
  const tooLong: (readonly [string, string])[] = [];
  const reader = new LineReader(most, {
    onLine: (line) => void lines.push(line),
    onTooLong: (head, tail) => void tooLong.push([head, tail]),
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { lines, tooLong };
}

describe("lines of a stream", () => {
  it("are whole wherever the chunks are cut, inside characters too", () => {
    const bytes = Buffer.from("erste\nzweite 界🙂\n\nlast, without an end");
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(read(chunks).lines).toEqual(["erste", "zweite 界🙂", "last, without an end"]);
    }
  });

  it("may be as long as the limit, and longer ones are passed by", () => {
    const exact = "x".repeat(1000);
    const long = `${"a".repeat(300)}${"b".repeat(5000)}${"c".repeat(300)}`;
    const { lines, tooLong } = read([
      Buffer.from(`${exact}\n${long.slice(0, 999)}`),
      Buffer.from(`${long.slice(999)}\nnext\n`),
    ]);
    expect(lines).toEqual([exact, "next"]);
    expect(tooLong).toEqual([["a".repeat(200), "c".repeat(200)]]);
  });
});

describe("the transport", () => {
  const request = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: {} })}\n`;

  function open(graceMs = 10_000, onLate?: () => void) {
    const input = new PassThrough();
    const written: string[] = [];
    const logged: string[] = [];
    let isRefusing = false;
    let isSlow = false;
    const transport = new LineTransport({
      input,
      output: {
        write: async (text) => {
          if (isRefusing) throw new Error("EPIPE");
          written.push(text);
          if (isSlow) await new Promise(() => undefined);
        },
      },
      log: (line) => void logged.push(line),
      graceMs,
      ...(onLate === undefined ? {} : { onLate }),
    });
    const received: { readonly id?: unknown }[] = [];
    transport.onmessage = (message) => void received.push(message as { readonly id?: unknown });
    const [refuse, slowDown] = [() => (isRefusing = true), () => (isSlow = true)];
    return { input, transport, received, written, logged, refuse, slowDown };
  }

  it("says that it is closed only when what it received is answered", async () => {
    const { input, transport, received } = open();
    await transport.start();
    let isClosed = false;
    transport.onclose = () => {
      isClosed = true;
    };
    input.end(request(1) + request(2));
    await new Promise((resolve) => input.once("close", resolve));
    expect(received.map(({ id }) => id)).toEqual([1, 2]);
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    expect(isClosed).toBe(false);
    await transport.send({ jsonrpc: "2.0", id: 2, result: {} });
    await transport.closed;
    expect(isClosed).toBe(true);
    await expect(transport.send({ jsonrpc: "2.0", id: 2, result: {} })).rejects.toThrow("closed");
  });

  it("does not wait for what was cancelled, and not longer than it must", async () => {
    const cancelled = open();
    await cancelled.transport.start();
    cancelled.input.end(`${request(1)}{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n`);
    await cancelled.transport.closed;
    const unanswered = open(1);
    await unanswered.transport.start();
    unanswered.input.end(request(1));
    await unanswered.transport.closed;
  });

  it("refuses what nothing has answered when the time is over, once it has asked for answers", async () => {
    let asked = 0;
    const { input, transport, written, logged } = open(1, () => {
      asked++;
      void transport.send({ jsonrpc: "2.0", id: 2, result: {} });
    });
    await transport.start();
    input.end(request(1) + request(2) + request(3));
    await transport.closed;
    expect(asked).toBe(1);
    const [answered, ...refused] = written.map((line) => JSON.parse(line));
    expect(answered).toEqual({ jsonrpc: "2.0", id: 2, result: {} });
    expect(refused.map(({ id, error }) => [id, error.code])).toEqual([
      [1, -32603],
      [3, -32603],
    ]);
    expect(refused[0].error.message).toContain("not known whether it was carried out");
    expect(logged).toEqual(["Requests were not answered when the server had to end: 2."]);
  });

  it("answers no request twice to a client that is slow to read", async () => {
    const { input, transport, written, slowDown } = open(1);
    await transport.start();
    slowDown();
    input.end(request(1));
    await new Promise((resolve) => input.once("close", resolve));
    void transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    await transport.closed;
    expect(written).toHaveLength(1);
  });

  it("is closed when nobody reads any more, or its input breaks", async () => {
    const unread = open();
    await unread.transport.start();
    unread.input.write(request(1));
    unread.refuse();
    await expect(unread.transport.send({ jsonrpc: "2.0", id: 1, result: {} })).rejects.toThrow("EPIPE");
    await unread.transport.closed;
    const broken = open();
    await broken.transport.start();
    broken.input.destroy(new Error("broken"));
    await broken.transport.closed;
  });
});
