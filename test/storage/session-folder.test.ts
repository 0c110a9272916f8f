import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { sessionFolder } from "../../src/storage/session-folder.ts";
import { sha256 } from "../../src/storage/sha256.ts";
import { verifies } from "../requirements/verifies.ts";

const HOSTILE = [
  "../../x",
  "..\\..\\x",
  "/abs",
  "C:\\x",
  "agent:main:1",
  "CON",
  "con",
  "con.txt",
  "nul",
  "lpt1.log",
  "a/b",
  "A",
  ".",
  "..",
  "a.",
  " ",
  "a ",
  "x\u0001y",
  "x\u0000y",
  "\u00e9",
  "e\u0301",
  "\ud800",
  "\udc00",
  "\ufffd",
  "你好",
  "👩‍👩‍👧",
  "s".repeat(300),
  `${"s".repeat(299)}t`,
  "s".repeat(101),
];
const PLAIN = ["a", "a_b", "a-b", "a.b", "session", "0f8fad5b-d9cd-469f-a165-70867728950e", "s".repeat(100), "console"];

describe("sessionFolder", () => {
  it("keeps plain ids as they are", () => {
    for (const id of PLAIN) expect(sessionFolder(id)).toBe(id);
  });

  it("maps every hostile id to a safe name of its own", async () => {
    verifies("field/session-id-as-path", "rulings/archive-naming");
    const root = await mkdtemp(join(tmpdir(), "folders-"));
    const names = [...PLAIN, ...HOSTILE].map(sessionFolder);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    for (const name of names) {
      expect(name).toMatch(/^[a-z0-9_.-]{1,100}$/);
      expect(resolve(root, name).startsWith(root + sep)).toBe(true);
      await mkdir(join(root, name));
    }
    expect((await readdir(root)).length).toBe(names.length);
    for (const id of HOSTILE) expect(sessionFolder(id)).toMatch(/^[a-z0-9_-]+--[0-9a-f]{32}$/);
  });

  it("never gives a plain id the folder of an encoded one", () => {
    const encoded = sessionFolder("agent:main:1");
    expect(encoded.startsWith("agent-main-1--")).toBe(true);
    expect(sessionFolder(encoded)).not.toBe(encoded);
  });

  it("refuses an empty id", () => {
    expect(() => sessionFolder("")).toThrowError(expect.objectContaining({ kind: "InvalidInput" }));
  });
});

describe("sha256", () => {
  it("agrees with Node's for every length around a block", () => {
    for (let length = 0; length < 200; length++) {
      const text = "é你a".repeat(length).slice(0, length);
      expect(sha256(text)).toBe(createHash("sha256").update(text, "utf8").digest("hex"));
    }
  });
});
