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
      "[[]]",
      '[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}},{"jsonrpc":"2.0","id":9,"result":{}},7]',
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
    expect(server.stdout()).not.toContain('"id":9');
    server.send('\uFEFF{"jsonrpc":"2.0","id":"marked","method":"ping"}\r');
    expect((await server.answer("marked")).result).toEqual({});
    expect(strayLines(server.stdout())).toEqual([]);
  });

  it("is refused by each id when it is several requests in one line", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    const one = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/list" });
    server.send(JSON.stringify([one(55), one("text"), one(55), { jsonrpc: "2.0", method: "notifications/x" }]));
    for (const id of [55, "text"]) {
      const { error } = await server.answer(id);
      expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/batch.*Send each on a line/) });
    }
    expect((await server.request("ping")).result).toEqual({});
    expect(server.stdout().match(/"id":55/g)).toHaveLength(1);
    expect(server.stderr()).toContain("A line with several messages (a batch) was refused.");
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

  it("is refused by id when it is nested too deep, before anything is built of it", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    const deep: unknown = JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`);
    server.send({ jsonrpc: "2.0", id: "deep", method: "tools/call", params: call("repeat", { project: deep }) });
    const { error } = await server.answer("deep");
    expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/too many levels or values/) });
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

  it.each([
    [[1], "a list of 1"],
    [5, "the number 5"],
    [true, "true"],
    ["{not json", 'the text "{not json"'],
    ["[1]", 'the text "[1]"'],
  ])("is answered as a refused call when its arguments are %j, with what to send", async (given, shown) => {
    verifies("field/arguments-as-strings");
    const server = startRaw({ argv });
    await server.initialize();
    const { result, error } = await server.request("tools/call", call("repeat", given));
    expect(error).toBeUndefined();
    expect(result).toMatchObject({ isError: true, _meta: { "agent-compact/error": { code: "INVALID_ARGUMENTS" } } });
    expect(result?.content?.[0]?.text).toBe(
      `repeat was not carried out, nothing has changed: "arguments" must be an object, not ${shown}.\n` +
        'Example: {"name": "repeat", "arguments": {"older_than_days": 30}}',
    );
  });

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["a list", []],
    ["no name", { arguments: {} }],
    ["a number as its name", { name: 5 }],
  ])("is answered as a refused call when its parameters are %s, with what to send", async (_, params) => {
    const server = startRaw({ argv });
    await server.initialize();
    server.send({ jsonrpc: "2.0", id: "bare", method: "tools/call", params });
    const { result, error } = await server.answer("bare");
    expect(error).toBeUndefined();
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.text).toMatch(/names no tool.*\n.*"name": "repeat".*Tools: repeat, slow, /);
  });

  it.each(["nothing", "constructor", "__proto__", "toString", "hasOwnProperty"])(
    "is not found when there is no tool of the name %s",
    async (name) => {
      const server = startRaw({ argv });
      await server.initialize();
      const { error } = await server.request("tools/call", call(name));
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`Tool ${name} not found`) });
    },
  );
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
