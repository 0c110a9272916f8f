// Names that are tied to a role or a duty: as identifiers, and as values that a later person replaces.
import { describe, expect, it } from "vitest";
import { findIdentifiers } from "../../src/facts/identifiers/find-identifiers.ts";
import { extractValues } from "../../src/facts/kinds/values.ts";
import { said } from "./spoken-messages.ts";

const people = (text: string) =>
  findIdentifiers(text, "spoken").flatMap(({ form, value }) => (form === "person" ? [value] : []));
const ties = (...texts: readonly string[]) =>
  extractValues(said(texts.map((text) => ["assistant", text]))).map(({ key, value, supersededBy }) => [
    key,
    value,
    supersededBy === undefined,
  ]);

describe("people", () => {
  it.each([
    ["Nora Feldt signs off on every release.", "Nora Feldt"],
    ["The person to ask about invoices is Nora Feldt.", "Nora Feldt"],
    ["Nora Feldt, who runs the help desk, has the keys.", "Nora Feldt"],
    ["Ask Nora about the budget.", "Nora"],
    ["Our accountant Nora Feldt knows.", "Nora Feldt"],
    ["My name is Nora Feldt.", "Nora Feldt"],
    ["Für die Freigabe ist Nora Feldt zuständig.", "Nora Feldt"],
    ["Nora Feldt se encarga de las facturas.", "Nora Feldt"],
    ["C'est Nora Feldt qui s'occupe des factures.", "Nora Feldt"],
    ["Nora Feldt cuida da cobrança.", "Nora Feldt"],
    ["账单由林知夏负责。", "林知夏"],
  ])("%s", (text, name) => {
    expect(people(text)).toContain(name);
  });

  it.each([
    "Google Cloud runs the job.",
    "Print Mode (simplest)",
    "author: True",
    "import type { Agent, AgentEvent } from there",
    "As a customer, I'd like to know.",
    "Unit Test runs the code.",
    "The Session Manager handles this.",
  ])("nobody: %s", (text) => {
    expect(people(text)).toEqual([]);
  });

  it("ties the name to what is said of it, and a later person replaces the earlier", () => {
    expect(ties("Nora Feldt signs off on releases.")).toEqual([["signs off on releases", "Nora Feldt", true]]);
    expect(ties("Für die Freigabe ist Nora Feldt zuständig.", "Für die Freigabe ist Emil Brandt zuständig.")).toEqual([
      ["Für die Freigabe ist … zuständig", "Nora Feldt", false],
      ["Für die Freigabe ist … zuständig", "Emil Brandt", true],
    ]);
  });
});
