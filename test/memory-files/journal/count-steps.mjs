// Counts the steps by which files of one folder are changed, and calls out before each: patched into Node's own functions, so
// that nothing of ours knows. Reading is no step.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const STEPS = ["open", "rename", "link", "copyFile", "mkdir", "rm", "rmdir", "unlink", "writeFile", "chmod"];
const HANDLE_STEPS = ["appendFile", "writeFile", "sync", "chmod"];

/** `before(step, given)` runs before each step in `root`, `given` being its arguments; what it throws is what the step fails with. Returns how to stop it. */
export function countSteps(root, before) {
  const originals = STEPS.map((name) => [name, fs.promises[name]]);
  for (const [name, original] of originals) {
    fs.promises[name] = async (...given) => {
      const isOurs = given.some((each) => typeof each === "string" && each.startsWith(root));
      const isReading = name === "open" && given[1] !== "wx" && given[1] !== "w";
      if (!isOurs || isReading) return original.apply(fs.promises, given);
      before(name, given);
      const result = await original.apply(fs.promises, given);
      return name === "open" ? countingHandle(result, before) : result;
    };
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of originals) fs.promises[name] = original;
    syncBuiltinESMExports();
  };
}

function countingHandle(handle, before) {
  for (const name of HANDLE_STEPS) {
    const original = handle[name];
    handle[name] = async (...given) => {
      before(`${name} of a handle`);
      return original.apply(handle, given);
    };
  }
  return handle;
}
