import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../src/archive/archives.ts";
import { createMemoryFiles } from "../../src/archive/in-memory-files.ts";
import { expandReference } from "../../src/archive/read-archive.ts";
import { restoreTranscript } from "../../src/archive/restore-transcript.ts";
import { messageText, searchArchive, snippetAround } from "../../src/archive/search-archive.ts";
import { createFileArchive } from "../../src/archive/stored-archive.ts";

import { verifies } from "../requirements/verifies.ts";
import { asRedactedList, summaryRecord } from "./redacted-samples.ts";

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

async function archiveOf(messages: readonly unknown[]) {
  const archive = createMemoryArchive();
  await archive.saveTranscript("s", 1, asRedactedList(messages));
  return archive;
}

describe("messageText", () => {
  it("joins what people read, without ids, signatures and binaries", () => {
    const message = {
      id: "msg_1",
      role: "assistant",
      content: [
        { type: "thinking", thinking: "first", signature: "c2ln" },
        { type: "text", text: "second" },
        { type: "tool_use", id: "toolu_1", name: "read", input: { id: "third", deep: [{ type: "fourth" }] } },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
        { type: "image_url", image_url: { url: "data:image/png;base64,BBBB" } },
      ],
      tool_calls: [{ id: "call_1", function: { name: "write", arguments: '{"path":"\\u4f60.txt"}' } }],
    };
    expect(messageText(message)).toBe("first\nsecond\nread\nthird\nfourth\nwrite\n你.txt");
    expect(messageText({ type: "function_call_output", call_id: "c", output: "done" })).toBe("done");
    expect(messageText({ content: null })).toBe("");
  });

  it("leaves out what a host or an SDK notes about a message", () => {
    const notes = { kinds: ["user.text"] };
    const message = {
      role: "user",
      content: [{ type: "text", text: "words", providerMetadata: notes }],
      internal_chat_message_metadata_passthrough: notes,
      metadata: notes,
    };
    expect(messageText(message)).toBe("words");
    expect(messageText({ type: "function_call", name: "tag", arguments: '{"metadata":"kept"}' })).toBe("tag\nkept");
  });

  it("survives any depth", () => {
    let deep: unknown = "bottom";
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(messageText({ content: deep })).toBe("bottom");
  });
});

describe("searchArchive", () => {
  it("finds words in any case and order, phrases whole, Chinese inside text", async () => {
    const archive = await archiveOf([
      user("The Rate LIMIT is 40"),
      assistant("limit of rate"),
      user("请把数据库迁移到新服务器"),
    ]);
    const refs = async (query: string) => (await searchArchive(archive, query)).map((hit) => hit.ref);
    expect(await refs("limit rate")).toEqual(["1.1", "1.2"]);
    expect(await refs('"rate limit"')).toEqual(["1.1"]);
    expect(await refs("“rate limit” 40")).toEqual(["1.1"]);
    expect(await refs("数据库 新服务器")).toEqual(["1.3"]);
    expect(await refs("rate missing")).toEqual([]);
    expect((await searchArchive(archive, "40"))[0]).toMatchObject({
      session_id: "s",
      step: 1,
      found_in: "transcript",
      message: 1,
      role: "user",
      snippet: "The Rate LIMIT is 40",
    });
  });

  it("takes signs of regular expressions, letters that grow and composed letters literally", async () => {
    const archive = await archiveOf([user("İİİ a.b(c* cafe\u0301"), user("axb")]);
    expect(await searchArchive(archive, "a.b(c*")).toHaveLength(1);
    expect((await searchArchive(archive, "CAFÉ"))[0]?.snippet).toContain("caf\u00e9");
  });

  it("reports a message archived again only once, and summaries", async () => {
    const archive = await archiveOf([user("needle one"), user("kept needle")]);
    await archive.saveSummary("s", 1, summaryRecord("s", 1, { text: "summary needle" }));
    await archive.saveTranscript(
      "s",
      2,
      asRedactedList([assistant("summary needle"), user("kept needle"), user("new needle")]),
    );
    const hits = await searchArchive(archive, "NEEDLE", { sessionId: "s" });
    expect(hits.map((hit) => [hit.ref, hit.found_in])).toEqual([
      ["1.1", "transcript"],
      ["1.2", "transcript"],
      ["1", "summary"],
      ["2.3", "transcript"],
    ]);
    expect(await searchArchive(archive, "needle", { limit: 2 })).toHaveLength(2);
  });

  it("refuses empty queries and unknown sessions", async () => {
    const archive = await archiveOf([user("x")]);
    for (const query of ["", "  ", '""']) {
      await expect(searchArchive(archive, query)).rejects.toMatchObject({ kind: "InvalidInput" });
    }
    await expect(searchArchive(archive, "x", { limit: 0 })).rejects.toMatchObject({ kind: "InvalidInput" });
    await expect(searchArchive(archive, "x", { sessionId: "none" })).rejects.toMatchObject({ kind: "NotFound" });
  });
});

describe("snippetAround", () => {
  it("never cuts a grapheme, wherever the limits fall", () => {
    verifies("rulings/cutting-text");
    const family = "👩‍👩‍👧";
    const text = `${family.repeat(40)}HIT${family.repeat(40)}`;
    const start = text.indexOf("HIT");
    for (let around = 0; around < 60; around++) {
      const snippet = snippetAround(text, { start, end: start + 3 }, around);
      expect(snippet.replaceAll(family, "")).toBe("…HIT…");
    }
    const inside = text.indexOf("👧");
    expect(snippetAround(text, { start: inside, end: inside + 2 }, 0)).toBe(`${family}…`);
  });

  it("is one line, and whole when the text is short", () => {
    expect(snippetAround("a\n\n b", { start: 0, end: 1 })).toBe("a b");
  });
});

describe("expandReference", () => {
  it("gives a message, a range, a step", async () => {
    const archive = await archiveOf([user("a"), user("b"), user("c")]);
    const numbers = async (ref: string) =>
      (await expandReference(archive, "s", ref)).messages.map(({ number }) => number);
    expect(await expandReference(archive, "s", "1.2")).toEqual({
      session_id: "s",
      step: 1,
      messages: [{ number: 2, message: user("b") }],
    });
    expect(await numbers("1.2-3")).toEqual([2, 3]);
    expect(await numbers("1")).toEqual([1, 2, 3]);
  });

  it("says what is wrong with a reference", async () => {
    const archive = await archiveOf([user("a")]);
    for (const ref of ["", "x", "1.", "1.0", "0.1", "1.3-2", "1.1-", "-1", "1e3"]) {
      await expect(expandReference(archive, "s", ref)).rejects.toMatchObject({ kind: "InvalidInput" });
    }
    for (const ref of ["1.2", "1.1-2", "2", "2.1"]) {
      await expect(expandReference(archive, "s", ref)).rejects.toMatchObject({ kind: "NotFound" });
    }
    await expect(expandReference(archive, "none", "1")).rejects.toMatchObject({ kind: "NotFound" });
  });
});

describe("restoreTranscript", () => {
  const system = { role: "system", content: "rules" };
  const history = [system, ...Array.from({ length: 12 }, (_, n) => user(n % 3 === 0 ? "ok" : `m${n}`))];

  async function threeSteps() {
    const archive = createMemoryArchive();
    await archive.saveTranscript("s", 1, asRedactedList(history.slice(0, 7)));
    await archive.saveSummary("s", 1, summaryRecord("s", 1, { text: "SUM 1", pruned: [2, 3, 4] }));
    const second = [system, assistant("SUM 1"), ...history.slice(4, 10)];
    await archive.saveTranscript("s", 2, asRedactedList(second));
    await archive.saveSummary("s", 2, summaryRecord("s", 2, { text: "SUM 2", pruned: [2, 3, 4, 5, 6] }));
    const third = [system, assistant("SUM 2"), ...history.slice(8)];
    await archive.saveTranscript("s", 3, asRedactedList(third));
    return archive;
  }

  it("rebuilds the whole history over three steps", async () => {
    const restored = await restoreTranscript(await threeSteps(), "s");
    // After how many messages each step compacted.
    const steps = [7, 10, 13].map((messages, index) => ({ step: index + 1, messages }));
    const whole = { session_id: "s", from_step: 1, to_step: 3, messages: history, missing: [], notes: [] };
    expect(restored).toEqual({ ...whole, steps });
  });

  it("gives exactly one transcript when asked for a step", async () => {
    const archive = await threeSteps();
    expect((await restoreTranscript(archive, "s", 2)).messages).toEqual(await archive.readTranscript("s", 2));
    await expect(restoreTranscript(archive, "s", 9)).rejects.toMatchObject({ kind: "NotFound" });
    await expect(restoreTranscript(archive, "none")).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("goes on over an unfinished step, a shortened result, a healed message and a summary at the end", async () => {
    const archive = createMemoryArchive();
    const long = { role: "tool", tool_call_id: "c", content: "x".repeat(500) };
    const first = [system, user("a"), user("b"), long, user("orphan"), user("c"), user("d")];
    await archive.saveTranscript("s", 1, asRedactedList(first));
    await archive.saveTranscript("s", 2, asRedactedList([...first, user("e")]));
    await archive.saveSummary("s", 2, summaryRecord("s", 2, { text: "SUM", pruned: [2] }));
    const short = { ...long, content: "xx [shortened]" };
    const third = [system, assistant("SUM"), user("b"), short, user("c"), user("d"), user("e"), user("f")];
    await archive.saveTranscript("s", 3, asRedactedList(third));
    await archive.saveSummary("s", 3, summaryRecord("s", 3, { text: "LAST", pruned: [2, 3, 4, 5, 6, 7, 8] }));
    await archive.saveTranscript("s", 4, asRedactedList([system, assistant("LAST"), user("g")]));
    const restored = await restoreTranscript(archive, "s");
    expect(restored.messages).toEqual([...first, user("e"), user("f"), user("g")]);
    expect(restored.from_step).toBe(1);
    expect(restored.notes).toEqual([expect.stringContaining("Step 3 holds other copies")]);
  });

  it("starts anew and says so where a step does not continue the one before", async () => {
    const archive = createMemoryArchive();
    await archive.saveTranscript("s", 1, asRedactedList([user("a"), user("b"), user("c")]));
    await archive.saveTranscript("s", 2, asRedactedList([user("x"), user("y"), user("z"), user("w")]));
    const restored = await restoreTranscript(archive, "s");
    expect([restored.from_step, restored.messages.length]).toEqual([2, 4]);
    expect(restored.notes[0]).toContain("Step 2 does not continue step 1");
  });

  it("says where a transcript breaks off, and that earlier steps are gone", async () => {
    const files = createMemoryFiles(Date.now);
    const archive = createFileArchive(files);
    await archive.saveTranscript("s", 1, asRedactedList([user("a")]));
    await archive.saveTranscript("s", 2, asRedactedList([user("a"), user("b")]));
    const whole = (await files.read("s", "transcript-pre-compact-002.jsonl")) ?? new Uint8Array();
    await files.replace("s", "transcript-pre-compact-002.jsonl", whole.slice(0, whole.indexOf(0x62)), "transcript");
    await archive.removeStep("s", 1);
    const breaksOff = "The transcript of step 2 breaks off after message 1: what followed is lost.";
    const restored = await restoreTranscript(archive, "s");
    expect(restored).toMatchObject({ from_step: 2, messages: [user("a")], missing: [] });
    expect(restored.notes).toEqual([expect.stringContaining("Steps before 2"), breaksOff]);
    expect((await restoreTranscript(archive, "s", 2)).notes).toEqual([breaksOff]);
    await expect(restoreTranscript(archive, "s", 1)).rejects.toMatchObject({ kind: "NotFound" });
  });

  it("names each value it cannot return", async () => {
    const archive = await archiveOf([
      user("fine"),
      { role: "assistant", content: [{ text: "a <REDACTED> b <REDACTED>" }], "odd key": { "<REDACTED>": 1 } },
    ]);
    expect((await restoreTranscript(archive, "s")).missing).toEqual([
      { message: 2, path: "$.content[0].text", reason: "redacted", count: 2 },
      { message: 2, path: '$["odd key"]["<REDACTED>"]', reason: "redacted", count: 1 },
    ]);
  });
});
