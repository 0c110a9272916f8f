// Words on which a fact turns, by what they turn: for saying in what two texts differ, and for seeing that a heading
// takes back what stands below it. Two texts never say the same because a word is missing here: any other word parts
// them as well.

export type Cue = "negation" | "modality" | "direction" | "task";

const CUES: Readonly<Record<Cue, string>> = {
  negation: `not no never none nothing nobody neither nor without except unless instead ! ~~
    allowed forbidden disallowed prohibited permitted denied enable enabled disable disabled on off true false yes
    success successful failed failure valid invalid safe unsafe supported unsupported known unknown
    reject rejected accept accepted deprecated obsolete superseded abandoned wrong avoid stop stopped
    nunca no sin jamás ningún ninguna nada tampoco prohibido permitido activado desactivado falso verdadero
    não nao sem nenhum nenhuma nem proibido permitido ativado desativado
    nicht nie niemals kein keine keinen keinem keiner ohne weder verboten erlaubt aktiviert deaktiviert falsch wahr
    ne pas jamais sans aucun aucune ni interdit autorisé activé désactivé faux vrai
    不 没 無 无 非 未 勿 別 别 禁 莫 否 ん ぬ ず`,
  modality: `must may might should shall can could would will need needs required optional recommended always sometimes only
    debe debería puede podría siempre solo deve deveria pode poderia sempre só
    muss müssen soll sollte sollen darf dürfen kann könnte immer nur doit devrait peut pourrait toujours seulement
    必 须 應 应 可 能 べ`,
  direction: `before after more less min max minimum maximum least most up down increase increased decrease decreased raise lower
    above below over under from to into in out left right first last earlier later faster slower greater fewer source target
    < > <= >= -> <- antes después más menos mayor menor desde hasta depois mais até maior vor nach mehr weniger von bis avant
    après plus moins 前 后 後 上 下 多 少 增 减 減`,
  task: `todo fixme [ ] [x] pending done open closed finished unfinished action follow-up tarea pendiente hecho tarefa offen erledigt
    aufgabe tâche fait 待 办 辦 完`,
};

const BY_WORD: ReadonlyMap<string, Cue> = new Map(
  (["task", "direction", "modality", "negation"] as const).flatMap((cue) =>
    `${CUES[cue]}`
      .replaceAll("[ ]", "[_]")
      .split(/\s+/u)
      .map((word) => [word.replace("[_]", "[ ]"), cue] as const),
  ),
);

export function cueOf(token: string): Cue | undefined {
  return BY_WORD.get(token);
}

/** Headings under which nothing stands that holds, or not for everybody. */
const DISCARDING = new Set(
  `old former formerly previous previously outdated draft proposed proposal rejected ideas maybe if when until example examples
  alternative alternatives considered discarded history changelog archive archived viejo antiguo alt veraltet ancien`.split(
    /\s+/u,
  ),
);

/** A heading or item that may take back, or make conditional, what stands below it. */
export function mayTakeBack(tokens: readonly string[]): boolean {
  return tokens.some(
    (token) => BY_WORD.get(token) === "negation" || DISCARDING.has(token) || token === "?" || token === "[ ]",
  );
}
