// The extension for pi, called as pi calls it; e2e/hosts runs it in pi itself.
import { describe, expect, it } from "vitest";
import { compactInPi, type PiExtensions } from "../../src/integrations/pi.ts";
import { readPiSession } from "../../src/session-files/pi.ts";
import { MADE_SESSIONS } from "../cli/sessions/made-sessions.ts";
import { workInOwnFolder } from "./own-folder.ts";

const text = MADE_SESSIONS.find(({ host }) => host === "pi")?.text ?? "";
const [header, ...entries] = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const kept = entries[200];

type BeforeCompact = Parameters<PiExtensions["on"]>[1];

/** What pi is given, and what it is told. */
function runningPi(cwd: string) {
  const told: string[] = [];
  let before: BeforeCompact | undefined;
  compactInPi({
    on(_, handler) {
      before = handler;
    },
  });
  const event = { preparation: { firstKeptEntryId: kept.id, tokensBefore: 9000 }, branchEntries: entries };
  const context = {
    cwd,
    sessionManager: { getSessionId: () => header.id },
    ui: { notify: (message: string) => void told.push(message) },
  };
  return { told, compact: () => before?.(event, context) };
}

describe("the extension for pi", () => {
  const { cwd, blockArchive } = workInOwnFolder();

  it("gives pi the summary of what leaves, and a file that is read with nothing twice", async () => {
    const { told, compact } = runningPi(cwd());
    const compaction = (await compact())?.compaction;
    expect(told).toEqual([]);
    expect(compaction).toMatchObject({ firstKeptEntryId: kept.id, tokensBefore: 9000 });
    expect(compaction?.summary).toMatch(/^<COMPACT-SUMMARY v1>\n[\s\S]*Never change the tariff file/);
    expect(compaction?.summary).not.toContain("src/part-59.ts");
    const entry = { type: "compaction", id: "c1", parentId: entries.at(-1).id, ...compaction };
    const lines = [header, ...entries, entry].map((value) => JSON.stringify(value)).join("\n");
    const read = readPiSession(lines);
    expect(read.messages).toEqual(readPiSession(text).messages);
    expect(read.notes).toMatchObject([{ code: "host_compactions" }]);
  });

  it("tells a failure once, and leaves the compaction to pi", async () => {
    blockArchive();
    const { told, compact } = runningPi(cwd());
    expect([await compact(), await compact()]).toEqual([undefined, undefined]);
    expect(told).toEqual([expect.stringMatching(/^agent-compact: .*pi's own compaction runs instead\.$/)]);
  });
});
