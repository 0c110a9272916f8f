// The one place that chooses how SQLite is reached: Node's own where it is good enough, else the optional package.
import { CompactError } from "../../errors.ts";
import { loadBetterSqlite3Driver } from "../better-sqlite3-driver.ts";
import type { Driver } from "../driver.ts";
import { loadNodeSqliteDriver } from "../node-sqlite-driver.ts";

/** @throws MissingDependency where neither can be loaded: says what to install or which Node to use. */
export async function findDriver(): Promise<Driver> {
  const own = await loadNodeSqliteDriver();
  if (own !== undefined) return own;
  try {
    return await loadBetterSqlite3Driver();
  } catch (cause) {
    throw missingDriver(cause);
  }
}

function missingDriver(cause: unknown): CompactError {
  const isAbsent = (cause as { code?: unknown } | null)?.code === "ERR_MODULE_NOT_FOUND";
  const why = isAbsent ? "better-sqlite3 is not installed" : "better-sqlite3 does not load in this Node";
  return new CompactError("MissingDependency", `no SQLite: this Node brings none, and ${why}`, {
    code: "NO_SQLITE",
    hint: isAbsent
      ? "Use Node 22.13 or later, or run `npm install better-sqlite3`."
      : "Use Node 22.13 or later, or run `npm rebuild better-sqlite3` with this Node.",
    data: { package: "better-sqlite3" },
    cause,
  });
}
