// One file has one name here, though links and hard links give it several: the first that claims it.
import type { UnreadFile } from "../../memory-file.ts";
import type { Place } from "../locate.ts";

export interface Claims {
  /** The place itself, or why it is not read; undefined where this very name was claimed before. */
  claim<Found extends Place>(place: Found | UnreadFile): Found | UnreadFile | undefined;
}

export function createClaims(): Claims {
  const owners = new Map<string, string>();
  return {
    claim(place) {
      if ("code" in place) return place;
      const { file, identity } = place;
      const owner = owners.get(identity);
      if (owner === file) return undefined;
      if (owner !== undefined) return { file, code: "SAME_FILE", message: `It is the same file as ${owner}.` };
      owners.set(identity, file);
      return place;
    },
  };
}
