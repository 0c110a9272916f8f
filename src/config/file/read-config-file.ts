// A configuration file's text. Refuses what can only be a mistake: a folder, another encoding, a megabyte.
import { CompactError } from "../../errors.ts";

/** Bytes. Far above any configuration, far below what stalls a parser. */
export const LARGEST_FILE = 1_000_000;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is no folder",
  EACCES: "reading it is not allowed",
  EPERM: "reading it is not allowed",
  ELOOP: "its links point at each other",
  ENAMETOOLONG: "the path is too long",
};

/** `label` is how messages name it. Throws `NotFound` when it cannot be opened, `InvalidConfig` for its content. */
export async function readConfigFile(path: string, label: string): Promise<string> {
  const bytes = await readBytes(path, label);
  if (bytes.length > LARGEST_FILE) throw refused(label, "is larger than 1 MB, which no configuration is");
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw refused(label, "is UTF-16 text; it must be UTF-8");
  if (bytes.includes(0)) throw refused(label, "is not text: it holds NUL bytes");
  try {
    // Leaves the byte order mark out.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refused(label, "is not valid UTF-8");
  }
}

/** At most one byte more than may be, so that a pipe or a device ends too. */
async function readBytes(path: string, label: string): Promise<Uint8Array> {
  const { open } = await import("node:fs/promises");
  try {
    const handle = await open(path, "r");
    try {
      if ((await handle.stat()).isDirectory()) throw refused(label, "is a directory; name the file in it");
      return await readUpTo(handle, LARGEST_FILE + 1);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (CompactError.isInstance(cause)) throw cause;
    const code = (cause as { code?: unknown }).code;
    const reason = REASONS[String(code)] ?? String(code ?? "unknown reason");
    throw new CompactError("NotFound", `The configuration file ${label} cannot be read: ${reason}.`, {
      hint: "Check the path given to --config.",
      cause,
    });
  }
}

interface Readable {
  read(buffer: Uint8Array, offset: number, length: number): Promise<{ readonly bytesRead: number }>;
}

async function readUpTo(handle: Readable, most: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(most);
  let filled = 0;
  while (filled < most) {
    const { bytesRead } = await handle.read(buffer, filled, most - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function refused(label: string, what: string): CompactError {
  return new CompactError("InvalidConfig", `${label} ${what}.`, {
    code: "UNREADABLE_CONFIG",
    hint: "Give a YAML or JSON file, as `agent-compact config init` writes one.",
  });
}
