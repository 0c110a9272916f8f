import { describe, expect, it } from "vitest";
import {
  containmentOf,
  isContained,
  overlapOf,
  severityOf,
  similarityOf,
} from "../../../src/memory-files/analysis/overlap.ts";
import { verifies } from "../../requirements/verifies.ts";
import { compare, found } from "./sample-workspace.ts";

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(" ");
const tokens = (from: number, to: number): ReadonlySet<string> => new Set(words(from, to).split(" ").filter(Boolean));

describe("similarity", () => {
  it.each([
    [[], [], 0],
    [[], ["a"], 1],
    [["a", "b"], ["a", "c"], 0.667],
  ])("%j and %j lie %d apart", (a, b, distance) => {
    verifies("values/jaccard-distances");
    expect(1 - similarityOf(overlapOf(new Set(a), new Set(b)))).toBeCloseTo(distance, 10);
  });

  it("is none at a half, medium up to seven of ten, high above", () => {
    verifies("values/jaccard-distances", "rulings/redundancy-over-token-sets");
    // As multiples, so that more than five are shared.
    expect(severityOf({ shared: 10, own: 15, all: 20 })).toBeUndefined();
    expect(severityOf({ shared: 11, own: 15, all: 21 })).toBe("medium");
    expect(severityOf({ shared: 7, own: 10, all: 10 })).toBe("medium");
    expect(severityOf({ shared: 8, own: 10, all: 11 })).toBe("high");
  });

  it("falls on the right side of its bounds whatever the size", () => {
    for (let all = 12; all < 2000; all += 1) {
      for (const shared of [
        Math.floor(all / 2),
        Math.floor(all / 2) + 1,
        Math.floor((7 * all) / 10),
        Math.floor((7 * all) / 10) + 1,
      ]) {
        const share = BigInt(shared) * 10n;
        const expected = share > 7n * BigInt(all) ? "high" : share > 5n * BigInt(all) ? "medium" : undefined;
        expect(severityOf({ shared, own: shared, all })).toBe(expected);
      }
    }
  });

  it("needs more than five shared tokens", async () => {
    verifies("values/more-than-five-shared-tokens", "memory-files/redundancy-condition");
    expect(severityOf(overlapOf(tokens(0, 6), tokens(0, 6)))).toBe("high");
    expect(severityOf(overlapOf(tokens(0, 5), tokens(0, 5)))).toBeUndefined();
    expect(severityOf(overlapOf(tokens(0, 6), tokens(0, 4)))).toBeUndefined();
    const six = await compare(words(0, 6), `## A\n${words(0, 6)}\n`);
    expect(six.cross_file_issues).toMatchObject([{ section: "A", similarity: 1, shared_tokens: 6, severity: "high" }]);
    expect((await compare(words(0, 5), `## A\n${words(0, 5)}\n`)).cross_file_issues).toEqual([]);
    expect((await compare(words(0, 4), `## A\n${words(0, 6)}\n`)).cross_file_issues).toEqual([]);
  });
});

describe("severity in a workspace", () => {
  it("is none, medium or high at the bounds, with the words of the specification", async () => {
    verifies("memory-files/redundancy-severity", "memory-files/redundancy-condition");
    const at = async (shared: number, all: number) => compare(`## A\n${words(0, all)}`, `## A\n${words(0, shared)}\n`);
    expect((await at(10, 20)).cross_file_issues).toEqual([]);
    const medium = await at(14, 20);
    expect(medium.cross_file_issues).toMatchObject([{ similarity: 0.7, severity: "medium", removable: false }]);
    expect(medium.cross_file_issues[0]?.recommendation).toMatch(/^COMPACT — keep only decisions\/action items/);
    expect(medium.high_severity_count).toBe(0);
    const high = await at(15, 20);
    expect(high.cross_file_issues).toMatchObject([{ similarity: 0.75, severity: "high", removable: false }]);
    expect(high.cross_file_issues[0]?.recommendation).toMatch(/^REVIEW — /);
    expect(high.high_severity_count).toBe(1);
    const same = await at(20, 20);
    expect(same.cross_file_issues).toMatchObject([{ similarity: 1, severity: "high", removable: true }]);
    expect(same.cross_file_issues[0]?.recommendation).toMatch(/^REMOVE — fully duplicated/);
  });

  it("of wide text is that of pairs of characters", async () => {
    verifies("values/wide-text-redundancy");
    const text = "记忆系统设计包括衰减引擎和质量门控组件";
    const { cross_file_issues: issues } = await compare(text, `### 记忆系统设计\n${text}\n额外内容\n`);
    expect(issues).toMatchObject([
      { severity: "high", similarity: 0.857, shared_tokens: 18, section_tokens: 21, removable: false },
    ]);
    expect(issues[0]?.held_because).toBe("says_more");
  });

  it("of wide paragraphs that differ in one negation never asks for removal", async () => {
    verifies("field/word-similarity-blind-to-wide-text", "field/different-facts-merged");
    const text = (may: string) =>
      `部署流程在网关维护窗口开启时${may}允许由运维组和数据组共同执行并且需要两位负责人签字确认之后方可开始否则一律推迟到新的维护窗口再安排处理`;
    const same = await compare(`## A\n\n${text("")}\n`, `## A\n\n${text("")}\n`);
    expect(same.cross_file_issues).toMatchObject([{ severity: "high", similarity: 1, removable: true }]);
    const other = await compare(`## A\n\n${text("")}\n`, `## A\n\n${text("不")}\n`);
    expect(other.cross_file_issues).toMatchObject([{ severity: "high", differs_in: "negation", removable: false }]);
    expect(other.cross_file_issues[0]?.recommendation).toMatch(/^REVIEW/);
  });

  it.each([
    ["Chinese", "部署流程在网关维护窗口开启时允许由运维组和数据组共同执行并且需要两位负责人签字", "需要", "无需"],
    [
      "Japanese",
      "保守時間帯には運用チームとデータチームが共同でデプロイを実行します。署名が必要です。",
      "します",
      "しません",
    ],
    [
      "Korean",
      "점검 시간에는 운영팀과 데이터팀이 함께 배포를 실행 한다 두 명의 서명이 필요하다",
      "실행 한다",
      "실행 안 한다",
    ],
    [
      "Russian",
      "Во время обслуживания развёртывание разрешено выполнять группе данных после двух подписей",
      "разрешено",
      "не разрешено",
    ],
    ["Arabic", "خلال نافذة صيانة البوابة يسمح لفريق البيانات بتنفيذ النشر بعد توقيع مسؤولين", "يسمح", "لا يسمح"],
    ["Hebrew", "בזמן התחזוקה של השער מותר לצוות הנתונים לבצע פריסה לאחר חתימת שני אחראים", "מותר", "לא מותר"],
    ["Hindi", "रखरखाव के समय डेटा दल तैनाती कर सकते हैं और दो हस्ताक्षर जरूरी हैं", "कर", "नहीं कर"],
    ["Thai", "ในช่วงเวลาบำรุงรักษาทีมข้อมูลสามารถติดตั้งร่วมกันได้และต้องมีลายเซ็นสองคน", "สามารถ", "ไม่สามารถ"],
    [
      "Vietnamese",
      "trong thời gian bảo trì nhóm dữ liệu được triển khai cùng nhau sau khi có chữ ký",
      "được",
      "không được",
    ],
  ])("of %s paragraphs is seen, and one negation makes them different, on either side", async (_, text, may, not) => {
    verifies("field/word-similarity-blind-to-wide-text", "field/different-facts-merged");
    const one = `## A\n\n${text}\n`;
    const other = `## A\n\n${text.replace(may, not)}\n`;
    expect((await compare(one, one)).cross_file_issues).toMatchObject([{ severity: "high", removable: true }]);
    expect((await compare(one, other)).cross_file_issues).toMatchObject([{ severity: "high", removable: false }]);
    expect((await compare(other, one)).cross_file_issues).toMatchObject([{ severity: "high", removable: false }]);
  });

  it("says which word is new, and lets no section go that has one", async () => {
    verifies("values/novel-word-keeps-section", "rulings/redundancy-over-token-sets");
    const text = (version: string) =>
      `we run postgres ${version} with nightly backups kept for thirty days in north berlin`;
    const { cross_file_issues: issues } = await compare(text("fifteen"), `## A\n${text("sixteen")}\n`);
    expect(issues).toMatchObject([
      { similarity: 0.867, severity: "high", novel_tokens: ["sixteen"], differs_in: "number", removable: false },
    ]);
  });
});

describe("containment", () => {
  it("is told apart from similarity", async () => {
    verifies("values/contained-is-not-removable", "rulings/redundancy-over-token-sets");
    const { cross_file_issues: issues, contained_sections: contained } = await compare(
      `${words(0, 71)}\n`,
      `## A\n${words(61, 72)}\n`,
    );
    expect(issues).toEqual([]);
    expect(contained).toMatchObject([
      { similarity: 0.139, containment: 0.909, shared_tokens: 10, section_tokens: 11, novel_tokens: ["word71"] },
    ]);
    expect(contained[0]).toMatchObject({ removable: false, held_because: "says_more" });
    expect(contained[0]).not.toHaveProperty("recommendation");
  });

  it("is nine tokens of ten, and more than five", () => {
    expect(isContained({ shared: 9, own: 10, all: 100 })).toBe(true);
    expect(isContained({ shared: 8, own: 9, all: 100 })).toBe(false);
    expect(isContained({ shared: 5, own: 5, all: 100 })).toBe(false);
    expect(containmentOf({ shared: 0, own: 0, all: 3 })).toBe(0);
    expect(containmentOf({ shared: 1, own: 16, all: 16 })).toBe(0.063);
  });

  it("of a section that the memory holds word for word makes it removable", async () => {
    const memory = `# Memory\n\n## Redis\n\n- sessions live in redis for thirty days\n\n## Else\n\n${words(0, 90)}\n`;
    const analysis = await compare(memory, "# 2031-02-03\n\n## Redis\n\n- sessions live in redis for thirty days\n");
    expect(found(analysis, "Redis")).toMatchObject({
      removable: true,
      containment: 1,
      memory_section: { file: "MEMORY.md", heading: "Redis", line_from: 3 },
    });
    expect(analysis.cross_file_issues).toEqual([]);
  });
});
