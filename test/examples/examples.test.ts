// The examples assert what they show; running them is the test.
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements/verifies.ts";

describe("examples", () => {
  it("compact-a-conversation", async () => {
    await import("../../examples/compact-a-conversation.ts");
  });

  it("compact-memory-files", async () => {
    await import("../../examples/compact-memory-files.ts");
  });

  it("trace-and-archive", async () => {
    await import("../../examples/trace-and-archive.ts");
  });

  it("coding-session and long-research, besides the smallest one", async () => {
    verifies("conversation/integration-examples");
    await import("../../examples/coding-session.ts");
    await import("../../examples/long-research.ts");
    expect(existsSync("examples/agents-sdk-minimal.ts")).toBe(true);
  }, 180_000);

  // Each loads a framework, and runs a long task through it.
  it.each(["ai", "anthropic", "openai", "openai-agents"])(
    "integrations/%s",
    async (name) => {
      await import(`../../examples/integrations/${name}.ts`);
    },
    180_000,
  );

  it.each(["format", "archive", "sink", "summarizer"])("extend/%s", async (name) => {
    await import(`../../examples/extend/${name}.ts`);
  });

  it("summaries-by-a-model", async () => {
    await import("../../examples/summaries-by-a-model.ts");
  });
});
