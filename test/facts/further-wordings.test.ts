// Wordings that an audit found missing, kind by kind: each stands for the shape of its sentence.
import { describe, expect, it } from "vitest";
import { extractCommands } from "../../src/facts/kinds/commands.ts";
import { extractDecisions } from "../../src/facts/kinds/decisions.ts";
import { extractErrors } from "../../src/facts/kinds/errors.ts";
import { extractFiles } from "../../src/facts/kinds/files.ts";
import { extractPlans } from "../../src/facts/kinds/plans.ts";
import { extractResponses } from "../../src/facts/kinds/responses.ts";
import { extractRules } from "../../src/facts/kinds/rules.ts";
import { extractStatements, mergeStatements } from "../../src/facts/kinds/user-messages.ts";
import { extractValues } from "../../src/facts/kinds/values.ts";
import { bash, call, edit, factMessages, says, user } from "./fact-messages.ts";
import { said } from "./spoken-messages.ts";

describe("rules", () => {
  it.each([
    ["must_not", "Nobody but me pushes to main."],
    ["must_not", "Steer clear of the payments module."],
    ["must", "It's essential that all dates stay in UTC."],
    ["must", "Deine Commits bitte immer auf Englisch."],
    ["must_not", "Lass die Finger von der Produktionsdatenbank."],
    ["must_not", "Ohne Tests wird nichts gemergt."],
    ["must_not", "Não quero mais nenhum TODO no código."],
    ["must", "Tudo o que for público precisa de documentação."],
    ["must", "凡是接口都必须有文档。"],
  ])("%s: %s", (polarity, text) => {
    expect(extractRules(said([["user", text]]))).toMatchObject([{ polarity, text }]);
  });

  it.each([
    "Nobody knows why it fails.",
    "I steer it with the left stick.",
    "Ohne Licht sieht man wenig.",
    "It is critical.",
  ])("none: %s", (text) => {
    expect(extractRules(said([["user", text]]))).toEqual([]);
  });
});

describe("answers", () => {
  it.each([
    ["approval", "👍"],
    ["approval", "Go for option B."],
    ["refusal", "Hold off on that."],
    ["refusal", "Please don't, that breaks billing."],
    ["correction", "Close, but use the sandbox key."],
    ["correction", "Nicht ganz, ich meinte die zweite Spalte."],
    ["correction", "Eso no es lo que pedí."],
    ["correction", "Ce n'est pas ce que je voulais."],
  ])("%s: %s", (form, text) => {
    const answers = extractResponses(
      said([
        ["assistant", "Shall I move it?"],
        ["user", text],
      ]),
    );
    expect(answers).toMatchObject([{ form }]);
  });
});

describe("decisions", () => {
  it.each([
    "Settled: the API stays REST.",
    "After weighing both, I'm keeping the queue and dropping the cron job.",
    "Let's go with approach 2, the lazy loader.",
  ])("%s", (text) => {
    expect(
      extractDecisions(
        said([
          ["user", "How?"],
          ["assistant", text],
        ]),
      ),
    ).toHaveLength(1);
  });

  it("reads the Portuguese alternative", () => {
    const [decision] = extractDecisions(said([["assistant", "Optamos por Kafka em vez de RabbitMQ."]]));
    expect(decision?.alternatives).toEqual(["RabbitMQ"]);
  });
});

describe("files of programs", () => {
  it.each<[string, readonly string[]]>([
    ["perl -pi -e 's/a/b/' lib/y.pl", ["written lib/y.pl"]],
    ["python - <<'E'\nfrom pathlib import Path\nPath('out/z.json').write_text('{}')\nE", ["written out/z.json"]],
    ["python3 -c \"open('out/a.txt', 'w').write('x')\"", ["written out/a.txt"]],
    ["python3 -c \"print(open('in/a.txt').read())\"", []],
    ["curl -sSLo tools/jq.bin https://x.test/jq", ["written tools/jq.bin"]],
    ["curl -s https://x.test/jq", []],
    ["Move-Item a.txt b.txt; Remove-Item c.txt", ["moved a.txt", "deleted c.txt"]],
  ])("%s", (script, expected) => {
    const files = extractFiles(factMessages([bash(script, "")]));
    expect(files.map(({ operation, path }) => `${operation} ${path}`)).toEqual(expected);
  });

  it("names the resource that an edit defines", () => {
    const [file] = extractFiles(factMessages([edit("main.tf", "", 'resource "aws_s3_bucket" "logs" {\n}')]));
    expect(file?.symbols).toEqual(["logs"]);
  });
});

describe("errors", () => {
  it.each(["Fehler: Hauptklasse App konnte nicht gefunden werden", "FATAL ERROR: Reached heap limit"])("%s", (line) => {
    expect(extractErrors(factMessages([bash("java -jar app.jar", line)]))).toMatchObject([
      { text: line, status: "open" },
    ]);
    expect(extractCommands(factMessages([bash("java -jar app.jar", line)]))).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("check lists", () => {
  const states = (lines: Parameters<typeof factMessages>[0]) =>
    extractPlans(factMessages(lines)).map(({ items }) => items.map(({ text, status }) => `${status} ${text}`));

  it("are a plan where the assistant says them, in their latest state", () => {
    const before = says("Plan:\n- [x] Parse\n- [ ] Store\n- [ ] Report");
    const after = says("- [x] Parse\n- [x] Store\n- [ ] Report");
    expect(states([user("go"), before, after])).toEqual([["done Parse", "done Store", "not_started Report"]]);
  });

  it("are a plan in a tracker", () => {
    const list = [{ id: "1", title: "A", status: "done" }];
    expect(states([call("task_tracker", { command: "plan", task_list: list }, "ok")])).toEqual([["done A"]]);
  });

  it("are none where a tool or a person writes them, or only one line has a box", () => {
    const lines = "- [ ] agree\n- [ ] sign";
    expect(states([user(lines), call("Read", { file_path: "a.md" }, lines), says("- [ ] one")])).toEqual([]);
    expect(states([call("Write", { file_path: "docs/TODO.md", content: lines }, "ok")])).toEqual([]);
  });
});

describe("where a server listens", () => {
  it.each([
    ["listening on 10.0.0.7:8443", "10.0.0.7:8443"],
    ["Serving docs at http://localhost:8000", "http://localhost:8000"],
    ["INFO: server started on port 4100", "4100"],
  ])("%s", (text, value) => {
    const message = { source: { step: 1, message: 1 }, spoken: [], calls: [], thoughts: [] };
    const results = [{ callId: "c", text, isError: false }];
    expect(extractValues([{ ...message, results }])).toMatchObject([{ value, by: "tool" }]);
  });
});

describe("a step under way", () => {
  const thought = "The parser is ready; before the report I still have to store the rows by tenant.";
  const working = (number: number) => ({
    source: { step: 1, message: number },
    spoken: [{ author: "assistant", text: thought }] as const,
    calls: [{ callId: "c", name: "Read", input: { file_path: "a.ts" }, texts: ["a.ts"] }],
    results: [],
    thoughts: [],
  });

  it("is what the assistant said last on the way to an answer that had not come", () => {
    const messages = [...factMessages([user("go")]), working(2), working(3), working(4)];
    const source = (message: number) => ({ text: thought, isStep: true, source: { step: 1, message } });
    expect(extractStatements(messages)).toMatchObject([source(3), source(4)]);
    const answered = [...messages, ...factMessages([says("Done, all is stored.")])];
    expect(extractStatements(answered)).toMatchObject([{ text: "Done, all is stored." }]);
  });

  it("is over once there is more", () => {
    const step = { kind: "statement", text: thought, isStep: true, source: { step: 1, message: 2 } } as const;
    const report = { kind: "statement", text: "Done.", source: { step: 2, message: 2 } } as const;
    expect(mergeStatements([step], [report])).toEqual([report]);
    expect(mergeStatements([step], [])).toEqual([step]);
  });
});
