// Cells of a table: safe to print, in a colour where one is given.
import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import { renderTable } from "../../../src/cli/render.ts";

const colors = picocolors.createColors(true);

describe("a table", () => {
  it("paints a cell after it is made safe, and cuts what it says, not its colour", () => {
    const cell = { text: "a\u001b[2Jb long text", paint: colors.red };
    const table = renderTable([{ title: "x", width: 8 }, { title: "y" }], [[cell, "z"]], colors);
    expect(table).toContain("\u001b[31ma [2Jb …\u001b[39m");
    expect(table).not.toContain("\u001b[2J");
  });

  it("takes a colour out of a text that brings one", () => {
    expect(renderTable([{ title: "x" }], [["\u001b[31mred"]], colors)).not.toContain("\u001b[31m");
  });
});
