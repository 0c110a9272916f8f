// The summarizer's block: which keys go together, which addresses are allowed, and whose key goes where.
import { describe, expect, it } from "vitest";
import { apiKeyVariables, readApiKey, requireApiKey } from "../../src/config/api-key.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import type { CompactError } from "../../src/errors.ts";
import { configFile, failureOf } from "./config-folder.ts";

const load = (summarizer: object) => loadConfig({ file: configFile(JSON.stringify({ summarizer })), env: {} });

describe("the summarizer of a file", () => {
  it.each([
    [{ type: "anthropic" }, "summarizer.model must be given for the type anthropic"],
    [
      { type: "openai-compatible", base_url: "http://localhost/v1" },
      "summarizer.model must be given for the type openai",
    ],
    [{ model: "gpt-4o-mini" }, "summarizer.type must be given with a model: openai-compatible or anthropic"],
    [{ base_url: "https://example.com" }, "summarizer.type must be given with a model"],
    [{ type: "openai" }, "summarizer.type must be one of: extractive, openai-compatible, anthropic"],
    [{ timeout_ms: 0 }, "summarizer.timeout_ms must be a whole number from 100"],
    [{ temperature: 3 }, "summarizer.temperature must be a number from 0 to 2"],
    [{ seed: -1 }, "summarizer.seed must be a whole number from 0"],
    [{ language: "" }, "summarizer.language must not be empty"],
  ])("refuses %j", async (summarizer, expected) => {
    expect(await failureOf(load(summarizer))).toContain(expected);
  });

  it("may keep a model's keys while it is extractive by name, and settings alone", async () => {
    const extractive = { type: "extractive", model: "gpt-4o-mini", base_url: "http://localhost:1/v1" };
    expect((await load(extractive)).config.summarizer).toMatchObject({ type: "extractive", model: "gpt-4o-mini" });
    expect((await load({ seed: 1 })).config.summarizer).toEqual({ seed: 1 });
  });

  it.each([
    "https://api.example.com/v1",
    "http://localhost:11434/v1",
    "http://127.0.0.1:8000",
    "http://[::1]:8000/v1",
    "http://[fd12:3456::1]/v1",
    "http://0.0.0.0:8000",
    "http://10.1.2.3/v1",
    "http://172.31.0.1/v1",
    "http://192.168.1.5:1234/v1",
    "http://100.100.1.1/v1",
    "http://ollama:11434",
    "http://gpu.local/v1",
    "http://host.docker.internal:8080/v1",
  ])("may be at %s", async (address) => {
    const { config } = await load({ type: "openai-compatible", model: "m", base_url: address });
    expect(config.summarizer?.baseUrl).toBe(address);
  });

  it.each([
    ["http://example.com/v1", "must begin with https"],
    ["http://172.32.0.1/v1", "must begin with https"],
    ["http://8.8.8.8/v1", "must begin with https"],
    ["http://169.254.169.254/latest", "must begin with https"],
    ["http://localhost.example.com/v1", "must begin with https"],
    ["http://10.0.0.1.example.com/v1", "must begin with https"],
    ["http://[2001:db8::1]/v1", "must begin with https"],
    ["ftp://localhost/v1", "must be an http or https address"],
    ["file:///etc/passwd", "must be an http or https address"],
    ["localhost:11434", "must be an http or https address"],
    ["", "must not be empty"],
    ["https://me:secret-word@example.com/v1", "must not hold a user name or a key"],
    ["https://example.com/v1?key=secret-word", "must end before ? and #"],
  ])("may not be at %s", async (address, expected) => {
    const message = await failureOf(load({ type: "openai-compatible", model: "m", base_url: address }));
    expect(message).toContain(`summarizer.base_url ${expected}`);
    expect(message).not.toContain("secret-word");
  });
});

describe("the key", () => {
  const env = { OPENAI_API_KEY: "sk-openai", ANTHROPIC_API_KEY: "sk-anthropic" };

  it("is the provider's own at the provider's own address, unless one is given for us", () => {
    expect(readApiKey({ type: "openai-compatible" }, env)).toBe("sk-openai");
    expect(readApiKey({ type: "openai-compatible", baseUrl: "https://api.openai.com/v1/" }, env)).toBe("sk-openai");
    expect(readApiKey({ type: "anthropic" }, env)).toBe("sk-anthropic");
    const ours = { ...env, COMPACT_SUMMARIZER_API_KEY: " sk-ours\n" };
    expect(readApiKey({ type: "openai-compatible" }, ours)).toBe("sk-ours");
    expect(readApiKey({ type: "extractive" }, ours)).toBeUndefined();
  });

  it.each([
    "http://localhost:11434/v1",
    "https://openrouter.example/v1",
    "https://api.openai.com.example/v1",
    "https://api.openai.com:8443/v1",
    "http://api.openai.com/v1",
    "https://api.anthropic.com/v1",
    "not an address",
  ])("of a provider never goes to %s", (baseUrl) => {
    expect(readApiKey({ type: "openai-compatible", baseUrl }, env)).toBeUndefined();
    expect(readApiKey({ type: "openai-compatible", baseUrl }, { ...env, COMPACT_SUMMARIZER_API_KEY: "k" })).toBe("k");
    expect(apiKeyVariables({ type: "openai-compatible", baseUrl })).toEqual(["COMPACT_SUMMARIZER_API_KEY"]);
  });

  it.each(["", " ", "two words", "line\nbreak", "schlüssel"])("%j is refused without being quoted", (key) => {
    const failure = () => readApiKey({ type: "anthropic" }, { COMPACT_SUMMARIZER_API_KEY: key });
    expect(failure).toThrow(/COMPACT_SUMMARIZER_API_KEY (?:is empty|holds a space)/);
    expect(failure).not.toThrow(/two words|schlüssel/);
  });

  it("is missed where the provider would refuse every call, and only there", () => {
    expect(() => requireApiKey({ type: "anthropic" }, {})).toThrow(/summarizer anthropic has no API key/);
    try {
      requireApiKey({ type: "openai-compatible" }, { OPENAI_API_KEY: "" });
      expect.unreachable();
    } catch (error) {
      expect((error as CompactError).hint).toMatch(/COMPACT_SUMMARIZER_API_KEY or OPENAI_API_KEY/);
    }
    expect(requireApiKey({ type: "openai-compatible", baseUrl: "http://localhost:11434/v1" }, {})).toBeUndefined();
  });
});
