// The blocks that code writes into hand-written pages.
import { describe, expect, it } from "vitest";
import { replaceBlock } from "../../scripts/generated-pages.ts";

describe("replacing a block", () => {
  const page = "# Title\n\n<!-- layers:start -->\nold\n<!-- layers:end -->\n\nText.\n";

  it("changes only what stands between the markers, and the second time nothing", () => {
    const replaced = replaceBlock(page, "layers", "new");
    expect(replaced).toBe("# Title\n\n<!-- layers:start -->\nnew\n<!-- layers:end -->\n\nText.\n");
    expect(replaceBlock(replaced, "layers", "new")).toBe(replaced);
  });

  it("throws when a marker is missing", () => {
    expect(() => replaceBlock(page.replace("layers:end", "other:end"), "layers", "new")).toThrow(/markers/);
    expect(() => replaceBlock("# Title\n", "layers", "new")).toThrow(/markers/);
  });
});
