// `convert`, and `conversation --to`, as they are typed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/factories/formats.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { anthropicConversation, chatConversation, sessionLines } from "./conversations.ts";

function folderWith(name: string, content: unknown): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  return cwd;
}

/** What a written file is read as again, valid for its provider. */
function readBack(cwd: string, name: string) {
  const detected = detectInput(JSON.parse(readFileSync(join(cwd, name), "utf8")), FORMATS);
  expect(detected?.format.validate(detected.messages, { allowOpenTail: true })).toEqual([]);
  return detected;
}

describe("convert", () => {
  it("writes an object beside the input where something stands beside the messages", async () => {
    const cwd = folderWith("talk.json", chatConversation(3));
    const { code, stdout, stderr } = await call(["convert", "talk.json", "--to", "anthropic"], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Converted: talk\.json \(openai-chat\) to anthropic/);
    expect(stdout).toMatch(/messages {4}13 -> 12/);
    expect(stdout).toMatch(/written to {2}talk\.anthropic\.json/);
    const detected = readBack(cwd, "talk.anthropic.json");
    expect(detected?.format.name).toBe("anthropic");
    expect(detected?.system).toBe("You are a careful engineer.");
  });

  it("packs what its name says is packed", async () => {
    const cwd = folderWith("talk.json", chatConversation(3));
    await call(["convert", "talk.json", "--to", "anthropic", "--out", "plain.json"], { cwd });
    const { code } = await call(["convert", "talk.json", "--to", "anthropic", "--out", "packed.json.gz"], { cwd });
    expect(code).toBe(0);
    expect(gunzipSync(readFileSync(join(cwd, "packed.json.gz"))).toString()).toBe(
      readFileSync(join(cwd, "plain.json"), "utf8"),
    );
  });

  it("writes a bare list where nothing does, also from a session file", async () => {
    const cwd = folderWith("session.jsonl", sessionLines(3));
    const { code, stdout } = await call(["convert", "session.jsonl", "--to", "openai-chat", "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      from: "claude-code",
      to: "openai-chat",
      messages: 12,
      messages_before: 12,
      out: "session.openai-chat.json",
      notes: [],
      repairs: [],
    });
    expect(JSON.parse(readFileSync(join(cwd, "session.openai-chat.json"), "utf8"))).toHaveLength(12);
    expect(readBack(cwd, "session.openai-chat.json")?.format.name).toBe("openai-chat");
  });

  it("comes back as what it is from each format, with tools and instructions", async () => {
    const tools = [{ name: "read_file", description: "d", input_schema: { type: "object", properties: {} } }];
    const body = { system: "Be brief.", tools, messages: anthropicConversation(2) };
    const cwd = folderWith("request.json", body);
    for (const to of ["openai-responses", "openai-chat"]) {
      expect((await call(["convert", "request.json", "--to", to], { cwd })).code).toBe(0);
      const name = `request.${to}.json`;
      expect(readBack(cwd, name)?.format.name).toBe(to);
      expect(readBack(cwd, name)?.tools).toHaveLength(1);
      expect((await call(["convert", name, "--to", "anthropic", "--out", "back.json"], { cwd })).code).toBe(0);
      expect(readBack(cwd, "back.json")).toMatchObject({ system: "Be brief.", tools });
    }
  });

  it("writes plain Responses messages so that they are read again as such", async () => {
    const cwd = folderWith("talk.json", [{ role: "user", content: "hi" }]);
    await call(["convert", "talk.json", "--to", "openai-responses"], { cwd });
    expect(readBack(cwd, "talk.openai-responses.json")?.format.name).toBe("openai-responses");
  });

  it("gives the list alone on stdout, and the report on stderr", async () => {
    const cwd = folderWith("talk.json", chatConversation(1).slice(1));
    const { code, stdout, stderr } = await call(["convert", "talk.json", "--to", "anthropic", "--out", "-"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(4);
    expect(stderr).toMatch(/^Converted: /);
  });

  it("mends what the provider would refuse, and tells it with what was left out", async () => {
    const [system, request, step, , answer] = chatConversation(1);
    const reasoned = { ...answer, reasoning_content: "thoughts" };
    const cwd = folderWith("talk.json", [system, request, step, reasoned]);
    const human = await call(["convert", "talk.json", "--to", "anthropic"], { cwd });
    expect(human.stdout).toMatch(/repaired {4}1 dead call/);
    expect(human.stdout).toMatch(/note {2}1 passage of reasoning left out/);
    const { stdout } = await call(["convert", "talk.json", "--to", "anthropic", "--json"], { cwd });
    const { notes, repairs } = JSON.parse(stdout);
    expect(notes).toEqual([{ code: "left_out", message: expect.stringMatching(/reasoning/) }]);
    expect(repairs).toEqual([{ message: 2, kind: "dead_call", action: expect.any(String) }]);
    readBack(cwd, "talk.anthropic.json");
  });

  it("prints the path alone with --quiet", async () => {
    const cwd = folderWith("talk.json", chatConversation(1));
    const { stdout } = await call(["convert", "talk.json", "--to", "anthropic", "--quiet"], { cwd });
    expect(stdout).toBe("talk.anthropic.json\n");
  });

  it.each([
    [["convert", "talk.json"], /--to/],
    [["convert", "talk.json", "--to", "claude-code"], /--to must be one of openai-chat, openai-responses, anthropic/],
    [["convert", "gone.json", "--to", "anthropic"], /gone\.json/],
    [["convert", "talk.json", "--to", "anthropic", "--out", "talk.json"], /never overwritten/],
    [["convert", "talk.json", "--to", "anthropic", "--out", "-", "--json"], /both write to stdout/],
    [["convert", "talk.json", "--to", "anthropic", "--format", "pi"], /not a pi session/],
  ])("refuses %j and writes nothing", async (argv, message) => {
    const cwd = folderWith("talk.json", chatConversation(1));
    const before = snapshot(cwd);
    const { code, stderr } = await call(argv, { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(snapshot(cwd)).toEqual(before);
  });
});

describe("conversation --to", () => {
  it("compacts in the format that was asked for, with what stands beside the messages", async () => {
    const cwd = folderWith("talk.json", chatConversation(40));
    const argv = ["conversation", "talk.json", "--to", "anthropic", "--target-tokens", "3000", "--json"];
    const { code, stdout } = await call(argv, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "compacted", format: "anthropic" });
    const detected = readBack(cwd, "talk.compacted.json");
    expect(detected?.format.name).toBe("anthropic");
    expect(detected?.system).toBe("You are a careful engineer.");
  });

  it("tells what was left out", async () => {
    const [first, ...rest] = chatConversation(40);
    const cwd = folderWith("talk.json", [
      first,
      { role: "assistant", content: "Hm.", reasoning_content: "r" },
      ...rest,
    ]);
    const argv = ["conversation", "talk.json", "--to", "openai-responses", "--target-tokens", "3000", "--json"];
    const { warnings } = JSON.parse((await call(argv, { cwd })).stdout);
    expect(warnings).toContainEqual({ code: "conversion_notes", message: expect.stringMatching(/reasoning/) });
    expect(readBack(cwd, "talk.compacted.json")?.format.name).toBe("openai-responses");
  });

  it("leaves the file's own format alone, and gives session files as Anthropic messages or as asked", async () => {
    const cwd = folderWith("session.jsonl", sessionLines(40));
    const anthropic = await call(["conversation", "session.jsonl", "--target-tokens", "3000", "--json"], { cwd });
    expect(JSON.parse(anthropic.stdout)).toMatchObject({ format: "anthropic", session_id: "session-of-the-file" });
    const argv = ["conversation", "session.jsonl", "--to", "openai-chat", "--target-tokens", "3000", "--out", "c.json"];
    expect((await call([...argv, "--session-id", "other"], { cwd })).code).toBe(0);
    expect(readBack(cwd, "c.json")?.format.name).toBe("openai-chat");
    expect(existsSync(join(cwd, "session.compacted.json"))).toBe(true);
  });
});
