// One server process, one client that sends what clients should and should not send.
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { builtToolServer } from "./built-tool-server.ts";
import { call, startRaw, strayLines } from "./raw-client.ts";

const argv = builtToolServer();

describe("stdout of the server", () => {
  it("holds protocol only, whatever the program, its libraries and its tools print", async () => {
    verifies("field/stray-text-on-stdout");
    const server = startRaw({ argv, env: { DEBUG: "*", NODE_DEBUG: "stream,timer" } });
    const { result } = await server.initialize();
    expect(result).toMatchObject({ protocolVersion: "2025-11-25", instructions: "Tools of the tests." });
    expect((await server.request("tools/call", call("noisy"))).result?.content?.[0]?.text).toBe("noisy is done");
    expect((await server.request("tools/call", call("crashing", { later: true }))).result?.isError).toBe(true);
    expect((await server.request("tools/call", call("repeat", { older_than_days: "nonsense" }))).result?.isError).toBe(
      true,
    );
    expect((await server.request("no/such/method")).error?.code).toBe(-32601);
    expect((await server.request("tools/call", call("nothing"))).error?.code).toBe(-32602);
    server.child.stdin.end();
    expect(await server.exit).toEqual({ code: 0, signal: null });
    expect(strayLines(server.stdout())).toEqual([]);
    expect(server.stdout()).not.toContain("NOISE");
    expect(server.stderr()).toContain("NOISE at the start");
    expect(server.stderr()).toContain("NOISE in bytes");
    expect(server.stderr()).toContain("nobody waits for this");
  });
});

describe("what is no call", () => {
  it("does not end the server: text, broken JSON, lists, wrong kinds, control characters", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    for (const line of [
      "hello",
      "{",
      "[]",
      "null",
      "5",
      '{"jsonrpc":"1.0"}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      "\u0000\u001b[2J",
      "\uFEFF",
      "[".repeat(100_000),
      "",
    ])
      server.send(line);
    server.send('{"jsonrpc":"2.0","id":"odd","method":5}');
    expect((await server.answer("odd")).error?.code).toBe(-32600);
    server.send('\uFEFF{"jsonrpc":"2.0","id":"marked","method":"ping"}\r');
    expect((await server.answer("marked")).result).toEqual({});
    expect(strayLines(server.stdout())).toEqual([]);
  });

  it("is refused by id when it is larger than the limit, and the next message is served", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    const large = "x".repeat(11 * 1024 * 1024);
    server.send({ jsonrpc: "2.0", id: "first", method: "tools/call", params: call("repeat", { project: large }) });
    expect((await server.answer("first")).error).toMatchObject({
      code: -32600,
      message: expect.stringMatching(/larger than 10 MB.*smaller parts/),
    });
    server.send({ method: "tools/call", params: call("repeat", { project: large }), jsonrpc: "2.0", id: "last" });
    expect((await server.answer("last")).error?.code).toBe(-32600);
    const { result } = await server.request(
      "tools/call",
      call("repeat", { older_than_days: 1, project: "x".repeat(1_000_000) }),
    );
    expect(result?.isError).toBeUndefined();
    expect(strayLines(server.stdout())).toEqual([]);
  });

  it("is a call all the same when its arguments are null, absent, or an object as text", async () => {
    verifies("field/arguments-as-strings");
    const server = startRaw({ argv });
    await server.initialize();
    expect((await server.request("tools/call", call("noisy", null))).result?.isError).toBeUndefined();
    expect((await server.request("tools/call", { name: "noisy" })).result?.isError).toBeUndefined();
    const { result } = await server.request("tools/call", call("repeat", '{"older_than_days":"30"}'));
    expect(result?.content?.[0]?.text).toBe('given {"older_than_days":30}');
  });
});

describe("many calls at once", () => {
  it("are all answered, each with its own answer", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        server.request(
          "tools/call",
          index % 4 === 0 ? call("slow", { ms: 20 }) : call("repeat", { older_than_days: index }),
        ),
      ),
    );
    answers.forEach(({ result }, index) => {
      const expected = index % 4 === 0 ? "slow is done" : `given {"older_than_days":${index}}`;
      expect(result?.content?.[0]?.text).toBe(expected);
    });
    expect(strayLines(server.stdout())).toEqual([]);
  });
});
