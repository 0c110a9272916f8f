import { describe, expect, it } from "vitest";
import type { FactMessage } from "../../src/facts/fact-message.ts";
import { extractValues, mergeValues } from "../../src/facts/kinds/values.ts";
import { findAssignments, findConfigLines } from "../../src/facts/values/config-lines.ts";
import { findStatements } from "../../src/facts/values/statements.ts";
import { runThrough } from "../../src/tokens/turns/stepwise.ts";

const message = (number: number, parts: Partial<FactMessage>): FactMessage => ({
  source: { step: 1, message: number },
  spoken: [],
  calls: [],
  results: [],
  thoughts: [],
  ...parts,
});
const said = (number: number, text: string, author: "user" | "assistant" = "user") =>
  message(number, { spoken: [{ author, text }] });
const printed = (number: number, text: string) => message(number, { results: [{ callId: "c", text, isError: false }] });
const written = (number: number, input: Record<string, string>) =>
  message(number, { calls: [{ callId: "c", name: "edit", input, texts: Object.values(input) }] });

const valuesIn = (text: string) => extractValues([said(1, text)]).map(({ key, value }) => `${key} = ${value}`);
const standing = (messages: readonly FactMessage[]) =>
  extractValues(messages).flatMap((fact) => (fact.supersededBy ? [] : [`${fact.key} = ${fact.value}`]));

describe("values said", () => {
  it.each([
    ["The port is 8443.", "port = 8443"],
    ["maxRetry=17", "maxRetry = 17"],
    ["use `timeout: 30s` here", "timeout = 30s"],
    ["please set X to 3", "X = 3"],
    ["Deploy with DEPLOY_TOKEN=<REDACTED> to Berth.", "DEPLOY_TOKEN = <REDACTED>"],
    ["maxRetry=17>", "maxRetry = 17"],
    ["port 8443 -> 9000", "port = 9000"],
    ["We changed the limit from 10 to 25.", "limit = 25"],
    ["it failed until I set the pool size to 12, then it passed", "pool size = 12"],
    ["it worked once I lowered the concurrency to 4", "concurrency = 4"],
    ["it broke as soon as the seed was 1887", "seed = 1887"],
    ["the parser needs `strictDates` off", "strictDates = off"],
    ["the deadline is 2031-04-17 06:30 UTC", "deadline = 2031-04-17 06:30 UTC"],
    ["the default branch is main", "default branch = main"],
    ["it only works when workers is 3", "workers = 3"],
    ["keep retries at 5", "retries = 5"],
    ["we settled on 8443 for the gateway port.", "gateway port = 8443"],
    ["it needs at least 16 GB of RAM", "RAM = at least 16 GB"],
    ["the rate limit got raised to 500 rps", "rate limit = 500 rps"],
    ["set the log level to debug", "log level = debug"],
    ["use eu-central-9 as the region", "region = eu-central-9"],
    ["run it with --workers=3", "workers = 3"],
    ["- Deadline: 2031-04-17", "Deadline = 2031-04-17"],
    ["el puerto es 8443", "puerto = 8443"],
    ["hasta que puse el tamaño del pool en 35", "tamaño del pool = 35"],
    ["a porta é 8443", "porta = 8443"],
    ["mude o limite de 10 para 25", "limite = 25"],
    ["der Port ist 8443", "Port = 8443"],
    ["bis ich die Poolgröße auf 35 gesetzt habe", "Poolgröße = 35"],
    ["le port est 8443", "port = 8443"],
    ["mets la limite à 25", "limite = 25"],
    ["端口是8443", "端口 = 8443"],
    ["把重试次数从3改为5", "重试次数 = 5"],
    ["把 prefetch_count 从1改为66之后就好了", "prefetch_count = 66"],
    ["ポートは8443です。", "ポート = 8443"],
    ["タイムアウトを30秒に設定してください", "タイムアウト = 30秒"],
  ])("%s", (text, expected) => {
    expect(valuesIn(text)).toEqual([expected]);
  });

  it.each([
    "is the port 8443?",
    "if the port is 8443, stop",
    "the port is not 8443",
    "the run is 5% slower",
    "falls der Port 8443 ist",
    "接下来是邮件模板：整理一下。",
    "the answer is 42",
    "it is probably fine",
    "the branch is merged",
    "never set the port to 8443",
    "don't change the limit to 25",
    "don't use more than 3 workers",
    "no pongas el puerto en 8443",
    "不要把端口改为8443",
    "setze den Port nicht auf 8443",
    "ne mets pas le port à 8443",
    "ポートは8443ではない",
    "ポートを8443にしないでください",
    "the environment is set up to see it",
    "move both to `paths`",
    "Component 1: `go:discover`",
    "truncates in `hooks.go:281`",
    "err = strategy.open(id)",
  ])("states nothing: %s", (text) => {
    expect(valuesIn(text)).toEqual([]);
  });

  it("reads configuration in fences, not code", () => {
    expect(valuesIn("```yaml\nport: 8443\n```")).toEqual(["port = 8443"]);
    expect(valuesIn("```env\nAWS_REGION=eu-central-9\n```")).toEqual(["AWS_REGION = eu-central-9"]);
    expect(valuesIn("```ts\nlet port = 8443;\n```")).toEqual([]);
  });
});

describe("values written and printed", () => {
  it("takes configuration and constants from edits, each with its file", () => {
    const edit = (file_path: string, new_string: string) =>
      extractValues([written(1, { file_path, new_string })]).map(({ key, value }) => `${key} = ${value}`);
    expect(edit("app/config.json", '{\n  "port": 8443,\n  "name": "x"\n}')).toEqual(["port (config.json) = 8443"]);
    expect(edit("src/retry.ts", "const MAX_RETRY = 17;\nlet row = rows[0];")).toEqual(["MAX_RETRY (retry.ts) = 17"]);
  });

  it("takes a few printed lines, but no file and no log", () => {
    expect(standing([printed(1, "export_batch_size=4909")])).toEqual(["export_batch_size = 4909"]);
    expect(standing([printed(1, Array.from({ length: 40 }, (_, at) => `key_${at}=1`).join("\n"))])).toEqual([]);
    expect(standing([printed(1, "status: 200\nduration: 3.2s\nerror: 5")])).toEqual([]);
  });

  it("takes the environment of a command", () => {
    expect(standing([written(1, { command: "LOCK_WAIT=30 make migrate" })])).toEqual(["LOCK_WAIT = 30"]);
  });
});

describe("which value is current", () => {
  it("marks the older value, also over rounds, whatever way the key is written", () => {
    const first = extractValues([said(1, "max_retry=3")]);
    const second = extractValues([said(7, "maxRetry=17")]);
    expect(mergeValues(first, second)).toMatchObject([
      { value: "3", source: { message: 1 }, supersededBy: { step: 1, message: 7 } },
      { value: "17", source: { message: 7 } },
    ]);
    expect(mergeValues(first, second)[1]).not.toHaveProperty("supersededBy");
  });

  it("does not let a tool undo what a person or the assistant said", () => {
    expect(standing([said(1, "set port to 9000"), printed(2, "port=8443")])).toEqual(["port = 9000"]);
    expect(standing([printed(1, "port=8443"), said(2, "the port is 9000", "assistant")])).toEqual(["port = 9000"]);
  });

  it("shows both where the assistant contradicts the user, until the user decides", () => {
    const both = [said(1, "the port is 8443"), said(2, "the port is 9000", "assistant")];
    expect(standing(both)).toEqual(["port = 8443", "port = 9000"]);
    expect(standing([...both, said(3, "the port is 9100")])).toEqual(["port = 9100"]);
  });

  it("believes the assistant that says which value it replaced", () => {
    const text = "I changed the port from 8443 to 9000.";
    expect(standing([said(1, "the port is 8443"), said(2, text, "assistant")])).toEqual(["port = 9000"]);
  });

  it("finds the key of a value that is replaced without naming it", () => {
    const messages = [said(1, "the port is 8443"), said(2, "actually it's 9000, not 8443")];
    expect(standing(messages)).toEqual(["port = 9000"]);
    expect(standing([said(1, "use eu-west-3 instead of eu-central-9")])).toEqual([
      "instead of eu-central-9 = eu-west-3",
    ]);
  });

  it("takes no echo of an outdated value", () => {
    const messages = [
      said(1, "the port is 8443"),
      said(2, "the port is 9000"),
      said(3, "the port is 8443", "assistant"),
    ];
    expect(standing(messages)).toEqual(["port = 9000"]);
  });

  it("makes a value current again when the user goes back to it", () => {
    const facts = extractValues([
      said(1, "the port is 8443"),
      said(2, "the port is 9000"),
      said(3, "the port is 8443"),
    ]);
    expect(facts.map(({ value, supersededBy }) => [value, supersededBy?.message])).toEqual([
      ["9000", 3],
      ["8443", undefined],
    ]);
  });

  it("gives the same when it is merged again", () => {
    const facts = extractValues([said(1, "the port is 8443"), said(2, "the port is 9000"), said(3, "set limit to 4")]);
    expect(mergeValues(facts, [])).toEqual(facts);
  });
});

describe("hostile text", () => {
  it.each([
    "a",
    "/",
    ".",
    "QUJDZGVmMDEy",
    "数",
    "7",
    "the a is ",
    "set a ",
    "x=1 ",
    "a: b\n",
    '"a": 1\n',
    "是",
    "は",
    "7 -> ",
    "`",
  ])("ends on a megabyte of %j", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(runThrough(findStatements(text))).toBeInstanceOf(Array);
    expect(findAssignments(text)).toBeInstanceOf(Array);
    expect(findConfigLines(text).length).toBeLessThanOrEqual(20);
  });
});

describe("values in other shapes of a sentence", () => {
  it.each([
    ["The weekly sheets are written to s3://depot/sheets by a job.", "weekly sheets = s3://depot/sheets"],
    ["spoolSize turned out to need 61.", "spoolSize = 61"],
    ["We ended up with 26 percent for the trial share.", "trial share = 26 percent"],
    ["The launch date has been moved to 2031-05-02.", "launch date = 2031-05-02"],
    ["No wait, make that gateway port 8444.", "gateway port = 8444"],
    ["It passes with seed 4711.", "seed = 4711"],
    ["We run 14 crawlers.", "crawlers = 14"],
    ["Staging answers at box.internal:8443.", "Staging = box.internal:8443"],
    ["Der Abgabetermin wurde auf 2031-05-02 verschoben.", "Abgabetermin = 2031-05-02"],
    ["La fecha límite pasó a ser 2031-05-02.", "fecha límite = 2031-05-02"],
    ["批次大小从 25 改成了 40。", "批次大小 = 40"],
  ])("%s", (text, expected) => {
    expect(valuesIn(text)).toContain(expected);
  });

  it("reads a small object in one line, and no row of data", () => {
    const small = printed(1, '{ "scheduler": { "maxLag": 4711, "mode": "strict" } }');
    expect(standing([small])).toEqual(["maxLag = 4711", "mode = strict"]);
    expect(standing([printed(1, '{"a1": 1, "b1": 2, "c1": 3, "d1": 4}')])).toEqual([]);
  });

  it.each([
    ["The gateway port is 8443.", "The gateway port has been moved to 8444.", "gateway port = 8444"],
    [
      "Staging answers at a.internal:81.",
      "Staging no longer answers there but at b.internal:82.",
      "Staging = b.internal:82",
    ],
  ])("a change that the assistant reports replaces what a person said: %s %s", (before, after, expected) => {
    expect(standing([said(1, before), said(2, after, "assistant")])).toEqual([expected]);
  });

  it("a plain word of the assistant does not", () => {
    const messages = [said(1, "The gateway port is 8443."), said(2, "The gateway port is 9.", "assistant")];
    expect(standing(messages)).toContain("gateway port = 8443");
  });
});

describe("what only looks like a value", () => {
  it.each([
    "cur_rows=reader.cur_rows",
    "stderr=process.STDOUT",
    "def __init__(self, io, verify=True):",
    "run(edit, shell=True, check=True)",
    "I want a round trip from Here to There.",
    'prefix=f"{base}_"',
    "This renames the method from `a_b` to `c_d`.",
    "We log to the file even if tracking is disabled.",
    "```\ndef f():\n    name_of_it = 'x'\n```",
  ])("%s", (text) => {
    expect(valuesIn(text)).toEqual([]);
  });
});
