// Every tool that gives its answers in pages, held to what a cursor is: one of its own, or none.
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createMemoryArchive } from "../../src/archive/archives.ts";
import { callTool } from "../../src/mcp/call-tool.ts";
import { offsetCursor, readCursor, writeCursor } from "../../src/mcp/cursor.ts";
import { exampleArguments } from "../../src/mcp/read-arguments.ts";
import { TOOL_GROUPS, toolsOf } from "../../src/mcp/tool-groups.ts";
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import { asRedactedList } from "../archive/redacted-samples.ts";
import { NOW } from "../observations/rows.ts";
import { decided, decisionContext } from "./tools/decision-context.ts";
import { toolContext } from "./tools/tool-context.ts";

/** Looked at only. */
const workspace = fileURLToPath(new URL("../../examples/workspace", import.meta.url));
const paging = (await toolsOf(TOOL_GROUPS, "all")).filter(({ params }) => Object.hasOwn(params.shape, "cursor"));
/** Arguments with which the calls below find something. */
const GIVEN: Readonly<Record<string, object>> = { mem_get: { id: 1 }, archive_expand: { ref: "1" } };

async function context() {
  const store = createMemoryObservationStore();
  const [save, progress] = (await toolsOf(["observations"], "all")).filter(({ name }) =>
    /^mem_(save|progress)$/.test(name),
  );
  const archive = createMemoryArchive();
  await archive.saveTranscript("s", 1, asRedactedList([{ role: "user", content: "text" }]));
  const { decisions } = (await decisionContext([decided("text", 1)])).context;
  const opened = toolContext(store, {
    ...{ archive: async () => archive, now: () => NOW, memoryFiles: { root: workspace, maxMemoryKb: 15 } },
    ...(decisions && { decisions }),
  });
  await save?.run({ title: "text", content: "text" }, opened);
  await progress?.run({ project: "text", content: "{}" }, opened);
  return opened;
}

describe.each(paging.map((tool) => [tool.name, tool] as const))("a cursor given to %s", (name, tool) => {
  const call = async (cursor: unknown) => {
    const given = { ...JSON.parse(exampleArguments(tool)), ...GIVEN[name], cursor };
    return callTool(tool, given, await context(), (line) => expect.fail(line));
  };

  it.each(["", " ", null])("is none when it is %j", async (cursor) => {
    expect(await call(cursor)).toEqual(await call(undefined));
    expect((await call(cursor)).isError).toBeFalsy();
  });

  it("is refused when it is another tool's", async () => {
    for (const { name: other } of paging.filter((one) => one.name !== name)) {
      const { isError, content } = await call(writeCursor(other, { offset: 1 }));
      expect(isError).toBe(true);
      expect(content).toEqual([
        { type: "text", text: expect.stringContaining(`not one that ${name} gave; it is one of ${other}.`) },
      ]);
    }
  });
});

it("a cursor is read as it was written, by its own tool alone, whatever is sent in its place", () => {
  const cursor = writeCursor("mem_search", { offset: 20 });
  expect(readCursor("mem_search", ` ${cursor}\n`, offsetCursor)).toEqual({ offset: 20 });
  const [, position = ""] = cursor.split(".");
  for (const sent of [position, `.${position}`, `mem_get.${position}`, `${cursor}.x`, "mem_search.", "x".repeat(1e6)]) {
    expect(() => readCursor("mem_search", sent, offsetCursor)).toThrow(
      expect.objectContaining({ code: "INVALID_CURSOR", message: expect.stringMatching(/^.{20,120}$/) }),
    );
  }
});
