// Paths with letters beyond ASCII, and beside scripts that put no space between words.
import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/facts/identifiers/find-identifiers.ts";

const paths = (text: string) =>
  findIdentifiers(text, "spoken").flatMap(({ form, value }) => (form === "path" ? [value] : []));

describe("paths in other scripts", () => {
  it.each([
    ["siehe docs/Überblick.md und src/データ/読込.ts", ["docs/Überblick.md", "src/データ/読込.ts"]],
    ["请看src/データ/読込.ts文件", ["src/データ/読込.ts"]],
    ["src/a.tsとsrc/b.tsを直す", ["src/a.ts", "src/b.ts"]],
    ["`配置/默认.yaml` 不对", ["配置/默认.yaml"]],
    ["文件是config.json。", ["config.json"]],
    ["app/(group)/[slug]/página.tsx", ["app/(group)/[slug]/página.tsx"]],
    ["/home/jürgen/notes/plan.md:12", ["/home/jürgen/notes/plan.md", "/home/jürgen/notes/plan.md:12"]],
    ["C:\\Büro\\Akte.docx", ["C:\\Büro\\Akte.docx"]],
    ["más e.g. foo.bar", []],
  ])("%s", (text, expected) => {
    expect(paths(text)).toEqual(expected);
  });

  it.each(["é/", "é.", "a.é", "あ/a", "あ.ts", "(a)/é", "「あ"])("ends on a megabyte of %j", (unit) => {
    expect(findIdentifiers(unit.repeat(1_000_000 / unit.length)).length).toBeLessThan(5);
  });
});
