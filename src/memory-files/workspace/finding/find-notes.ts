// Which files are notes: those of `memory/` that are named after a day, or those that a pattern names. Their order, and the
// day of each.
import type { UnreadFile } from "../../memory-file.ts";
import { inAdvance } from "../in-advance.ts";
import { locate, locateFolder, locateListed, type Place, reasonOf, unreadable } from "../locate.ts";
import type { Root } from "../open-root.ts";
import type { NotePlace } from "../workspace.ts";
import type { Claims } from "./claims.ts";
import { dateOfDaily, firstDate } from "./note-dates.ts";
import { readGlob } from "./note-glob.ts";
import { walkFiles } from "./walk.ts";

const FOLDER = "memory";
const AHEAD = { width: 16 };

/** Where it stands, so that it is found again without asking where its name leads. */
export type FoundNote = NotePlace & Place;

export interface FoundNotes {
  readonly notes: readonly FoundNote[];
  readonly unread: readonly UnreadFile[];
}

interface NoteName {
  readonly file: string;
  readonly date: string | undefined;
}

/** `taken` are names that are something else. @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`, `TOO_MANY_FILES`). */
export async function findNotes(
  root: Root,
  glob: string | undefined,
  taken: ReadonlySet<string>,
  claims: Claims,
): Promise<FoundNotes> {
  const { names, unread } = glob === undefined ? await dailyNames(root, taken) : await matchingNames(root, glob);
  const places: (NoteName & Place)[] = [];
  const refused: UnreadFile[] = [];
  const free = names.filter(({ file }) => !taken.has(file));
  const look = createLook(root);
  for await (const { name, place } of inAdvance(
    free,
    async (name) => ({ name, place: await look(name.file) }),
    AHEAD,
  )) {
    if (place === undefined) continue;
    if ("code" in place) refused.push(place);
    else places.push({ ...place, ...name });
  }
  const notes: FoundNote[] = [];
  // A link must not take its place from the file itself, whose name says which day it is of.
  for (const place of [...places.filter(({ isLink }) => !isLink), ...places.filter(({ isLink }) => isLink)]) {
    const claimed = claims.claim(place);
    if (claimed === undefined) continue;
    if ("code" in claimed) refused.push(claimed);
    else notes.push(claimed);
  }
  return { notes: notes.sort(byDate), unread: [...unread, ...refused] };
}

/** Where each folder really is gets asked once. */
function createLook(root: Root): (file: string) => Promise<Place | UnreadFile | undefined> {
  const folders = new Map<string, Promise<string | undefined>>();
  const realOf = (folder: string): Promise<string | undefined> => {
    const real = folders.get(folder) ?? root.fs.promises.realpath(root.absolute(folder)).catch(() => undefined);
    folders.set(folder, real);
    return real;
  };
  return async (file) => {
    const folder = await realOf(file.slice(0, Math.max(0, file.lastIndexOf("/"))));
    return folder === undefined ? locate(root, file) : locateListed(root, folder, file);
  };
}

interface FoundNames {
  readonly names: readonly NoteName[];
  readonly unread: readonly UnreadFile[];
}

/** Not of folders below. Those of other names are told, not passed over in silence. */
async function dailyNames(root: Root, taken: ReadonlySet<string>): Promise<FoundNames> {
  const folder = await locateFolder(root, FOLDER);
  if (folder === undefined) return { names: [], unread: [] };
  if ("code" in folder) return { names: [], unread: [folder] };
  try {
    const written = (await root.fs.promises.readdir(folder.real)).sort();
    const names = written.flatMap((name) => {
      const date = dateOfDaily(name);
      return date === undefined ? [] : [{ file: `${FOLDER}/${name}`, date }];
    });
    const others = written.filter((name) => /\.md$/i.test(name) && dateOfDaily(name) === undefined);
    const passedOver = others.filter((name) => !taken.has(`${FOLDER}/${name}`));
    return { names, unread: passedOver.length === 0 ? [] : [withoutDay(passedOver)] };
  } catch (cause) {
    return { names: [], unread: [unreadable(FOLDER, reasonOf(cause))] };
  }
}

function withoutDay({ length }: readonly string[]): UnreadFile {
  const message = `${length} named after no day: --notes-glob "${FOLDER}/*.md" takes ${length === 1 ? "it" : "all"} in.`;
  return { file: `${FOLDER}/*.md`, code: "NO_DAY_IN_NAME", message };
}

async function matchingNames(root: Root, glob: string): Promise<FoundNames> {
  const { base, isMatch } = await readGlob(glob);
  const { files, unread } = await walkFiles(root, base, isMatch);
  const names = files.map((file) => ({ file, date: firstDate(file) }));
  return { names, unread };
}

/** Those without a date last; by code units, so that no locale changes it. */
function byDate(a: NotePlace, b: NotePlace): number {
  const [first, second] = [a, b].map(({ date = "9999-99-99", file }) => `${date} ${file}`) as [string, string];
  return first < second ? -1 : first > second ? 1 : 0;
}
