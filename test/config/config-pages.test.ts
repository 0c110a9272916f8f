// The template, the JSON Schema and the reference page say what the schema says.
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { renderConfigurationPage } from "../../scripts/configuration-page.ts";
import { configJsonSchema, configTemplate } from "../../src/config/describe-config.ts";
import { listConfigFields } from "../../src/config/file-schema.ts";
import { loadConfig } from "../../src/config/load-config.ts";

import { DEFAULT_POLICY } from "../../src/conversation/policy.ts";
import { configFile } from "./config-folder.ts";

interface JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly default?: unknown;
  readonly description?: string;
}

const fields = listConfigFields();

describe("the template", () => {
  it("changes nothing as it is written", async () => {
    const { config } = await loadConfig({ file: configFile(configTemplate()), env: {} });
    const blocks = [
      "policy",
      "redaction",
      "summarizer",
      "storage",
      "telemetry",
      "observations",
      "memoryFiles",
      "mcp",
      "proxy",
      "memory",
    ];
    expect(config).toEqual({
      version: "1.0",
      ...Object.fromEntries(blocks.map((block) => [block, {}])),
      storage: { retention: {} },
      decisions: { policy: { thresholds: {} } },
    });
  });

  it("is valid with every key switched on, and shows the defaults", async () => {
    // A decision log is a folder or a database, and a KMS key is refused where files lie on disk.
    const template = configTemplate()
      .replace("  # dir: ", "  # directory: ")
      .replace("  # adapter: fs", "  # adapter: s3");
    const commented = template.replace(
      /^( *)# ((?:[a-z_*0-9-]+: ?.*|models:.*))$/gm,
      (line, indent: string, rest: string) =>
        fields.some(({ path }) => rest.startsWith(`${path.at(-1)?.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}: `))
          ? `${indent}${rest}`
          : line,
    );
    const { config } = await loadConfig({ file: configFile(commented), env: {} });
    const { targetPct, targetTokens, triggerTokens, preparePct, prepareTokens, maxRequestBytes, ...rest } =
      config.policy ?? {};
    const off = [targetPct, targetTokens, triggerTokens, preparePct, prepareTokens, maxRequestBytes];
    expect(rest).toEqual(DEFAULT_POLICY);
    expect(off.every((value) => value !== undefined)).toBe(true);
    expect(config.summarizer).toMatchObject({ type: "extractive", timeoutMs: 30_000, temperature: 0, seed: 42 });
  });

  it("shows entries of models that are valid", async () => {
    const lines = configTemplate().split("\n");
    const models = lines.slice(lines.indexOf("# models:")).map((line) => line.slice(2));
    const { config } = await loadConfig({ file: configFile(models.join("\n")), env: {} });
    expect(config.models).toEqual({
      "gpt-4o-mini": { reservedOutputTokens: 4000 },
      "claude*": { maxContextTokens: 200_000, policy: { triggerPct: 0.8 } },
    });
    expect(parse(models.join("\n"))).toHaveProperty("models");
  });
});

describe("the JSON Schema", () => {
  const schema = configJsonSchema() as unknown as JsonSchema;

  it("has every key as a file writes it, with meaning and default, and no other", () => {
    for (const { name, meaning, default: value } of fields) {
      const found = name.split(".").reduce<JsonSchema | undefined>((inner, key) => inner?.properties[key], schema);
      expect(found?.description, name).toContain(meaning);
      expect(found?.default, name).toEqual(value);
    }
    expect(schema.additionalProperties).toBe(false);
    expect(schema.properties.policy?.additionalProperties).toBe(false);
    expect(Object.keys(schema.properties.storage?.properties ?? {})).toEqual([
      "adapter",
      "path",
      "required",
      "compression",
      "bucket",
      "prefix",
      "kms_key_id",
      "region",
      "endpoint",
      "timeout_ms",
      "tags",
      "retention",
    ]);
    expect(JSON.stringify(schema)).not.toMatch(/triggerPct|otlpUrl|"note"/);
  });

  it("takes any name below models, with limits and policy", () => {
    const entry = schema.properties.models?.additionalProperties as JsonSchema;
    expect(Object.keys(entry.properties)).toEqual(["max_context_tokens", "reserved_output_tokens", "policy"]);
    expect(entry.properties.policy?.properties).toHaveProperty("trigger_tokens");
  });
});

describe("the reference page", () => {
  it("has a line for each key, with its variable", () => {
    const page = renderConfigurationPage();
    for (const { path, variable = "", meaning } of fields) {
      const line = page.split("\n").find((text) => text.includes(`\`${variable}\``) && text.endsWith(`${meaning} |`));
      if (variable !== "") expect(line, path.join(".")).toBeDefined();
    }
    expect(page).toMatch(/`otlp_url`.*`COMPACT_TELEMETRY_OTLP_URL`/);
  });

  it("gives every key a meaning and a range", () => {
    for (const { name, meaning, expected } of fields) {
      expect(meaning, name).toMatch(/\.$/);
      expect(expected, name).not.toBe("");
    }
  });
});
