// The examples of the frameworks that only e2e/ installs; the others run in test/examples.
import { it } from "vitest";

it.each(["langchain", "mastra"])(
  "%s",
  async (name) => {
    await import(`./${name}/example.ts`);
  },
  60_000,
);
