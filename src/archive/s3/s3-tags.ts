// The tags of an object, by which a bucket's own lifecycle rules can tell transcripts from summaries, and one team's
// archive from another's.
import { nameOf } from "./s3-failure.ts";
import { KIND_TAG } from "./s3-settings.ts";

/** As the header takes them. */
function tagsOf(name: string, tags: Readonly<Record<string, string>>): string {
  return new URLSearchParams({ ...tags, [KIND_TAG]: kindOf(name) }).toString().replaceAll("+", "%20");
}

function kindOf(name: string): "transcript" | "summary" | "state" {
  if (name.startsWith("transcript-")) return "transcript";
  return name.startsWith("summary-") ? "summary" : "state";
}

export interface Tagger {
  /**
   * Writes with the tags of a file's name. Some stores know no tags at all: there the kind is left away, for good; tags that
   * somebody asked for are not.
   */
  write(name: string, send: (tagging: string | undefined) => Promise<void>): Promise<void>;
}

export function createTagger(tags: Readonly<Record<string, string>> = {}): Tagger {
  const isAsked = Object.keys(tags).length > 0;
  let isKnown = true;
  return {
    async write(name, send) {
      if (!isKnown) return send(undefined);
      try {
        await send(tagsOf(name, tags));
      } catch (error) {
        if (isAsked || nameOf(error) !== "NotImplemented") throw error;
        await send(undefined);
        isKnown = false;
      }
    },
  };
}
