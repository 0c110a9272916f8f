import { describe, expect, it } from "vitest";
import type { FactMessage, SpokenText } from "../../src/facts/fact-message.ts";
import { contextLine } from "../../src/facts/identifiers/context-line.ts";
import { findIdentifiers } from "../../src/facts/identifiers/find-identifiers.ts";
import { findHandles } from "../../src/facts/identifiers/handles.ts";
import type { Scope } from "../../src/facts/identifiers/identifier.ts";
import { extractIdentifiers, mergeIdentifiers } from "../../src/facts/kinds/identifiers.ts";
import { isWellFormed } from "../../src/text/well-formed.ts";
import { verifies } from "../requirements/verifies.ts";

const found = (text: string, scope: Scope = "spoken") =>
  findIdentifiers(text, scope).map(({ form, value }) => `${form} ${value}`);

const message = (number: number, parts: Partial<FactMessage>): FactMessage => ({
  source: { step: 1, message: number },
  spoken: [],
  calls: [],
  results: [],
  thoughts: [],
  ...parts,
});
const said = (number: number, text: string, author: SpokenText["author"] = "user") =>
  message(number, { spoken: [{ author, text }] });
const printed = (number: number, text: string, callId = "c") =>
  message(number, { results: [{ callId, text, isError: false }] });
const called = (number: number, input: Record<string, string>, callId = "c") =>
  message(number, { calls: [{ callId, name: "run", input, texts: Object.values(input) }] });

describe("findIdentifiers", () => {
  it.each([
    [
      "see https://example.test/wiki/A_(b), then http://x.test/y).",
      ["url https://example.test/wiki/A_(b)", "url http://x.test/y"],
    ],
    ["文档在 https://example.test/a?b=1。然后", ["url https://example.test/a?b=1"]],
    ["connect to postgres://db.test:5432/app now", ["url postgres://db.test:5432/app"]],
    ["in src/pay/ledger_v3.ts:212 it breaks", ["path src/pay/ledger_v3.ts", "path src/pay/ledger_v3.ts:212"]],
    ["open app/[slug]/page.tsx and @src/a.ts", ["path app/[slug]/page.tsx", "path src/a.ts"]],
    ["C:\\work\\notes.md and ../a/b.json", ["path C:\\work\\notes.md", "path ../a/b.json"]],
    ["console.log and process.env are no files", []],
    ["moved to wiki.acme.example/ops/Runbook?page=7#go.", ["url wiki.acme.example/ops/Runbook?page=7#go"]],
    ['import "acme.dev/cli/paths"', []],
    ["clone git@git.acme.example:ops/billing.git", ["url git@git.acme.example:ops/billing.git"]],
    ["\\\\files\\share\\q3.xlsx", ["path \\\\files\\share\\q3.xlsx"]],
    [
      "the image ghcr.io/acme/api:2.4.1 and chart acme/ingress-7.2.0",
      ["url ghcr.io/acme/api:2.4.1", "version ingress-7.2.0"],
    ],
    ["it reads .env.local, Makefile and Dockerfile.dev", ["path .env.local", "path Makefile", "path Dockerfile.dev"]],
    ["trace 01ARZ3NDEKTSV4RRFFQ69G5FAV", ["uuid 01ARZ3NDEKTSV4RRFFQ69G5FAV"]],
    [
      "INC0045812, SKU KX-77-B, !482 and acme/billing#93",
      ["ticket acme/billing#93", "ticket INC0045812", "ticket KX-77-B", "ticket !482"],
    ],
    [
      "react@19.1.0-rc.2, @acme/ui@4 and python3.12",
      ["version react@19.1.0-rc.2", "version @acme/ui@4", "version python3.12"],
    ],
    ["in window MERGE-WINDOW-7 for order #A-55102", ["ticket MERGE-WINDOW-7", "ticket #A-55102"]],
    ["with -j8 and -Xmx4g", ["flag -j8", "flag -Xmx4g"]],
    ["on [::1]:8080", ["host [::1]:8080"]],
    ["process.env.LOG_LEVEL decides", ["variable LOG_LEVEL"]],
    [
      "m6i.2xlarge, n2-standard-8, westeurope, cluster prod-eks-7",
      ["cloud m6i.2xlarge", "cloud n2-standard-8", "cloud westeurope", "cloud prod-eks-7"],
    ],
    ["the service re-runs and a queue of up-to-date jobs", []],
    [
      "by 03/15/2031, 1st of April, 9:30am or EOD Tuesday",
      ["date 03/15/2031", "date 1st of April", "date 9:30am", "date EOD Tuesday"],
    ],
    ["cc dana.fox@acme.example", ["person dana.fox@acme.example"]],
    ["hand it to Marta from Finance", ["person Marta"]],
    [
      "HTTP 429, exit 137, SQLSTATE 23505, E1042",
      ["code HTTP 429", "code exit 137", "code SQLSTATE 23505", "code E1042"],
    ],
    ["join shipment_event on orders.tenant_id", ["code shipment_event", "code orders.tenant_id"]],
    ["commit 4f2a91c, not deadbee or 1234567", ["hash 4f2a91c"]],
    ["id 6ef2299e-a67f-432b-aa80-3d2fb4d28999", ["uuid 6ef2299e-a67f-432b-aa80-3d2fb4d28999"]],
    [
      "INC-40417, BILL-482, CVE-2031-1234 and #1234",
      ["ticket CVE-2031-1234", "ticket INC-40417", "ticket BILL-482", "ticket #1234"],
    ],
    ["UTF-8, SHA-256 and #333 are none", []],
    ["v1.2.3, 2.0.0-rc.1 and node 22.4", ["version node 22.4", "version v1.2.3", "version 2.0.0-rc.1"]],
    ["with --dry-run only", ["flag --dry-run"]],
    [
      "10.0.0.7:9000, localhost:8443, db:5432, api.acme.example",
      ["host 10.0.0.7:9000", "host localhost:8443", "host api.acme.example", "host db:5432"],
    ],
    ["set AWS_REGION, then $HOME/x", ["variable HOME", "variable AWS_REGION"]],
    [
      "arn:aws:iam::123456789012:role/deploy, s3://acme-cold/raw, eu-central-9, i-0abc1234de, account 210987654321",
      [
        "cloud s3://acme-cold/raw",
        "cloud arn:aws:iam::123456789012:role/deploy",
        "cloud eu-central-9",
        "cloud i-0abc1234de",
        "cloud 210987654321",
      ],
    ],
    ["by 2031-04-17 06:30 UTC", ["date 2031-04-17 06:30 UTC"]],
    ["Thursday 2026-06-18, 17:00 it is", ["date Thursday 2026-06-18, 17:00"]],
    ["bis zum 17. April 2031 und am 2031年4月17日", ["date 17. April 2031", "date 2031年4月17日"]],
    ["must be out by Friday 17:00", ["date by Friday 17:00"]],
    ["at most 30 seconds and 512 MB, €1,200", ["quantity 30 seconds", "quantity 512 MB", "quantity €1,200"]],
    ["maxRetry=17 please", ["quantity maxRetry=17"]],
    ["ask Priya Raman from finance", ["person Priya Raman"]],
    ["reviewer: Tomas Lindqvist, cc @mika-s", ["person Tomas Lindqvist", "person @mika-s"]],
    ["负责人是王若岚。", ["person 王若岚"]],
    ["@param, @types/node and me@acme are no people; Visual Studio neither", []],
    ["call parseRow() in `RowParser`, table audit_log", ["code parseRow()", "code RowParser", "code audit_log"]],
    ["the `users` table on branch feature/new-tax", ["code users", "code feature/new-tax"]],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("takes from tools only what means the same everywhere", () => {
    const text = "v1.2.3 --dry-run 30 seconds parseRow() src/a.ts OPS-77 eu-central-9 @mika AWS_REGION";
    expect(found(text, "document")).toEqual(["path src/a.ts", "cloud eu-central-9", "ticket OPS-77"]);
  });

  it("reads code in fences as a document", () => {
    expect(found("run it\n```sh\nmake --jobs=4 a.ts\n```\nwith --quiet")).toEqual(["path a.ts", "flag --quiet"]);
  });

  it("finds a path behind a line break that was written out, and behind the mark of a diff", () => {
    expect(found("a\\nsrc/b.ts", "document")).toEqual(["path src/b.ts"]);
    expect(found("+src/b.ts\n-src/c.ts", "document")).toEqual(["path src/b.ts", "path src/c.ts"]);
  });

  it.each([
    "a",
    "/",
    ".",
    "QUJDZGVmMDEy",
    "数",
    "7",
    "a.",
    "a/",
    "http://",
    "A-1",
    "--a",
    "key=",
    "`a",
    "Ab ",
    "\\n",
    '"pid":',
  ])("ends on a megabyte of %s", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(found(text).length).toBeLessThan(1000);
    expect(found(text, "document").length).toBeLessThan(1000);
    expect(findHandles(text, undefined).length).toBeLessThan(1000);
  });
});

describe("contextLine", () => {
  it("is the line, cut at words to 120 characters", () => {
    const text = `first\n- ${"before ".repeat(40)}INC-40417 ${"after ".repeat(40)}\nlast`;
    const line = contextLine(text, text.indexOf("INC"), "INC-40417") ?? "";
    expect(line.length).toBeLessThanOrEqual(120);
    expect(line).toMatch(/^…(before )+INC-40417( after)+…$/);
  });

  it("is nothing where the line says nothing else", () => {
    expect(contextLine("- INC-40417", 2, "INC-40417")).toBeUndefined();
  });

  it("never cuts inside a character", () => {
    verifies("field/surrogate-pair-cut");
    for (const character of ["😀", "𠮷", "👨‍👩‍👧", "🇪🇺"]) {
      for (let shift = 0; shift < 12; shift += 1) {
        const text = `${"x".repeat(shift)}${character.repeat(150)} INC-40417 ${"y".repeat(shift)}${character.repeat(150)}`;
        const line = contextLine(text, text.indexOf("INC"), "INC-40417") ?? "";
        expect(isWellFormed(line)).toBe(true);
        expect(line.length).toBeLessThanOrEqual(120);
      }
    }
  });
});

describe("extractIdentifiers", () => {
  it("keeps the words in which a person or the assistant first named it, not a tool's", () => {
    const facts = extractIdentifiers([
      printed(1, "opened OPS-40417 at noon"),
      said(2, "OPS-40417 is about the rounding", "assistant"),
      said(3, "close OPS-40417 then"),
    ]);
    expect(facts).toEqual([
      {
        kind: "identifier",
        form: "ticket",
        value: "OPS-40417",
        mentions: 3,
        context: "OPS-40417 is about the rounding",
        source: { step: 1, message: 3 },
      },
    ]);
  });

  it("holds every exact form that a conversation decays", () => {
    verifies("field/exact-facts-decay");
    const words =
      "INC-40417 runs in eu-central-9 until 2031-04-17 06:30 UTC; see src/pay/ledger_v3.ts:212, s3://acme-cold/raw, maxRetry=17, 9f3c2ab1d; ask Priya Raman from finance.";
    const known = extractIdentifiers([said(1, words)]).map(({ value }) => value);
    for (const value of [
      "INC-40417",
      "eu-central-9",
      "2031-04-17 06:30 UTC",
      "src/pay/ledger_v3.ts:212",
      "s3://acme-cold/raw",
      "maxRetry=17",
      "9f3c2ab1d",
      "Priya Raman",
    ])
      expect(known).toContain(value);
  });

  it("carries running handles with label and last status, and lets finished ones go", () => {
    verifies("field/running-handles-lost");
    const first = extractIdentifiers([
      called(1, { description: "Check the migrations" }),
      printed(2, '{"agent_id":"ag_7f31","status":"running"}'),
      called(3, { command: "npm run watch" }, "d"),
      printed(4, '{"job":"bg-12","pid":4411}', "d"),
      printed(5, '{"agent_id":"ag_0c2","status":"running"}', "e"),
    ]);
    const second = extractIdentifiers([printed(6, '{"agent_id":"ag_0c2","status":"done"}', "e")]);
    const handles = mergeIdentifiers(first, second).filter(({ form }) => form === "handle");
    expect(handles.map(({ value, context }) => [value, context])).toEqual([
      ["ag_7f31", "Check the migrations, agent_id: ag_7f31, status: running"],
      ["bg-12", "npm run watch, job: bg-12"],
      ["4411", "npm run watch, pid: 4411"],
    ]);
  });

  it.each([
    ['{"agent_id":"explorer","status":"running"}', "explorer", "agent_id: explorer, status: running"],
    ['{"agentId":"worker-blue","state":"in_progress"}', "worker-blue", "agentId: worker-blue, status: in_progress"],
    ["<task_id>task_01HX</task_id>\n<status>running</status>", "task_01HX", "task_id: task_01HX, status: running"],
    ["workflow_id=wf-77 status=RUNNING", "wf-77", "workflow_id: wf-77, status: running"],
    ["Process running with session ID 48211\nOutput:", "48211", "running with session ID 48211"],
    ["Command running in background with ID: bash_3", "bash_3", "running in background with ID: bash_3"],
    ["Spawned sub-agent conv_99 (reviewer).", "conv_99", "Spawned sub-agent conv_99"],
    ["Submitted batch job 118", "118", "Submitted batch job 118"],
    ["[1] 5523", "5523", "pid 5523"],
  ])("finds the handle in %j", (text, value, context) => {
    verifies("field/running-handles-lost");
    const handles = extractIdentifiers([printed(1, text)]).filter(({ form }) => form === "handle");
    expect(handles.map((fact) => [fact.value, fact.context])).toEqual([[value, context]]);
  });

  it.each([
    ['{"agent_id": "string", "status": "string"}'],
    ["const agent_id = explorer;"],
    ["He started the process well."],
    ["see [1] 5523 for more"],
  ])("takes none from %j", (text) => {
    expect(extractIdentifiers([printed(1, text)]).filter(({ form }) => form === "handle")).toEqual([]);
  });

  it("keeps a finished handle that is a hash as a hash, with all its mentions", () => {
    const facts = [printed(1, "agentId: a1b2c3d\nstatus: running"), printed(2, "agentId: a1b2c3d\nstatus: completed")];
    expect(mergeIdentifiers([], extractIdentifiers(facts))).toMatchObject([
      { form: "hash", value: "a1b2c3d", mentions: 2 },
    ]);
  });

  it("takes no handles from a listing or from numbers of lines", () => {
    const listing = Array.from({ length: 30 }, (_, at) => `{"pid":${at + 100}}`).join("\n");
    expect(extractIdentifiers([printed(1, listing), printed(2, "AgentID 219: return agent_id")])).toEqual([]);
  });

  it("adds mentions up over rounds and keeps the first context", () => {
    const first = extractIdentifiers([said(1, "the bucket s3://acme-cold/raw is read-only")]);
    const second = extractIdentifiers([said(9, "s3://acme-cold/raw again, as I said")]);
    expect(mergeIdentifiers(first, second)).toMatchObject([
      { mentions: 2, context: "the bucket s3://acme-cold/raw is read-only", source: { message: 9 } },
    ]);
  });
});
