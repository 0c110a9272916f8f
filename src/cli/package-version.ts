// The version of this package. It stands here because the way to package.json is the same from the sources and from the
// built program: two folders up.
import { readFileSync } from "node:fs";

export function packageVersion(): string {
  const file = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return String((JSON.parse(file) as { version?: unknown }).version);
}
