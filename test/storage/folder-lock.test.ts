import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { takeFolderLock } from "../../src/storage/folder-lock.ts";

const UNRUN = fileURLToPath(new URL("../../node_modules/unrun/dist/cli.mjs", import.meta.url));

function requestOf(folder = mkdtempSync(join(tmpdir(), "lock-"))) {
  const error = (code: string) => new CompactError("Conflict", code, { code });
  return {
    folder,
    lock: join(folder, "lock"),
    owner: join(folder, "writer"),
    busy: () => error("BUSY"),
    lost: () => error("LOST"),
    failed: () => error("FAILED"),
  };
}

describe("a lock on a folder", () => {
  it("is held by one at a time, those of one process in the order in which they came", async () => {
    const request = requestOf();
    const order: string[] = [];
    const work = async (name: string) => {
      const lock = await takeFolderLock(request);
      lock.check();
      order.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 3));
      order.push(`${name} ends`);
      await lock.release();
    };
    const names = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(names.map(work));
    expect(order).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect(readdirSync(request.folder)).toEqual(["writer"]);
  });

  it("is taken over where it was left behind long ago", async () => {
    const request = requestOf();
    mkdirSync(request.lock);
    const long = new Date(Date.now() - 60_000);
    utimesSync(request.lock, long, long);
    const lock = await takeFolderLock(request);
    lock.check();
    await lock.release();
    expect(existsSync(request.lock)).toBe(false);
  });

  // A process that lives and does nothing would be waited for, for 10 seconds.
  it("is taken over at once where its holder was killed, and from nobody who lives", { timeout: 8_000 }, async () => {
    const request = requestOf();
    const program = fileURLToPath(new URL("hold-lock.ts", import.meta.url));
    const holder = spawn(process.execPath, [UNRUN, program, request.folder], { stdio: ["ignore", "pipe", "inherit"] });
    const [pid] = (await once(holder.stdout, "data")) as [Buffer];
    let isTaken = false;
    const next = takeFolderLock(request).then((lock) => {
      isTaken = true;
      return lock;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isTaken).toBe(false);
    process.kill(Number(pid.toString()), "SIGKILL");
    const lock = await next;
    lock.check();
    // Of the dead one nothing is left that could be taken for the new one's.
    const { made } = JSON.parse(readFileSync(request.owner, "utf8")) as { made: string };
    expect(made).toContain(`${statSync(request.lock).ino}`);
    await lock.release();
  });

  it("tells whoever lost it, and is not removed by them", async () => {
    const request = requestOf();
    const lock = await takeFolderLock(request);
    writeFileSync(request.owner, "another");
    expect(() => lock.check()).toThrow("LOST");
    await lock.release();
    expect(existsSync(request.lock)).toBe(true);
  });

  it("fails by the caller's word where the folder cannot be locked, and the next one gets its turn", async () => {
    const request = requestOf();
    await expect(takeFolderLock({ ...request, folder: join(request.folder, "none") })).rejects.toThrow("FAILED");
    mkdirSync(request.owner);
    await expect(takeFolderLock(request)).rejects.toThrow("FAILED");
    const lock = await takeFolderLock({ ...request, owner: join(request.folder, "other") });
    await lock.release();
    expect(existsSync(request.lock)).toBe(false);
  });
});
