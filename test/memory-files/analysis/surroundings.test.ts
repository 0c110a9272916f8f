import { describe, expect, it } from "vitest";
import { hasRelativeDate } from "../../../src/language/relative-days.ts";
import type { CrossFileIssue, HeldReason, RedundantSection } from "../../../src/memory-files/analysis.ts";
import { isMarked } from "../../../src/memory-files/protected-text.ts";
import { verifies } from "../../requirements/verifies.ts";
import { analyze, type Files, found, NOTE } from "./sample-workspace.ts";

const FACT = "The storage gateway keeps seven copies of each upload and needs two approvals for a deploy.";
const OTHER = "Postgres fifteen runs on host alpha with nightly dumps to the bucket of the ops team.";
const SECTION = `## Gateway\n\n- ${FACT}\n`;
const MEMORY = `# Memory\n\n${SECTION}`;

async function judge(files: Files): Promise<RedundantSection | CrossFileIssue | undefined> {
  return found(await analyze(files), "Gateway");
}

const judgeNote = (note: string, name = NOTE) => judge({ "MEMORY.md": MEMORY, [name]: note });
const judgeMemory = (memory: string) => judge({ "MEMORY.md": memory, [NOTE]: `# 2031-02-03\n\n${SECTION}` });

describe("a section that the memory holds letter by letter", () => {
  it("leaves where nothing stands around it", async () => {
    expect(await judgeNote(`# 2031-02-03\n\n${SECTION}`)).toMatchObject({ removable: true });
    expect(await judgeNote(`${SECTION}\n# Part 2\n\nkeep\n`)).toMatchObject({ removable: true });
    expect(await judgeNote(`---\ntitle: Tuesday\ndate: 2031-02-03\n---\n# D\n\n---\n\n${SECTION}`)).toMatchObject({
      removable: true,
    });
    expect(await judgeNote(`# D\n#### Gateway\nfour\n${SECTION}## Z\nz\n`)).toMatchObject({ removable: true });
  });

  it.each<[string, string, HeldReason, string?]>([
    ["an introduction", `# D\n\nEverything below was proposed by Anna.\n\n${SECTION}`, "scoped"],
    ["a label", `# D\n\n**Staging:**\n\n${SECTION}`, "scoped"],
    ["text before the title", `Interview with a customer\n\n# D\n\n${SECTION}`, "scoped"],
    ["front matter", `---\nenv: staging\n---\n# D\n\n${SECTION}`, "scoped"],
    ["a title in front matter", `---\ntitle: Rejected plans\n---\n# D\n\n${SECTION}`, "scoped"],
    ["its name", `# D\n\n${SECTION}`, "scoped", "memory/2031-02-03-rejected-plan.md"],
    ["a section that leads in", `# D\n\n## Plan\n\nThis is from the runbook:\n\n${SECTION}`, "scoped"],
    ["a section that corrects it", `# D\n\n${SECTION}\n## Correction\n\nNot quite.\n`, "scoped"],
    ["a section that speaks of it", `# D\n\n${SECTION}\n## 更正\n\n。\n`, "scoped"],
    ["open HTML", `# D\n\n## Else\n\n<del>\n\n${SECTION}\n## More\n\n</del>\n`, "scoped"],
    ["a link to it", `# D\n\n## Else\n\nSee [it](#gateway).\n\n${SECTION}`, "scoped"],
    ["a heading above", `# D\n\n## Staging\n\n#${SECTION}`, "said_differently"],
    ["a comment", `# D\n\n<!-- keep -->\n${SECTION}`, "marked"],
    ["a mark at the title", `# D 📌\n\n${SECTION}`, "marked"],
  ])("is held by %s in the note", async (_, note, held, name) => {
    verifies("field/different-facts-merged");
    expect(await judgeNote(note, name)).toMatchObject({ removable: false, held_because: held });
  });

  it.each([
    ["an introduction", `# Memory\n\nEverything below was rejected, see plan B.\n\n${SECTION}`],
    ["front matter", `---\nstatus: obsolete\n---\n${MEMORY}`],
    ["its title", `# Rejected plans\n\n${SECTION}`],
    ["a lead", `# Memory\n\n## Gateway\n\nReverted in May.\n\n- ${FACT}\n`],
    ["struck text", `# Memory\n\n<del>\n\n${SECTION}\n</del>\n`],
    ["a section that leads in", `# Memory\n\n## Plan\n\nFrom the competitor:\n\n${SECTION}`],
    ["a section that corrects it", `${MEMORY}\n## Correction\n\nNot quite.\n`],
  ])("is held by %s in the memory", async (_, memory) => {
    expect((await judgeMemory(memory))?.removable ?? false).toBe(false);
  });

  it("may stand below a comment of the memory", async () => {
    expect(await judgeMemory(`# Memory\n\n<!-- made by hand -->\n\n${SECTION}`)).toMatchObject({ removable: true });
  });

  it("needs a memory file whose name says nothing else", async () => {
    const bank = (name: string, text: string) =>
      judge({ "memory-bank/projectbrief.md": `# Brief\n\n${OTHER}\n`, [name]: text, [NOTE]: `# D\n\n${SECTION}` });
    expect((await bank("memory-bank/systems.md", SECTION))?.removable).toBe(true);
    expect((await bank("memory-bank/ideas.md", SECTION))?.removable ?? false).toBe(false);
    expect((await bank("memory-bank/archive/systems.md", SECTION))?.removable ?? false).toBe(false);
  });

  it("takes no link along that leads elsewhere from there", async () => {
    const held = async (link: string, more = "") => {
      const text = `## Gateway\n\n- ${FACT} ${link}\n`;
      const files = { "MEMORY.md": `${text}${more}`, [NOTE]: `${text}${more}` };
      return (await judge(files))?.removable;
    };
    expect(await held("See [Guide](https://example.com/a).")).toBe(true);
    expect(await held("See [Guide](./guide.md).")).toBe(false);
    expect(await held("![plan](plan.png)")).toBe(false);
    expect(await held("See [Guide].", "\n## Links\n\n[Guide]: https://example.com/a\n")).toBe(false);
    expect(await held("See [^1].")).toBe(false);
  });
});

describe("a mark", () => {
  it.each(["<!-- keep -->", "<!-- pinned -->", "Gateway 📌", "[pinned]", "(permanent)", "置顶", "a #keep"])(
    "%s keeps a section",
    async (mark) => {
      expect(isMarked(mark)).toBe(true);
      const text = `## Gateway\n\n- ${FACT} ${mark}\n`;
      const judged = await judge({ "MEMORY.md": text, [NOTE]: text });
      expect(judged).toMatchObject({ removable: false, held_because: "marked" });
    },
  );

  it.each(["keep it", "pinned to a version", "page.html#keep", "<!-- keeper -->"])("%s is none", (text) =>
    expect(isMarked(text)).toBe(false),
  );
});

describe("a time named by its distance", () => {
  const TIMES: Readonly<Record<string, string>> = {
    English:
      "on Monday|by Friday|on Fri|in two weeks|in 3 days|two days later|now|soon|recently|currently|lately|this year|coming week|next Q|EOD|at noon|at 3pm|the 5th|end of month|in the past week|24h from now",
    German:
      "am Montag|nächsten Freitag|vor drei Tagen|in zwei Wochen|jetzt|derzeit|aktuell|u\u0308bermorgen|letztes Jahr|am Wochenende",
    Spanish: "el lunes|hace dos días|dentro de una semana|ahora|la semana que viene|man\u0303ana|el próximo año",
    French: "lundi|il y a deux jours|dans une semaine|maintenant|ce matin|l'an dernier|après-demain",
    Portuguese: "na segunda-feira|há dois dias|daqui a uma semana|agora|amanha\u0303|ano que vem",
    Chinese: "周五|星期三|三天后|两天前|刚|最近|目前|现在|至今|月底|后日|这几天|上半年|下午三点",
    Japanese: "明後日|一昨日|先週|来月|月曜日|三日前|さっき|本日|昨年|数日後|月末|近日中",
    Korean: "모레|그저께|작년|월요일|3일 후|지금|최근|다음 달|금주",
  };
  for (const [language, all] of Object.entries(TIMES))
    it.each(all.split("|"))(`in ${language}: %s`, (time) =>
      expect(hasRelativeDate(`It goes live ${time}.`)).toBe(true),
    );

  it.each([
    FACT,
    OTHER,
    "存储网关每次上传保留七份副本，值班同事每晚检查备份任务并记录结果，异常时先联系安娜再重启服务。",
  ])("is not in: %s", (text) => expect(hasRelativeDate(text)).toBe(false));

  it("is found in linear time", () => {
    for (const text of ["in ".repeat(200_000), "1".repeat(500_000), "this last ".repeat(100_000), "三".repeat(300_000)])
      expect(hasRelativeDate(text)).toBe(false);
  });
});
