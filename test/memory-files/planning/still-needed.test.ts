// What of a log may not move to an archive, since somebody still needs it: each kind beside entries that do move.
import { describe, expect, it } from "vitest";
import { newWorkspace } from "../workspace/workspace-folder.ts";
import { isEdit, planOf } from "./planned.ts";

const BODY = "The importer ran and wrote its rows; all went well enough to be noted at some length.\n".repeat(3);
const OLD = ["2030-01-01", "2030-02-01", "2030-03-01"];
const log = OLD.map((day) => `## ${day}\n\n${BODY}\n`).join("");
const LAST = "## 2031-02-15\n\nLast of all.\n\n";

async function headings(rest: string): Promise<readonly (string | undefined)[]> {
  const root = newWorkspace({ "MEMORY.md": `# Memory\n\n${log}${rest}\n${LAST}` });
  const { plan } = await planOf(root, { levers: ["move"], maxMemoryKb: 0.05 });
  const change = plan.changes.filter(isEdit).find(({ kind }) => kind === "move_sections");
  return change?.ranges.map(({ heading }) => heading) ?? [];
}

const entry = (text: string) => `## 2030-05-05\n\n${text}\n${BODY}`;

describe("an entry of a log", () => {
  it("moves where nothing keeps it", async () => {
    for (const text of ["A word.", "- [x] done", "Fixed in version 2.13.", "2048 rows were read on 2030-04-30."])
      expect(await headings(entry(text)), text).toEqual([...OLD, "2030-05-05"]);
  });

  it.each([
    "<!-- keep -->",
    "<!-- pinned: needed -->",
    "📌 this",
    "[pinned]",
    "(permanent)",
    "置顶",
    "see this #keep",
    "KEEP",
    "Please do not archive.",
    "priority: critical",
  ])("stays where it is marked with %j", async (mark) => {
    expect(await headings(entry(mark))).toEqual(OLD);
    expect(await headings(`## 2030-05-05 ${mark}\n\n${BODY}`)).toEqual(OLD);
    expect(await headings(`## Older ${mark}\n\n### 2030-05-05\n\n${BODY}`)).toEqual(OLD);
  });

  it.each([
    "The licence is valid until 12/2031.",
    "Renew it in Q1 2032.",
    "Renew it in 2031 Q4.",
    "Termin am 5. Dezember 2031.",
    "Cita el 5 de diciembre de 2031.",
    "It ends in March 2031.",
    "It ends on March 3rd, 2031.",
    "证书2032年1月到期。",
    "Bis 15.12.2031 gültig.",
    "Due 2031-03.",
    "The contract runs to 2033.",
    "It ends on 2031-02-21.",
    "Written down again in February 2031.",
  ])("stays with a day to come, or of the last ones: %j", async (text) => {
    expect(await headings(entry(text))).toEqual(OLD);
  });

  it.each([
    "☐ a box",
    "- [ ] a task",
    "* [] a task",
    "- [-] half of it",
    "- [/] under way",
    "TODO: the rest",
    "待办：续费域名",
    "Noch offen: der Rest",
    "Queda pendiente el resto",
    "Waiting for an answer",
    "Blocked by the vendor",
  ])("stays with something open: %j", async (text) => {
    expect(await headings(entry(text))).toEqual(OLD);
  });

  it.each([
    "Il ne faut pas déployer le vendredi.",
    "Freitags wird nicht deployt.",
    "Не удалять эту базу.",
    "金曜日にデプロイしないこと。",
    "We no longer deploy on Fridays.",
    "Don’t touch the north tenant.",
    "No se puede tocar la base.",
    "不能直接改主库。",
    "반드시 백업한다.",
  ])("stays with a rule: %j", async (text) => {
    expect(await headings(entry(text))).toEqual(OLD);
  });

  it("moves whatever the title of the file is", async () => {
    const root = newWorkspace({ "MEMORY.md": `# Active memory and current plans\n\n${log}${LAST}` });
    const { plan } = await planOf(root, { levers: ["move"], maxMemoryKb: 0.05 });
    expect(plan.changes).toMatchObject([{ kind: "move_sections", ranges: OLD.map((heading) => ({ heading })) }]);
  });

  it("stays below a heading of what holds until it is replaced, and where its own says so", async () => {
    const below = (heading: string) => `## ${heading}\n\n### 2030-05-05\n\n${BODY}`;
    expect(await headings(below("Log"))).toEqual([...OLD, "2030-05-05"]);
    expect(await headings(`# Other rules\n\n### 2030-05-05\n\n${BODY}\n# Log\n`)).toEqual(OLD);
    for (const heading of ["Preferences", "Lessons learned", "当前目标"]) {
      expect(await headings(below(heading)), heading).toEqual(OLD);
      expect(await headings(`## 2030-05-05 ${heading}\n\n${BODY}`), heading).toEqual(OLD);
    }
  });
});
