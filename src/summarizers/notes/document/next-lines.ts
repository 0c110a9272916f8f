// What notes said was still to be done, where it is no task with a box: a line a note. Said of the time of the note;
// whether it was done since is for the reader.
import { normalWords } from "../../../facts/language/normal-words.ts";
import { closed, type ReadDocument, textOfPart } from "./document-part.ts";
import { kindOf } from "./heading-kinds.ts";
import { chooseInRounds } from "./shared-rounds.ts";
import type { Standing } from "./standing-lines.ts";

const TITLE = "## Next steps";

interface Step {
  readonly at: number;
  readonly text: string;
  readonly sentences: readonly string[];
}

interface Queue {
  readonly label: string;
  readonly waiting: Step[];
  readonly chosen: Step[];
}

/** `room` in tokens, of all lines. */
export function nextLines(
  documents: readonly ReadDocument[],
  { room, count }: { readonly room: number; readonly count: (text: string) => number },
): Omit<Standing, "leftOut"> {
  const known = new Set<string>();
  // The last note that says it is the one to cite.
  const queues = documents
    .toReversed()
    .map(
      (document): Queue => ({
        label: document.note.label,
        chosen: [],
        waiting: stepsIn(document).filter(({ text }) => {
          const key = normalWords(text);
          return key !== "" && !known.has(key) && known.add(key);
        }),
      }),
    )
    .reverse();
  chooseInRounds<Step, Queue>(queues, room - count(`${TITLE}\n`), ({ text }, { label, chosen }) =>
    count(chosen.length === 0 ? `- [${label}] ${text}\n` : `; ${text}`),
  );
  const lines = queues.flatMap(({ label, chosen }) => {
    const steps = chosen.toSorted((a, b) => a.at - b.at);
    const text = steps.reduce((line, step) => (line === "" ? step.text : `${closed(line, "; ")}${step.text}`), "");
    return text === "" ? [] : [`- [${label}] ${text}`];
  });
  return {
    lines: lines.length === 0 ? [] : [TITLE, ...lines],
    told: queues.flatMap(({ chosen }) => chosen.flatMap(({ sentences }) => sentences)),
  };
}

function stepsIn({ parts }: ReadDocument): Step[] {
  return parts
    .filter(({ kind, isSum }) => kind === "next" && !isSum)
    .map((part) => {
      const lead = part.lead === "" || kindOf(part.lead) === "next" ? "" : `${part.lead} `;
      return { at: part.at, text: `${lead}${textOfPart(part)}`, sentences: part.sentences };
    });
}
