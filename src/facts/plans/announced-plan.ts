// Follows the steps that the assistant announced: done when results came after them and somebody says so, or when
// the next one begins; in progress when work on them began; else not started.
import type { PlanFact, Source } from "../ledger.ts";
import { type Step, trackOf } from "./step-lists.ts";
import type { StepMention } from "./step-mentions.ts";

export const ANNOUNCED = "announced";

type Item = PlanFact["items"][number];

interface OpenStep {
  text: string;
  status: Item["status"];
  evidence: Source;
  /** The last result of work since it was announced or began. */
  workedAt: Source | undefined;
}

interface Track {
  steps: Map<number, OpenStep>;
  isLabelled: boolean;
  readonly announcedAt: Source;
  changedAt: Source;
  /** Results of work came since it was announced. */
  hasWork: boolean;
  /** Messages of the user since somebody spoke of it. */
  silence: number;
}

/** A plan without labels that nobody spoke of for so many messages of the user is history. */
const LONGEST_SILENCE = 3;

export class AnnouncedPlans {
  readonly #tracks = new Map<string, Track>();

  announce(steps: readonly Step[], source: Source): void {
    const [first] = steps;
    if (first === undefined) return;
    const known = this.#tracks.get(first.track);
    const track = newTrack(first.isLabelled, source);
    for (const { number, text, isDone } of steps) {
      const same = [...(known?.steps.values() ?? [])].find((step) => sameStep(step.text, text));
      const status = isDone ? "done" : (same?.status ?? "not_started");
      const evidence = same?.status === status ? same.evidence : source;
      track.steps.set(number, { text, status, evidence, workedAt: same?.workedAt });
    }
    this.#tracks.set(first.track, track);
  }

  /** A single step, with what it is about. */
  name({ track: name, number, text, isLabelled }: Step, source: Source): void {
    const track = this.#track(name, isLabelled, source);
    const known = track.steps.get(number);
    if (known === undefined)
      track.steps.set(number, { text, status: "not_started", evidence: source, workedAt: undefined });
    else if (known.text.length < text.length && text.startsWith(known.text)) known.text = text;
  }

  /** `isUser`: a user's word is enough; the assistant's needs results before it. */
  mention({ track: name, number, says }: StepMention, source: Source, isUser: boolean): void {
    const known = this.#tracks.get(name) ?? (this.#tracks.size === 1 ? [...this.#tracks.values()][0] : undefined);
    const track = known ?? this.#track(name, true, source);
    const step = track.steps.get(number) ?? this.#bareStep(track, name, number, source);
    if (says === "started") this.#start(track, number, step, source);
    else if (isUser || known === undefined || track.hasWork) change(track, step, "done", source);
  }

  allDone(source: Source): void {
    for (const track of this.#tracks.values()) {
      if (!track.hasWork) continue;
      for (const step of track.steps.values()) if (step.status !== "done") change(track, step, "done", source);
    }
  }

  /** Files were changed or commands were run, and the result is there. */
  work(source: Source): void {
    for (const track of this.#tracks.values()) {
      const steps = [...track.steps].sort(([one], [other]) => one - other).map(([, step]) => step);
      const current =
        steps.find(({ status }) => status === "in_progress") ?? steps.find(({ status }) => status === "not_started");
      if (current === undefined) continue;
      current.workedAt = source;
      track.hasWork = true;
      if (current.status === "not_started") change(track, current, "in_progress", source);
    }
  }

  userSpoke(): void {
    for (const [name, track] of this.#tracks) {
      track.silence += 1;
      if (!track.isLabelled && track.silence > LONGEST_SILENCE) this.#tracks.delete(name);
    }
  }

  /** `kept`: lists that tools keep. A bare numbered list that was then put into one is not told twice. */
  facts(kept: readonly PlanFact[]): readonly PlanFact[] {
    return [...this.#tracks.values()].flatMap(({ steps, changedAt, isLabelled, announcedAt }) => {
      if (!isLabelled && kept.some(({ source }) => isAfter(source, announcedAt))) return [];
      const items = [...steps]
        .sort(([one], [other]) => one - other)
        .map(([, { text, status, evidence }]): Item => ({ text, status, evidence }));
      const says = items.length > 1 || items.some(({ status }) => status !== "not_started");
      return says ? [{ kind: "plan", from: ANNOUNCED, items, source: changedAt } as const] : [];
    });
  }

  /** Whoever goes on to the next step is through with the one before, if results came. */
  #start(track: Track, number: number, step: OpenStep, source: Source): void {
    for (const [other, before] of track.steps) {
      if (other < number && before.status === "in_progress" && before.workedAt !== undefined)
        change(track, before, "done", before.workedAt);
    }
    if (step.status === "not_started") change(track, step, "in_progress", source);
  }

  #bareStep(track: Track, name: string, number: number, source: Source): OpenStep {
    const step: OpenStep = {
      text: `${name.charAt(0).toUpperCase()}${name.slice(1)} ${number}`,
      status: "not_started",
      evidence: source,
      workedAt: undefined,
    };
    track.steps.set(number, step);
    return step;
  }

  #track(name: string, isLabelled: boolean, source: Source): Track {
    const track = this.#tracks.get(name) ?? newTrack(isLabelled, source);
    this.#tracks.set(name, track);
    return track;
  }
}

function newTrack(isLabelled: boolean, source: Source): Track {
  return { steps: new Map(), isLabelled, announcedAt: source, changedAt: source, hasWork: false, silence: 0 };
}

function isAfter(one: Source, other: Source): boolean {
  return one.step > other.step || (one.step === other.step && one.message > other.message);
}

function change(track: Track, step: OpenStep, status: Item["status"], source: Source): void {
  step.status = status;
  step.evidence = source;
  track.changedAt = source;
  track.silence = 0;
}

/** The words of a step without its number and punctuation. */
export function stepWords(text: string): string {
  return text
    .replace(/^(?:\w{1,12} )?\d{1,3}[.:]?\s{0,3}/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function sameStep(one: string, other: string): boolean {
  const words = stepWords(one);
  return words !== "" && words === stepWords(other);
}

/** Track and number of an item as it is shown. */
export function stepKey(text: string): string | undefined {
  const match = /^(?:([A-Za-z]{1,12}) (\d{1,3})\b|(\d{1,3})\.)/.exec(text);
  return match === null ? undefined : `${trackOf(match[1])} ${match[2] ?? match[3]}`;
}
