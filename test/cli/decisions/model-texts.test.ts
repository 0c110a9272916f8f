// `decisions compact` with a model: its texts are due once it is configured, records may change meanwhile, and one that is
// not there is not asked for everything.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, snapshot } from "../command-line.ts";
import { decisions, folderWith, reviewed } from "./decision-folder.ts";

const LONG =
  "Cache price lists in the shop's own process and not in the shared Redis cluster, because a list changes twice a day";
const LINE = "Cache price lists in the shop's own process, not in the shared Redis cluster";

/** An address of a model that answers so; `status` above 399 is a failure. */
async function modelServer(answer: (request: number) => number): Promise<string> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(answer(requests), { "content-type": "application/json" });
    const message = { role: "assistant", content: LINE };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function logOf(count: number): string {
  return folderWith(Array.from({ length: count }, (_, at) => reviewed(`aaaa000${at}`, 40, { decision: LONG })));
}

function compact(cwd: string, baseUrl: string, ...flags: readonly string[]) {
  const config = join(cwd, "model.yaml");
  writeFileSync(config, `summarizer: {type: openai-compatible, model: small, base_url: "${baseUrl}"}\n`);
  const env = { HOME: cwd, COMPACT_SUMMARIZER_API_KEY: "test" };
  return call(["decisions", "compact", "--config", config, ...flags], { cwd, env });
}

describe("decisions compact with a model", () => {
  it("plans and writes the texts that code wrote before it was configured", async () => {
    const cwd = logOf(1);
    await decisions(cwd, ["compact"]);
    const url = await modelServer(() => 200);
    const dry = await compact(cwd, url, "--dry-run", "--json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ items: [], rewrites: [{ id: "aaaa0000", level: "digest" }] });
    await compact(cwd, url, "--plan-out", "plan.json");
    expect(JSON.parse(readFileSync(join(cwd, "plan.json"), "utf8")).rewrites).toHaveLength(1);
    const done = await compact(cwd, url, "--json");
    expect(JSON.parse(done.stdout).texts).toEqual({ llm: 1, extractive: 0, failed: 0 });
    const again = await compact(cwd, url, "--dry-run", "--json");
    expect(JSON.parse(again.stdout).rewrites).toEqual([]);
  });

  it("plans again by itself when a record changes while a text is written", async () => {
    const cwd = logOf(1);
    const [file = ""] = Object.keys(snapshot(cwd)).filter((name) => name.endsWith(".yaml"));
    const url = await modelServer((request) => {
      const path = join(cwd, file);
      if (request === 1) writeFileSync(path, `${readFileSync(path, "utf8")}lessons: Ask first\n`);
      return 200;
    });
    const { code, stdout, stderr } = await compact(cwd, url, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ changedTotal: 1, texts: { llm: 2, failed: 0 } });
  });

  it("asks one that is not there a few times, and says so", async () => {
    let asked = 0;
    const url = await modelServer((request) => {
      asked = request;
      return 401;
    });
    const { code, stdout } = await compact(logOf(9), url);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "3 calls of the model failed in a row, so it was asked no more: 9 texts are written by code",
    );
    expect(asked).toBeLessThanOrEqual(4);
  });
});
