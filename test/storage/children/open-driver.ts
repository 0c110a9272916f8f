// Says which driver is found and what its SQLite answers, or what the error says.
import { CompactError } from "../../../src/errors.ts";
import { findDriver } from "../../../src/storage/sqlite/open-database.ts";

process.emitWarning("still heard", "ExperimentalWarning");
try {
  const driver = await findDriver();
  const database = driver.open(":memory:");
  process.stdout.write(JSON.stringify({ name: driver.name, answer: database.prepare("SELECT 1 AS one").get()?.one }));
  database.close();
} catch (error) {
  if (!CompactError.isInstance(error)) throw error;
  process.stdout.write(JSON.stringify({ kind: error.kind, message: error.message, hint: error.hint }));
}
