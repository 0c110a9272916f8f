// What Python sends: as the clients of OpenAI and Anthropic write it (openai 3.22, anthropic 1.13: no spaces, UTF-8, the list
// before the model), and as the standard library does by itself (", " and escapes); answers whole, and streams line by line.
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ANSWER } from "./provider.ts";
import { openTestProxy } from "./support.ts";

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Grows a conversation over one connection; prints for each turn its status, what was done with it, and the answer. */
const CLIENT = `
import http.client, json, sys
address, path, field, style, stream = sys.argv[1:6]
host, port = address.removeprefix("http://").split(":")
connection = http.client.HTTPConnection(host, int(port))
as_client = dict(separators=(",", ":"), ensure_ascii=False)
headers = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "Connection": "keep-alive",
  "Content-Type": "application/json", "User-Agent": "Anthropic/Python 1.13.0", "X-Api-Key": "not-a-key",
  "Authorization": "Bearer not-a-key", "anthropic-version": "2023-06-01", "X-Stainless-Lang": "python"}
messages, told, sent = [], [], []
filler = "Die Prüfung läuft – sie dauert U0001F680 eine Weile. " * 24
for turn in range(24):
  messages.append({"role": "user", "content": f"{turn}: src/tor{turn}.py, nie Port {8000 + turn}. " + filler})
  request = {field: messages, "model": "claude-sonnet-4-5" if path.endswith("messages") else "gpt-4o"}
  if path.endswith("messages"): request = {"max_tokens": 500, **request}
  if stream == "stream": request["stream"] = True
  body = json.dumps(request, **(as_client if style == "client" else {})).encode()
  connection.request("POST", path, body, headers)
  answer = connection.getresponse()
  if stream == "stream":
    text = ""
    for line in answer:
      data = line.decode().strip()
      if not data.startswith("data: {"): continue
      event = json.loads(data[6:])
      delta = event.get("delta", {})
      text += delta if isinstance(delta, str) else delta.get("text", "")
      for choice in event.get("choices", []): text += choice["delta"].get("content", "")
  else:
    whole = json.loads(answer.read())
    found = whole.get("content") or whole.get("output", [{}])[0].get("content")
    text = found[0]["text"] if found else whole["choices"][0]["message"]["content"]
  told.append([answer.status, answer.getheader("x-agent-compact-outcome"), text])
  sent.append(body.decode())
  messages.append({"role": "assistant", "content": text})
print(json.dumps({"told": told, "sent": sent}))
`;

interface Outcome {
  readonly told: readonly (readonly [status: number, outcome: string, text: string])[];
  readonly sent: readonly string[];
}

const APIS = [
  ["/v1/messages", "messages"],
  ["/v1/chat/completions", "messages"],
  ["/v1/responses", "input"],
] as const;

describe.runIf(hasPython)("a client in Python", () => {
  it.each(
    APIS.flatMap(([path, field]) =>
      ["client", "library"].flatMap((style) => ["answer", "stream"].map((how) => [path, field, style, how] as const)),
    ),
  )("at %s, its list in %s, written as by the %s, read as %s", async (path, field, style, how) => {
    const { address, provider } = await openTestProxy({
      config: { maxContextTokens: 8_000 },
      provider: { window: 8_000 },
    });
    const { stdout } = await promisify(execFile)("python3", ["-c", CLIENT, address, path, field, style, how], {
      maxBuffer: 64 * 1024 * 1024,
    });
    const { told, sent }: Outcome = JSON.parse(stdout);
    expect(told.map(([status, , text]) => [status, text])).toEqual(told.map(() => [200, ANSWER]));
    const first = told.findIndex(([, outcome]) => outcome === "compacted");
    expect(first).toBeGreaterThan(5);
    expect(provider.heard.slice(0, first).map(({ bytes }) => bytes.toString())).toEqual(sent.slice(0, first));
    expect(told.map(([, outcome]) => outcome)).toContain("replayed");
    expect(provider.heard.flatMap(({ violations }) => violations)).toEqual([]);
    // What stands behind the head is the client's own bytes.
    const last = sent.at(-1) ?? "";
    const behind = last.slice(last.lastIndexOf(style === "client" ? '{"role":"user"' : '{"role": "user"'));
    expect(provider.heard.at(-1)?.bytes.toString().endsWith(behind)).toBe(true);
  });
});
