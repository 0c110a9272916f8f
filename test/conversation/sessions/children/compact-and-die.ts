// Compacts a session in a folder archive and kills itself, as a power cut would, right after the named operation.
// Arguments: the archive's folder, the operation, "before" or "after".
import { type Archive, CompactManager, createFsArchive } from "../../../../src/index.ts";
import { turns, user } from "../../support.ts";

const [path = "", operation = "", moment = "after"] = process.argv.slice(2);
const archive = createFsArchive({ path });

const dying = new Proxy(archive, {
  get(target, name) {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== "function") return member;
    return async (...given: unknown[]) => {
      if (name === operation && moment === "before") process.kill(process.pid, "SIGKILL");
      const result: unknown = await Reflect.apply(member, target, given);
      if (name === operation) process.kill(process.pid, "SIGKILL");
      return result;
    };
  },
}) as Archive;

await new CompactManager({ archive: dying }).manualCompact("s", [...turns(12), user("go on")]);
process.stdout.write("survived\n");
