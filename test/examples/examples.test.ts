// The examples assert what they show; running them is the test.
import { describe, it } from "vitest";

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

  it.each(["format", "archive", "sink", "summarizer"])("extend/%s", async (name) => {
    await import(`../../examples/extend/${name}.ts`);
  });

  it("summaries-by-a-model", async () => {
    await import("../../examples/summaries-by-a-model.ts");
  });
});
