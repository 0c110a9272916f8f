// Ranges of lines leave a file: nothing else of it changes, and what left is in the archive.
import { chmodSync, linkSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifies } from "../../requirements/verifies.ts";
import { countSteps } from "../journal/count-steps.mjs";
import { newWorkspace, toGbk } from "../workspace/workspace-folder.ts";
import { apply, filesOf, liveFiles, MOVED, modeOf, moving, read, removal, tidy } from "./sample-plan.ts";

const onPosix = it.skipIf(process.platform === "win32");
const NOTE = "memory/2031-02-03.md";
const TEXT = "# Day\n\n## A\none\n\n## B\ntwo\n\n## C\nthree";
const MEMORY = "# Memory\n\n- two\n";

describe("an edit of a note", () => {
  it("leaves every other byte: CRLF, a missing final newline, and the mode", async () => {
    verifies("values/line-endings-and-mode-kept");
    const root = newWorkspace({ "MEMORY.md": MEMORY, [NOTE]: TEXT.replaceAll("\n", "\r\n") });
    chmodSync(join(root, NOTE), 0o644);
    const report = await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
    expect(report.applied).toEqual([
      {
        id: "1.1",
        kind: "remove_sections",
        file: NOTE,
        what: ["B"],
        archived: ["memory/archive/removed/0001/1-2031-02-03.md"],
        bytes_before: 46,
        bytes_after: 33,
        tokens_before: 8,
        tokens_after: 2,
      },
    ]);
    expect(read(root, NOTE)).toBe("# Day\r\n\r\n## A\r\none\r\n\r\n## C\r\nthree");
    expect(read(root, "memory/archive/removed/0001/1-2031-02-03.md")).toBe("## B\r\ntwo\r\n\r\n");
    if (process.platform !== "win32") {
      expect([modeOf(root, NOTE), modeOf(root, "memory/archive/removed/0001/1-2031-02-03.md")]).toEqual([0o644, 0o644]);
    }
  });

  it("takes several ranges, and keeps a byte order mark", async () => {
    const root = newWorkspace({ "MEMORY.md": MEMORY, [NOTE]: `\uFEFF${TEXT}` });
    await apply(root, removal(root, 1, NOTE, [1, 2], [6, 8, "B"]));
    expect(read(root, NOTE)).toBe("\uFEFF## A\none\n\n## C\nthree");
    expect(read(root, "memory/archive/removed/0001/1-2031-02-03.md")).toBe("# Day\n\n## B\ntwo\n\n");
  });

  it("never encodes again what stays: GBK", async () => {
    const before = toGbk("## 记录\n数据库的端口\n\n## 今天\n部署到服务器\n");
    const root = newWorkspace({ "MEMORY.md": MEMORY, [NOTE]: before });
    await apply(root, removal(root, 1, NOTE, [4, 5, "今天"]));
    const cut = toGbk("## 记录\n数据库的端口\n\n").length;
    expect(readFileSync(join(root, NOTE))).toEqual(Buffer.from(before.subarray(0, cut)));
    expect(readFileSync(join(root, "memory/archive/removed/0001/1-2031-02-03.md"))).toEqual(
      Buffer.from(before.subarray(cut)),
    );
  });

  it("is made with the others of its file, each by the positions of the plan", async () => {
    const root = newWorkspace({ "MEMORY.md": "# M\n\na\na\n\n## Old\nold\n\n\n\n## New\nnew\n" });
    const pointer = `Moved: ${MOVED}\n`;
    const report = await apply(
      root,
      moving(root, 2, "MEMORY.md", [6, 8, "Old", pointer]),
      tidy(root, 1, "MEMORY.md", [4, 4], [9, 10]),
    );
    expect(report.refused).toEqual([]);
    expect(report.applied.map(({ id, what }) => [id, what])).toEqual([
      ["1.2", ["Old"]],
      ["1.1", ["3 lines"]],
    ]);
    expect(read(root, "MEMORY.md")).toBe(`# M\n\na\n\n${pointer}## New\nnew\n`);
    expect(read(root, MOVED)).toBe("## Old\nold\n\n");
    expect([report.memory_size_before, report.memory_size_after]).toEqual([
      35,
      Buffer.byteLength(read(root, "MEMORY.md")),
    ]);
  });

  it("leaves to a move the lines that a tidying would take from its sections", async () => {
    const root = newWorkspace({ "MEMORY.md": "# M\n\na\na\n\n## Old\nold\nold\n" });
    const report = await apply(
      root,
      tidy(root, 1, "MEMORY.md", [4, 4], [8, 8]),
      moving(root, 2, "MEMORY.md", [6, 8, "Old", `See ${MOVED}.\n`]),
    );
    expect([report.refused, read(root, "MEMORY.md")]).toEqual([[], `# M\n\na\n\nSee ${MOVED}.\n`]);
    expect(read(root, MOVED)).toBe("## Old\nold\nold\n");
  });

  it("names the archive that there is in its pointer", async () => {
    const root = newWorkspace({ "MEMORY.md": "# M\n\n## Old\nold\n", [MOVED]: "taken" });
    const report = await apply(root, moving(root, 1, "MEMORY.md", [3, 4, "Old", `See ${MOVED}.\n`]));
    const free = MOVED.replace(".md", "-2.md");
    expect(report.applied[0]?.archived).toEqual([free]);
    expect([read(root, "MEMORY.md"), read(root, free), read(root, MOVED)]).toEqual([
      `# M\n\nSee ${free}.\n`,
      "## Old\nold\n",
      "taken",
    ]);
  });
});

describe("what an atomic write must not change", () => {
  onPosix("a link stays a link, its target keeps its mode; a hard link is parted", async () => {
    verifies("field/rename-side-effects", "memory-files/atomic-write");
    const root = newWorkspace({ "dotfiles/": "", "memory/": "" });
    mkdirSync(join(root, "dotfiles"), { recursive: true });
    writeFileSync(join(root, "dotfiles/memory.md"), "# M\n\na\na\n", { mode: 0o600 });
    symlinkSync("dotfiles/memory.md", join(root, "MEMORY.md"));
    writeFileSync(join(root, NOTE), TEXT);
    linkSync(join(root, NOTE), join(root, "twin.md"));
    // As a scanner or an open handle has it for a moment on Windows.
    let busy = 3;
    const stop = countSteps(root, (step) => {
      if (step === "rename" && busy-- > 0) throw Object.assign(new Error("busy"), { code: "EPERM", syscall: "rename" });
    });
    const changes = [tidy(root, 1, "MEMORY.md", [4, 4]), removal(root, 2, NOTE, [6, 8, "B"])];
    const report = await apply(root, ...changes).finally(stop);
    expect([report.refused, busy < 0]).toEqual([[], true]);
    expect(lstatSync(join(root, "MEMORY.md")).isSymbolicLink()).toBe(true);
    expect([read(root, "dotfiles/memory.md"), modeOf(root, "dotfiles/memory.md")]).toEqual(["# M\n\na\n", 0o600]);
    expect(read(root, "twin.md")).toBe(TEXT);
    expect(Object.keys(filesOf(root)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("leaves files alone that no change is for", async () => {
    const root = newWorkspace({ "MEMORY.md": MEMORY, [NOTE]: TEXT, "other.md": "x", "memory/2031-02-04.md": "y\n" });
    const { [NOTE]: _, ...others } = liveFiles(root);
    await apply(root, removal(root, 1, NOTE, [6, 8, "B"]));
    const { [NOTE]: __, ...after } = liveFiles(root);
    expect(after).toEqual(others);
  });
});
