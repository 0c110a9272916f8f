// The samples of the specification, in the file and in the post: values go, names and ordinary settings stay, and the
// messages in memory are as they were.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CompactManager, createAriadneSink } from "../../src/index.ts";
import { turns } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { deepFreeze } from "./doors.ts";

const rule = (word: string) => ["-----", `${word} PRIVATE`, " KEY-----"].join("");
const PEM = `${rule("BEGIN")}\n${"MIIEvQIBADANBgkqhkiG9w0BAQEF\n".repeat(3)}${rule("END")}`;
const SAID = [
  "Keep api_key=sk-abc123 for the deploy.",
  'The file says "password": "hunter2" and max_tokens: 500.',
  "Send Authorization: Bearer abcdefghij with it.",
  PEM,
].join("\n");
const VALUES = ["sk-abc123", "hunter2", "abcdefghij", "MIIEvQ"];

it("lose their values in the archive's files and in what is posted to the viewer", async () => {
  verifies("values/redaction-samples", "conversation/redaction-before-export");
  const folder = mkdtempSync(join(tmpdir(), "redaction-samples-"));
  const posted: string[] = [];
  const server = createServer(async (request, response) => {
    request.setEncoding("utf8");
    let body = "";
    for await (const piece of request) body += piece;
    if (request.method === "POST") posted.push(body);
    response.end('{"success":true,"count":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const sink = createAriadneSink({ url: `http://127.0.0.1:${port}` });
    const manager = new CompactManager({ archive: { path: folder }, trace: [sink] });
    const messages = deepFreeze([{ role: "user", content: SAID }, ...turns(9), { role: "user", content: SAID }]);
    const compacted = await manager.manualCompact("s", messages, { note: SAID });
    await manager.flush();
    await sink.shutdown?.();
    const files = ["transcript-pre-compact-001.jsonl", "summary-001.json", "state.json", "events.jsonl"];
    for (const text of [...files.map((name) => readFileSync(join(folder, "s", name), "utf8")), ...posted])
      for (const value of VALUES) expect(text).not.toContain(value);
    const transcript = readFileSync(join(folder, "s", "transcript-pre-compact-001.jsonl"), "utf8");
    for (const text of ["api_key=<REDACTED>", "max_tokens: 500", "Authorization: Bearer <REDACTED>"])
      expect(transcript).toContain(text);
    expect((JSON.parse(transcript.split("\n")[0] ?? "") as { content: string }).content).toContain(
      '"password": "<REDACTED>"',
    );
    expect(posted.join("\n")).toContain("api_key=<REDACTED>");
    expect(messages[0]).toEqual({ role: "user", content: SAID });
    expect(compacted.at(-1)).toBe(messages.at(-1));
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}, 20_000);
