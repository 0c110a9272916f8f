// Why a transaction could not be, in words: another process's lock, a file that is read-only, a call that comes too late.
import { CompactError } from "../../errors.ts";

export function busy(what: string, path: string, patience: number): CompactError {
  const seconds = Math.round(patience / 1000);
  return new CompactError("StoreFailed", `could not ${what}: ${path} is locked by another process for ${seconds} s`, {
    code: "STORE_BUSY",
    hint: "Another process is writing for long: try again, or end that process.",
    data: { path },
  });
}

export function readOnly(path: string): CompactError {
  return new CompactError("StoreFailed", `could not write to the database: ${path} is read-only`, {
    code: "STORE_READ_ONLY",
    hint: "Give this user write permission on the file and its folder, or copy the file elsewhere.",
    data: { path },
  });
}

export function closed(path: string): CompactError {
  return new CompactError("StoreFailed", `the database is closed: ${path}`, {
    code: "STORE_CLOSED",
    hint: "Open a store again before reading or writing.",
    data: { path },
  });
}

export function transactionOver(): CompactError {
  return new CompactError("StoreFailed", "nothing was read or written: the transaction is over", {
    code: "TRANSACTION_OVER",
    hint: "Wait for every call inside the export function given to read() or write().",
  });
}
