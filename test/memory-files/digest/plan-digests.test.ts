// Which months become a digest, and what the plan says of each.
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planDigests } from "../../../src/memory-files/plan/plan-digests.ts";
import { openWorkspace } from "../../../src/memory-files/workspace/open-workspace.ts";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { contextOf, count, digestsOf, FEBRUARY, NOW, noteOf, notesOf } from "./months.ts";

describe("a month", () => {
  it("waits until it has been over for thirty days", async () => {
    const files = notesOf([...FEBRUARY, "2031-03-01", "2031-03-02", "2031-04-01", "2031-04-02"]);
    const monthsAt = async (now: number) => (await digestsOf(files, { now })).changes.map(({ month }) => month);
    expect(await monthsAt(Date.UTC(2031, 2, 31) - 1)).toEqual([]);
    expect(await monthsAt(Date.UTC(2031, 2, 31))).toEqual(["2031-02"]);
    expect(await monthsAt(Date.UTC(2031, 4, 1))).toEqual(["2031-02", "2031-03"]);
    expect(await monthsAt(Date.UTC(2032, 0, 1))).toEqual(["2031-02", "2031-03", "2031-04"]);
  });

  it("ends in December as others do", async () => {
    const files = notesOf(["2030-12-30", "2030-12-31"]);
    expect((await digestsOf(files, { now: Date.UTC(2031, 0, 31) })).changes).toHaveLength(1);
    expect((await digestsOf(files, { now: Date.UTC(2031, 0, 31) - 1 })).changes).toEqual([]);
  });

  it("needs two notes with a date", async () => {
    const { changes, held } = await digestsOf({
      ...notesOf(["2031-01-07", ...FEBRUARY]),
      "memory/2031-01.md": "# An earlier digest\n",
      "memory/ideas.md": "# Ideas\n",
    });
    expect(changes.map(({ month }) => month)).toEqual(["2031-02"]);
    expect(held).toEqual([]);
  });

  it("leaves out notes that are marked, or that the memory links to", async () => {
    const files = notesOf([...FEBRUARY, "2031-02-25", "2031-02-26"]);
    const { changes } = await digestsOf({
      ...files,
      "memory/2031-02-25.md": `${files["memory/2031-02-25.md"]}\n<!-- keep -->\n`,
      "MEMORY.md": "# Memory\n\nThe plan of the move: [that day](memory/2031-02-26.md#plan).\n",
    });
    expect(changes[0]?.notes).toEqual(Object.keys(notesOf(FEBRUARY)).toSorted());
  });

  it("is planned with everything that apply needs", async () => {
    const files = notesOf([...FEBRUARY, "2031-02-18-visit"]);
    const { changes } = await digestsOf(files);
    const [digest] = changes;
    expect(digest).toMatchObject({
      kind: "digest",
      apply: true,
      month: "2031-02",
      file: "memory/2031-02.md",
      source: "extractive",
    });
    expect(digest?.notes.toSorted()).toEqual(Object.keys(files).toSorted());
    expect(digest?.rests_on).toEqual(
      Object.fromEntries(
        Object.entries(files).map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]),
      ),
    );
    const texts = Object.values(files).map(String);
    expect(digest?.bytes_before).toBe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
    expect(digest?.bytes_after).toBe(Buffer.byteLength(digest?.text ?? ""));
    expect(digest?.tokens_after).toBe(count(digest?.text ?? ""));
    expect(digest?.tokens_after).toBeLessThan((digest?.tokens_before ?? 0) * 0.4);
  });

  it("has its digest beside its notes, where another layout keeps them", async () => {
    const files = Object.fromEntries(FEBRUARY.map((date) => [`log/day-${date}.md`, noteOf(date)]));
    const { changes } = await digestsOf(files, {}, "log/*.md");
    expect(changes.map(({ file, notes }) => [file, notes.length])).toEqual([["log/2031-02.md", 4]]);
  });

  it("is written alike each time", async () => {
    const files = notesOf(FEBRUARY);
    expect((await digestsOf(files)).changes).toEqual((await digestsOf(files)).changes);
  });

  it("is never digested again, and its digest is no note of its month", async () => {
    const files = notesOf(FEBRUARY);
    const { changes } = await digestsOf(files);
    const after = { "memory/2031-02.md": changes[0]?.text ?? "", "memory/archive/2031-02/2031-02-03.md": "# x\n" };
    expect(await digestsOf(after)).toEqual({ changes: [], held: [] });
    expect(await digestsOf(after, {}, "memory/**/*.md")).toEqual({ changes: [], held: [] });
  });
});

describe("a month is held", () => {
  const files = notesOf(FEBRUARY);

  it("when something has the name of its digest", async () => {
    const withFile = newWorkspace({ ...files, "memory/2031-02.md": "mine" });
    const withFolder = newWorkspace({ ...files, "memory/2031-02.md/": "" });
    const withLink = newWorkspace(files);
    symlinkSync("nowhere.md", join(withLink, "memory/2031-02.md"));
    for (const root of [withFile, withFolder, withLink]) {
      const { changes, held } = await planDigests(await openWorkspace({ root }), contextOf());
      expect(changes).toEqual([]);
      expect(held).toMatchObject([{ file: "memory/2031-02.md", code: "digest_exists" }]);
    }
  });

  it("when a note is changed between the analysis and the digest", async () => {
    const { changes, held } = await digestsOf(files, { hashes: new Map([["memory/2031-02-04.md", "0".repeat(64)]]) });
    expect(changes).toEqual([]);
    expect(held).toMatchObject([{ file: "memory/2031-02-04.md", code: "in_use" }]);
  });

  it("when its notes are short", async () => {
    const short = { "memory/2031-02-03.md": "# One\n\nBought milk.\n", "memory/2031-02-04.md": "# Two\n\nSold it.\n" };
    expect(await digestsOf(short)).toMatchObject({
      changes: [],
      held: [{ file: "memory/2031-02.md", code: "not_beneficial" }],
    });
  });

  it("when its notes are all open tasks", async () => {
    const tasks = (from: number) =>
      Array.from({ length: 60 }, (_, at) => `- [ ] call customer ${from + at} about the invoice\n`).join("");
    const { changes, held } = await digestsOf({
      "memory/2031-02-03.md": tasks(0),
      "memory/2031-02-04.md": tasks(100),
    });
    expect(changes).toEqual([]);
    expect(held).toMatchObject([{ code: "not_beneficial" }]);
  });
});

describe("reading", () => {
  it("takes GBK and UTF-8 notes, and leaves what is no text", async () => {
    const chinese = `# 工作记录\n\n${"- 缓存服务的端口是 6380，重启之后要先清空旧的索引。\n- 用户喜欢简短的回答，不要写长篇的说明。\n".repeat(12)}`;
    const { changes } = await digestsOf({
      "memory/2031-02-03.md": toGbk(chinese),
      "memory/2031-02-04.md": chinese.replaceAll("6380", "6390"),
      "memory/2031-02-05.md": Uint8Array.from([0xff, 0xfe, 0x00, 0x41, 0x00]),
    });
    const [digest] = changes;
    expect(digest?.notes).toEqual(["memory/2031-02-03.md", "memory/2031-02-04.md"]);
    expect(digest?.text).toContain("- [2031-02-03] 工作记录: 缓存服务的端口是 6380，重启之后要先清空旧的索引。");
    expect(digest?.text).not.toMatch(/\uFFFD/u);
  });

  it("writes with the line end of the notes", async () => {
    const files = Object.fromEntries(
      FEBRUARY.map((date) => [`memory/${date}.md`, noteOf(date).replaceAll("\n", "\r\n")]),
    );
    const { changes } = await digestsOf(files);
    expect(changes[0]?.text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    const plain = (await digestsOf(notesOf(FEBRUARY))).changes[0]?.text;
    expect(changes[0]?.text.replaceAll("\r\n", "\n")).toBe(plain);
  });

  it("stops where the signal says so", async () => {
    const root = newWorkspace(notesOf(FEBRUARY));
    const abort = new AbortController();
    const workspace = await openWorkspace({ root });
    const reason = new Error("enough");
    let read = 0;
    const counted = {
      ...workspace,
      async *readNotes(onUnread: Parameters<typeof workspace.readNotes>[0]) {
        for await (const note of workspace.readNotes(onUnread)) {
          read += 1;
          if (read === 2) abort.abort(reason);
          yield note;
        }
      },
    };
    await expect(planDigests(counted, contextOf({ signal: abort.signal }))).rejects.toBe(reason);
    expect(read).toBe(2);
  });

  it("writes nothing", async () => {
    const root = newWorkspace(notesOf(FEBRUARY));
    mkdirSync(join(root, "other"));
    writeFileSync(join(root, "other/x.md"), "x");
    const { readdirSync } = await import("node:fs");
    const before = readdirSync(root, { recursive: true }).sort();
    await planDigests(await openWorkspace({ root }), contextOf({ now: NOW }));
    expect(readdirSync(root, { recursive: true }).sort()).toEqual(before);
  });
});
