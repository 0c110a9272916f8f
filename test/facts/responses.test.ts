import { describe, expect, it } from "vitest";
import { extractResponses, mergeResponses } from "../../src/facts/kinds/responses.ts";
import { calling, printed, said } from "./spoken-messages.ts";

const formOf = (text: string) => extractResponses(said([["user", text]]))[0]?.form ?? "none";

const APPROVALS = [
  "yes",
  "Yes, please.",
  "go ahead",
  "ok do option 1",
  "looks good",
  "yep, that works",
  "ok",
  "alright, let's do it",
  "great, go ahead",
  "LGTM",
  "sounds good to me",
  "yes, can you also add a test?",
  "sure",
  "perfect!",
  "do it",
  "sí",
  "Sí, adelante.",
  "vale, perfecto",
  "sim, pode fazer",
  "ja, mach das",
  "Genau, weiter so",
  "oui",
  "d'accord, vas-y",
  "好的",
  "可以，继续",
  "はい",
  "はい、お願いします",
  "了解です",
];

const REFUSALS = [
  "no, don't",
  "stop",
  "leave it",
  "no",
  "nope",
  "No, thanks.",
  "please stop",
  "don't do that",
  "not now",
  "no way",
  "forget it",
  "no, gracias",
  "para",
  "não, obrigado",
  "nein, danke",
  "lass das",
  "non merci",
  "laisse tomber",
  "不要",
  "算了",
  "いいえ、結構です",
  "やめてください",
];

const CORRECTIONS = [
  "no, I meant the other file",
  "that's wrong, it is 8443",
  "not A but B",
  "[Request interrupted by user]",
  "[Request interrupted by user for tool use]",
  "no, it should be the second column",
  "actually, it's the footer",
  "you misunderstood me",
  "the third step is not correct, it runs later",
  "no, use the other branch",
  "No, me refería al otro archivo.",
  "eso está mal",
  "não, eu quis dizer o outro",
  "nein, ich meinte die andere Datei",
  "das ist falsch",
  "non, je voulais dire l'autre fichier",
  "c'est faux",
  "不对，是另一个文件",
  "我的意思是第二列",
  "いいえ、別のファイルです",
  "違います",
];

const NONE = [
  "ok, can you fix the tests?",
  "add a login page",
  "can you look at the build?",
  "no idea why it fails",
  "now run it again",
  "okay now explain the parser",
  "what does this do?",
  "the tests fail",
  "right, how does this work?",
  "sure?",
  "stop the server when the test ends",
  "yesterday it worked",
  "nothing changed",
  "also update the docs",
  "¿puedes arreglarlo?",
  "si falla, dímelo",
  "kannst du das ändern?",
  "corrige les tests",
  "请修复测试",
  "テストを直してください",
  "<command-name>/exit</command-name>",
  "",
];

describe("the form of an answer", () => {
  it.each(APPROVALS)("approval: %s", (text) => {
    expect(formOf(text)).toBe("approval");
  });
  it.each(REFUSALS)("refusal: %s", (text) => {
    expect(formOf(text)).toBe("refusal");
  });
  it.each(CORRECTIONS)("correction: %s", (text) => {
    expect(formOf(text)).toBe("correction");
  });
  it.each(NONE)("none: %s", (text) => {
    expect(formOf(text)).toBe("none");
  });
});

describe("what an answer is about", () => {
  it("names the nearest assistant message before it, tool results or not", () => {
    const messages = [
      ...said([
        ["assistant", "Shall I?"],
        ["user", "yes"],
      ]),
      calling("", "run", { command: "make" }, 3),
      printed("done", 4),
      { ...said([["user", "looks good"]])[0], source: { step: 1, message: 5 } } as ReturnType<typeof printed>,
    ];
    expect(extractResponses(messages)).toEqual([
      {
        kind: "response",
        form: "approval",
        text: "yes",
        about: { step: 1, message: 1 },
        source: { step: 1, message: 2 },
      },
      {
        kind: "response",
        form: "approval",
        text: "looks good",
        about: { step: 1, message: 3 },
        source: { step: 1, message: 5 },
      },
    ]);
  });

  it("names none where no assistant message is given", () => {
    expect(extractResponses(said([["user", "yes"]]))[0]).not.toHaveProperty("about");
  });

  it("takes no answer from assistant, host, system or tool", () => {
    expect(
      extractResponses(
        said([
          ["assistant", "yes"],
          ["host", "yes"],
          ["system", "yes"],
        ]),
      ),
    ).toEqual([]);
    expect(extractResponses([printed("yes", 1)])).toEqual([]);
  });

  it("cuts a long answer at a whole character", () => {
    const [response] = extractResponses(said([["user", `yes ${"😀".repeat(500)}`]]));
    expect(response?.text.length).toBeLessThanOrEqual(200);
    expect(response?.text.endsWith("😀…")).toBe(true);
  });

  it("keeps the order over rounds", () => {
    const first = extractResponses(said([["user", "yes"]]));
    const second = extractResponses(said([["user", "no"]], 2));
    expect(mergeResponses(first, second).map(({ text }) => text)).toEqual(["yes", "no"]);
  });
});
