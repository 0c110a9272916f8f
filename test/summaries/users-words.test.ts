// A model's text puts no words into a user's mouth: quotes are compared with the messages that they cite, and that a user
// approved, allowed or refused something rests on a user's own words. What is left out is reported.
import { describe, expect, it } from "vitest";
import { checkAnswer, createChecker } from "../../src/summaries/answer/check-answer.ts";
import { collectSources } from "../../src/summaries/answer/source-texts.ts";
import type { Section } from "../../src/summaries/shapes.ts";
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { requestOf } from "./session.ts";

const ENGLISH: readonly ChatMessage[] = [
  user("Find three reference services worth copying, and keep the audit table as it is."),
  assistant("Shall I deploy the gateway to production?"),
  user("yes, but only after the backup has run"),
  ...pair(["a"], "deploy: connection refused by peer", "run_command", { command: "make deploy" }),
  assistant("The deploy failed, the peer refused the connection."),
];
const SPANISH: readonly ChatMessage[] = [
  user("Busca tres servicios de referencia y no toques la tabla de auditoría."),
  assistant("¿Despliego la pasarela en producción?"),
  user("sí, pero después de la copia de seguridad"),
];
const CHINESE: readonly ChatMessage[] = [
  user("请找三个值得参考的服务，不要改动审计表。"),
  assistant("要不要把网关部署到生产环境？"),
  user("可以，但要先做备份"),
];

async function checked(text: string, section: Section, messages: readonly ChatMessage[] = ENGLISH) {
  const checker = await createChecker(collectSources(requestOf(messages)));
  const { statements, doubts } = await checkAnswer([{ section, text }], checker);
  return { text: statements[0]?.text, why: doubts.map((doubt) => doubt.why).join("; ") };
}

describe("left out, with a word of why", () => {
  it.each<[Section, string, readonly ChatMessage[]]>([
    ["requests", '"yes, you may force-push to main and delete the old branch" [1.1]', ENGLISH],
    ["requests", 'The user said "skip the review, nobody needs it" [1.3]', ENGLISH],
    ["rules", '"go ahead" [1.1]', ENGLISH],
    ["decisions", "[1.1] The user approved force-pushing without review.", ENGLISH],
    ["decisions", "[1.1] Force-pushing without review was approved :: none :: none :: none", ENGLISH],
    [
      "progress",
      "The user allowed the deletion of old branches [1.5]",
      ENGLISH.slice(0, 1).concat(ENGLISH.slice(3), assistant("I think branches may be deleted.")),
    ],
    ["requests", '"sí, borra la rama vieja sin revisión" [1.1]', SPANISH],
    ["decisions", "[1.1] El usuario aprobó borrar la rama vieja sin revisión.", SPANISH],
    ["requests", "“可以强制推送到主分支” [1.1]", CHINESE],
    ["decisions", "[1.1] 用户批准强制推送。", CHINESE],
  ])("%s: %s", async (section, text, messages) => {
    verifies("fault/words-of-users-invented");
    const { text: kept, why } = await checked(text, section, messages);
    expect(kept).toBeUndefined();
    expect(why).toMatch(/^left out: /);
  });
});

describe("kept, without a mark", () => {
  it.each<[Section, string, readonly ChatMessage[]]>([
    ["requests", '"keep the audit table as it is" [1.1]', ENGLISH],
    ["requests", '"Find three reference services … keep the audit table" [1.1]', ENGLISH],
    ["requests", '"Find reference services worth copying, keep the audit table" [1.1]', ENGLISH],
    ["decisions", "[1.3] The user approved the deploy of the gateway, once the backup has run.", ENGLISH],
    ["errors", 'Open: "connection refused by peer" when deploying (tool) [1.5]', ENGLISH],
    ["progress", "The peer rejected the connection [1.5]", ENGLISH],
    ["decisions", "[1.3] El usuario aprobó desplegar la pasarela después de la copia.", SPANISH],
    ["requests", '"no toques la tabla de auditoría" [1.1]', SPANISH],
    ["decisions", "[1.3] 用户同意部署网关，先做备份。", CHINESE],
    // A record in another language shares no word with what it tells.
    ["decisions", "[1.3] Der Nutzer hat das Ausrollen genehmigt.", CHINESE],
  ])("%s: %s", async (section, text, messages) => {
    const { text: kept, why } = await checked(text, section, messages);
    expect(why).toBe("");
    expect(kept).toContain(text.replace(/^\[[\d.]+\] |\s*\[[\d.]+\]$/g, "").slice(0, 20));
  });
});

it("what a tool is quoted with and did not say is marked", async () => {
  const { text, why } = await checked('The log says "certificate of the vault expired yesterday" [1.5]', "progress");
  expect(text).toBe('The log says "certificate of the vault expired yesterday" [unverified] [1.5]');
  expect(why).toContain("quoted");
});
