// JSON-RPC 2.0 over real HTTP: what is a call, what is answered, and with which code.
import { describe, expect, it } from "vitest";
import { DECISION_METHODS } from "../../../src/operations/decisions/methods.ts";
import { verifies } from "../../requirements/verifies.ts";
import { openCstpServer, type RpcResponse } from "./cstp-server.ts";

const call = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params });
const list = call("cstp.getCompacted", {});

async function send(body: unknown) {
  const server = await openCstpServer();
  const response = await server.post(typeof body === "string" ? body : JSON.stringify(body));
  const text = await response.text();
  return { status: response.status, answer: (text === "" ? undefined : JSON.parse(text)) as RpcResponse, server };
}

it("array bodies, missing params, unknown methods and bad tokens get their answers", async () => {
  verifies("values/rpc-errors");
  const { post, rpc } = await openCstpServer({ agents: new Map([["right", "ada"]]) });
  const authorization = "Bearer right";
  const batch = await post(JSON.stringify([list, list]), { authorization });
  expect(await batch.json()).toMatchObject([{ result: { total: 0 } }, { result: { total: 0 } }]);
  expect((await rpc("cstp.getCompacted", null, "right")).error?.code).toBe(-32_602);
  expect((await rpc("cstp.nothing", {}, "right")).error?.code).toBe(-32_601);
  for (const headers of [{}, { authorization: "Bearer wrong" }]) {
    const refused = await post(JSON.stringify(list), headers);
    expect([refused.status, await refused.json()]).toEqual([401, { detail: expect.any(String) }]);
  }
});

describe("a single call", () => {
  it.each([1, 0, -7, 1.5, "a", "", null])("is answered under its id %j", async (id) => {
    const { status, answer } = await send(call("cstp.getCompacted", {}, id));
    expect(status).toBe(200);
    expect(answer).toMatchObject({ jsonrpc: "2.0", id, result: { decisions: [], total: 0 } });
    expect(answer).not.toHaveProperty("error");
  });

  it("needs no params", async () => {
    expect((await send({ jsonrpc: "2.0", id: 1, method: "cstp.getCompacted" })).answer.result.total).toBe(0);
  });

  it.each(["application/json", "text/plain", "application/json; charset=utf-8", "application/x-www-form-urlencoded"])(
    "is read whatever its content type: %s",
    async (type) => {
      const server = await openCstpServer();
      const response = await server.post(JSON.stringify(list), { "content-type": type });
      expect(((await response.json()) as RpcResponse).result.total).toBe(0);
    },
  );
});

describe("what is no call", () => {
  it.each([
    ["nothing", "", -32_700],
    ["half a call", '{"jsonrpc": "2.0"', -32_700],
    ["no JSON", "hello", -32_700],
    ["several calls one after another", `${JSON.stringify(list)}\n${JSON.stringify(list)}`, -32_700],
    ["a number", 7, -32_600],
    ["null", null, -32_600],
    ["a text", '"text"', -32_600],
    ["no version", { id: 1, method: "cstp.getCompacted" }, -32_600],
    ["another version", { jsonrpc: "1.0", id: 1, method: "cstp.getCompacted" }, -32_600],
    ["a version as a number", { jsonrpc: 2, id: 1, method: "cstp.getCompacted" }, -32_600],
    ["no method", { jsonrpc: "2.0", id: 1 }, -32_600],
    ["a method as a number", { jsonrpc: "2.0", id: 1, method: 7 }, -32_600],
    ["an empty method", { jsonrpc: "2.0", id: 1, method: "" }, -32_600],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "cstp.getCompacted" }, -32_600],
    ["an id that is true", { jsonrpc: "2.0", id: true, method: "cstp.getCompacted" }, -32_600],
    ["an id that no number holds", '{"jsonrpc":"2.0","id":12345678901234567890,"method":"cstp.compact"}', -32_600],
    ["an empty batch", [], -32_600],
    ["a batch of 101", Array.from({ length: 101 }, () => list), -32_600],
  ])("%s gets an error", async (_, body, code) => {
    const { status, answer } = await send(body);
    expect(status).toBe(200);
    expect(answer).toMatchObject({ jsonrpc: "2.0", error: { code } });
    expect(answer).not.toHaveProperty("result");
    expect(answer.error?.message).toBeTruthy();
  });

  it("keeps the id where there is one", async () => {
    expect((await send({ jsonrpc: "1.0", id: "x", method: "cstp.compact" })).answer.id).toBe("x");
    expect((await send({ jsonrpc: "2.0", id: [1], method: "cstp.compact" })).answer.id).toBeNull();
    expect((await send("{")).answer.id).toBeNull();
  });

  it("in another encoding is refused, not read with signs in place of letters", async () => {
    const server = await openCstpServer();
    const latin = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"cstp.recordDecision","params":{"decision":"Gr\xfcn"}}',
      "latin1",
    );
    const answer = (await (await server.post(latin)).json()) as RpcResponse;
    expect(answer.error?.code).toBe(-32_700);
    expect((await server.call("cstp.queryDecisions", {})).total).toBe(0);
  });
});

describe("params", () => {
  it.each([
    ["null", null],
    ["a list", []],
    ["a text", "x"],
    ["a number", 1],
    ["false", false],
  ])("that are %s are refused", async (_, params) => {
    const { answer } = await send(call("cstp.getCompacted", params));
    expect(answer.error).toMatchObject({ code: -32_602, message: "params must be an object." });
  });

  it("that are null are refused even where they are written", async () => {
    const { answer } = await send('{"jsonrpc":"2.0","id":1,"method":"cstp.getCompacted","params":null}');
    expect(answer.error?.code).toBe(-32_602);
  });
});

describe("a method", () => {
  it.each(["cstp.nothing", "getCompacted", "cstp.getcompacted", "__proto__", "constructor", "rpc.discover"])(
    "%s is not found, and all that are there are named",
    async (method) => {
      const { status, answer } = await send(call(method, null));
      expect(status).toBe(200);
      expect(answer.error).toMatchObject({ code: -32_601, message: `Method not found: ${method}` });
      expect(answer.error?.data?.available).toEqual(DECISION_METHODS.map(({ name }) => name));
    },
  );

  it("of a megabyte is not sent back", async () => {
    const { answer } = await send(call("x".repeat(1_000_000)));
    expect(answer.error?.code).toBe(-32_601);
    expect(JSON.stringify(answer).length).toBeLessThan(1000);
  });
});

describe("an error of a method", () => {
  it.each([
    ["cstp.setPreserve", {}, "decisionId is required"],
    ["cstp.getDecision", { decisionId: null }, "decisionId is required"],
    ["cstp.getDecision", { id: "unknown-one" }, "Decision not found: unknown-one"],
    ["cstp.getCompacted", { level: "tiny" }, 'level must be one of "full", "summary", "digest", "wisdom"'],
    ["cstp.getCompacted", { limit: "abc" }, "limit must be a whole number"],
    ["cstp.recordDecision", {}, "decision is required; category is required"],
  ])("%s %j is one of params", async (method, params, message) => {
    const { answer } = await send(call(method, params));
    expect(answer.error).toMatchObject({ code: -32_602, message });
    expect(answer.error?.data).toMatchObject({ type: expect.any(String), code: expect.any(String) });
  });

  it("that only the caller can mend is one of params, and no line of the log", async () => {
    const { rpc, lines, log } = await openCstpServer();
    const params = { id: "only-once", decision: "x", category: "y" };
    await rpc("cstp.recordDecision", params);
    const twice = await rpc("cstp.recordDecision", params);
    expect(twice.error).toMatchObject({ code: -32_602, data: { type: "Conflict", code: "DECISION_EXISTS" } });
    await log.write((writer) => writer.add({ id: "old", decision: "x", status: "superseded" }));
    const review = await rpc("cstp.reviewDecision", { id: "old", outcome: "success" });
    expect(review.error).toMatchObject({ code: -32_602, data: { type: "Conflict", code: "SUPERSEDED" } });
    expect(lines).toEqual([]);
  });

  it("that is a conflict is the server's, with what to do", async () => {
    const { log, rpc } = await openCstpServer();
    await log.write((writer) => writer.setState("lease", { owner: "another", expires_at: "2026-02-15T12:09:00Z" }));
    const { error } = await rpc("cstp.compact", {});
    expect(error).toMatchObject({ code: -32_603, data: { type: "Conflict", code: "CYCLE_RUNNING" } });
    expect(error?.data?.hint).toBeTruthy();
  });

  it("that nobody expected tells the log where, and neither side what", async () => {
    const server = await openCstpServer({
      policies: [] as never,
      now: () => {
        throw new SyntaxError("the words of a decision");
      },
    });
    const { error } = await server.rpc("cstp.getCompacted", {});
    expect(error).toMatchObject({ code: -32_603, data: { type: "Unexpected" } });
    expect(JSON.stringify(error)).not.toMatch(/words|SyntaxError|\.ts/);
    expect(server.lines.join("\n")).toMatch(/cstp\.getCompacted failed unexpectedly: SyntaxError\n\s+at /);
    expect(server.lines.join("\n")).not.toContain("the words of a decision");
  });
});

describe("a batch", () => {
  it("is answered in its order, each call with an outcome of its own", async () => {
    const { status, answer } = await send([
      call("cstp.recordDecision", { id: "one-1", decision: "First", category: "process" }, "a"),
      call("cstp.nothing", {}, "b"),
      call("cstp.getDecision", { id: "one-1" }, "c"),
      7,
      call("cstp.getDecision", {}, "d"),
    ]);
    expect(status).toBe(200);
    expect(answer).toMatchObject([
      { id: "a", result: { success: true, id: "one-1" } },
      { id: "b", error: { code: -32_601 } },
      { id: "c", result: { id: "one-1", decision: { decision: "First" } } },
      { id: null, error: { code: -32_600 } },
      { id: "d", error: { code: -32_602 } },
    ]);
  });

  it("runs its calls one after another", async () => {
    const records = Array.from({ length: 30 }, (_, at) =>
      call("cstp.recordDecision", { id: `made-${at + 10}`, decision: `Nr ${at}`, category: "process" }, at),
    );
    const { answer } = await send([...records, call("cstp.queryDecisions", { limit: 500 }, "all")]);
    const answers = answer as unknown as readonly RpcResponse[];
    expect(answers.at(-1)?.result.total).toBe(30);
    expect(answers.slice(0, 30).map(({ id }) => id)).toEqual(records.map(({ id }) => id));
  });

  it("of one is answered as a batch", async () => {
    expect((await send([list])).answer).toMatchObject([{ id: 1 }]);
  });

  it("of 100 is taken", async () => {
    const { answer } = await send(Array.from({ length: 100 }, () => list));
    expect(answer).toHaveLength(100);
  });

  it("of nested lists is one error each", async () => {
    const { answer } = await send([[list], [[]]]);
    expect(answer).toMatchObject([{ error: { code: -32_600 } }, { error: { code: -32_600 } }]);
  });
});

describe("a notification", () => {
  const note = (method: string, params?: unknown) => ({ jsonrpc: "2.0", method, params });

  it("is carried out and not answered", async () => {
    const { status, answer, server } = await send(
      note("cstp.recordDecision", { id: "noted-1", decision: "Noted", category: "process" }),
    );
    expect(status).toBe(204);
    expect(answer).toBeUndefined();
    expect((await server.call("cstp.getDecision", { id: "noted-1" })).decision.decision).toBe("Noted");
  });

  it.each([note("cstp.nothing"), note("cstp.getDecision", {}), note("cstp.getCompacted", null)])(
    "that fails is not answered either: %j",
    async (body) => {
      const { status, answer } = await send(body);
      expect([status, answer]).toEqual([204, undefined]);
    },
  );

  it("gets no answer in a batch; of a batch of nothing else there is none", async () => {
    const mixed = await send([note("cstp.compact", { dryRun: true }), list]);
    expect(mixed.answer).toHaveLength(1);
    const only = await send([note("cstp.getCompacted"), note("cstp.nothing")]);
    expect([only.status, only.answer]).toEqual([204, undefined]);
  });
});
