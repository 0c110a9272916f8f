// German cues. "nicht" and "nie" stand late, so a prohibition is an imperative with one of them, or an infinitive
// at the end of a sentence that has no subject.
import { any, clause, type Language, opening, words } from "./cues.ts";

const FILLERS = "bitte|und|aber|also|auch|ok|okay|denk dran|wichtig|hinweis|ja|nein|außerdem|dann|unbedingt";
const IMPERATIVE =
  "(?:fass|fasse|fasst|änder|ändere|ändert|editier|editiere|bearbeite|bearbeitet|lösch|lösche|löscht|committe|commite|commit|push|pushe|füg|füge|fügt|verwende|verwendet|benutz|benutze|benutzt|nutz|nutze|nutzt|nimm|nehmt|erstell|erstelle|erstellt|schreib|schreibe|schreibt|mach|mache|macht|installier|installiere|verschieb|verschiebe|rühr|rühre|rührt|lass|lasst|führ|führe|führt|starte|start|deploye|importier|importiere|ersetz|ersetze|entfern|entferne|überschreib|überschreibe|sag|sage|zeig|zeige|frag|frage|fragt|prüf|prüfe|teste|test|dokumentiere|formatiere|antworte|halt|halte|leg|lege|bau|baue|gib|geh|logge|speicher|speichere|umbenenne|benenne|refaktoriere|merge|rebase|aktualisiere|veröffentliche|setz|setze|ruf|rufe|warte|sprich|arbeite)";
const INFINITIVE = "(?:[a-zà-ÿœ]{2,}(?:en|ern|eln))";

export const german: Language = {
  name: "German",
  rules: {
    gate: /(?<![a-zà-ÿœ])(?:finger|ohne|nie|niemals|nichts?|kein|keine|keinen|verboten|untersagt|erlaubt|vermeide|in ruhe|auf keinen fall|ohne meine|immer|muss|musst|müssen|müsst|ab jetzt|ab sofort|von nun an|künftig|zukünftig|in zukunft|nur|ausschließlich|vor jedem|nach jedem|vor jeder|nach jeder|bei jedem|bei jeder|frag|frage|pflicht|zwingend|regeln?|vorgaben|richtlinien|vergiss|darfst|dürft|stets|grundsätzlich|tabu|bevor|vorher)(?![a-zà-ÿœ])|regeln/i,
    prohibitions: [
      clause(
        FILLERS,
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?.!]{0,100}?(?<![a-zà-ÿœ])(?:nicht|nie|niemals|keine[nmrs]?|kein)(?![a-zà-ÿœ])(?! (?:vergessen|nur))`,
        `(?:nie|niemals|nicht)\\s+[^?.!,]{1,80}?\\s${INFINITIVE}(?=[\\s.!,;:)]|$)`,
        `(?:nie|niemals)\\s+${INFINITIVE}`,
        `keine?[nr]?\\s+(?:neue[nr]?|weitere[nr]?|zusätzliche[nr]?|externe[nr]?)\\s+[a-zà-ÿœ]+`,
        `keine?[nr]?\\s+[^?.!,]{2,60}?\\s(?:hinzufügen|verwenden|benutzen|nutzen|ändern|anlegen|erstellen|einbauen|einführen|installieren|löschen|committen|schreiben)`,
        "(?:vermeide|vermeidet|vermeiden)\\s+\\S",
        `(?:nicht|nichts|nie|niemals)\\s+(?:[^?.!,]{1,60}\\s)?${INFINITIVE}(?=[.!)]*$)`,
        "finger weg von\\s+\\S",
        "(?:lass|lasst|lassen sie)\\s+(?:bitte\\s+)?die finger von\\s+\\S",
        "ohne\\s+[^?.!,]{2,60}?\\s(?:wird|werden|geht|kommt|kommen)\\s+(?:nichts|niemand|keine?[rns]?)(?![a-zà-ÿœ])",
        "lass(?:t|e)?\\s[^,.]{2,60}\\s(?:in ruhe|unverändert|so wie)",
      ),
      new RegExp(
        `^(?:bitte\\s|(?:die|den|das|am|an|im|in)\\s)(?:(?!weil|dass|wenn|ob|kann|können|konnte|will|wollen|wird|werden|soll|muss|hat|habe|ist|sind)[^?!,\\s]{1,60}\\s){1,10}(?:nicht|niemals|nie)\\s${INFINITIVE}[.!]*$`,
        "i",
      ),
      words(
        "(?:darfst|dürft|darf|dürfen|sollst|sollt|sollen) (?:du |ihr |man )?(?:[^?.!,]{0,60}? )?(?:nicht|nie|niemals|keine?[nr]?)",
        "(?:ist|sind|bleibt|bleiben) (?:[^?.!,]{0,30} )?(?:verboten|untersagt|tabu|nicht erlaubt|nicht gestattet)",
        "auf keinen fall",
        "unter keinen umständen",
        "ohne meine (?:zustimmung|erlaubnis|freigabe|bestätigung)",
      ),
    ],
    demands: [
      clause(
        FILLERS,
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?.!]{0,60}?(?<![a-zà-ÿœ])(?:immer|stets|grundsätzlich)(?![a-zà-ÿœ])`,
        `(?:immer|stets|grundsätzlich)\\s+(?:(?:zuerst|erst|vorher)\\s+)?[^?.!,]{1,80}?${INFINITIVE}(?=[\\s.!,;:)]|$)`,
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?.!]{0,40}?(?<![a-zà-ÿœ])(?:nur|ausschließlich)(?![a-zà-ÿœ]) \\S`,
        `(?:nur|ausschließlich)\\s+[^?.!,]{2,60}?\\s(?:verwenden|benutzen|nutzen|ändern|bearbeiten|anfassen)`,
        "[^?.!,]{2,60}?\\s(?:bitte|auch) (?:immer|stets|grundsätzlich)\\s+[^?.!]{2,60}[.!]*$",
        "(?:ab jetzt|ab sofort|von nun an|künftig|zukünftig|in zukunft|ab heute)\\s+\\S",
        `(?:frag|frage|fragt)(?: mich)?(?: (?:immer|bitte|erst|zuerst))?[^?]{0,40}?(?<![a-zà-ÿœ])(?:bevor|vorher|zuerst|vor)(?![a-zà-ÿœ])`,
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?]{0,80}?(?<![a-zà-ÿœ])(?:vor|nach|bei|mit|in|für|pro) jede[mrns]?(?![a-zà-ÿœ])`,
        `(?:vor|nach|bei|mit) jede[mrn]\\s[^?]{2,60}?(?:${IMPERATIVE}(?![a-zà-ÿœ])|${INFINITIVE}[.!]*$)`,
      ),
      words(
        "(?:du musst|ihr müsst) (?:immer |stets )?[^?.!]{2,100}",
        "(?:muss|müssen) (?:immer |stets |zwingend )?(?!ein |eine |einen |am |an |irgend|wohl |doch |ja |ich |noch |das )[^?.!]{2,80}?(?:en|ern|eln|sein|werden)",
        "(?:ist|sind) (?:pflicht|zwingend|verpflichtend)",
        "immer wenn du",
      ),
    ],
    policies: {
      prohibitions: [words("(?:kann|können|sollte|sollten) (?:[^?.!,]{0,40} )?(?:nicht|keine?[nr]?)")],
      demands: [words("(?:sollte|sollten|soll|sollen)\\s+[a-zà-ÿœ]+", "stelle sicher")],
    },
    exempt:
      /keine sorge|kein problem|macht nichts|vergiss nicht|nicht vergessen|keine ahnung|keine lust|(?:ich|es|das|man|er|sie|wir) (?:kann|können|kannst|konnte|habe|hat|haben|hatte|weiß|verstehe|geht|ging|funktioniert|läuft|lief|sehe|glaube|denke|wollte|will|würde|wird) |(?:geht|funktioniert|klappt|läuft|stimmt|passt)(?: [a-zà-ÿœ]+)? (?:nie|nicht|immer)|noch nie|immer noch|warum|wieso|musst (?:du )?nicht|brauchst|das muss (?:ein|an|am|wohl|ja|doch)|muss (?:ein|ich)/i,
    heading:
      /^(?:[^.?!\n]{0,40})?(?:regeln|vorgaben|richtlinien|konventionen|einschränkungen|grundsätze|bedingungen)(?![a-zà-ÿœ])[^.?!:\n]{0,50}\s*:?$/i,
    negatedItem:
      /^(?:nie|niemals|nicht|keine?[nr]?|ohne|vermeide|nichts)(?![a-zà-ÿœ])|(?<![a-zà-ÿœ])(?:nicht|nie|niemals)(?![a-zà-ÿœ])[^,.]{0,40}$/i,
    withdrawal: any(
      "(?:jetzt|nun|wieder|ab jetzt) darfst du",
      "(?:darfst|dürft|kannst)(?![a-zà-ÿœ])[^?]{0,80}(?<![a-zà-ÿœ])(?:jetzt|nun|wieder|doch)(?![a-zà-ÿœ])",
      "vergiss (?:die regel|was ich|das verbot)",
      "(?:nicht mehr (?:nötig|notwendig|verboten|tabu|pflicht)|musst (?:du )?[^?]{0,60}nicht mehr)",
      "(?:ist|sind) (?:jetzt |nun |wieder )erlaubt",
    ),
  },
  responses: {
    approval: opening(
      "(?:ja|jep|jup|jawohl|klar|genau|gerne|passt|einverstanden|mach das|mach es|mach mal|los|stimmt|richtig|perfekt|super|sehr gut|klingt gut|sieht gut aus|in ordnung|gute idee|weiter so|alles klar)(?=[\\s,.!;:]|$)(?! (?:aber|nicht|wie|was|warum)(?![a-zà-ÿœ]))",
      "(?:ok(?:ay)?)[, ]+(?:mach|leg los|weiter|passt|los)(?![a-zà-ÿœ])",
    ),
    refusal: opening(
      "(?:nein|nee|nö)[,.!]* (?:danke|mach|lass|nicht|bitte nicht|noch nicht|stopp?)(?![a-zà-ÿœ])",
      "(?:nein|nee|nö|stopp?|halt|abbrechen|aufhören)[,.! ]*$",
      "(?:lass (?:das|es)|lieber nicht|auf keinen fall|noch nicht|mach das nicht|vergiss es)(?![a-zà-ÿœ])",
    ),
    correction: opening(
      "(?:nein|nee|nö)[,.:]+ (?!danke)[a-zà-ÿœ]",
      "nein,? (?:ich meinte|das ist|es ist|nicht)(?![a-zà-ÿœ])",
      "(?:das|es) (?:ist|war) (?:falsch|nicht (?:richtig|korrekt|das|was))(?![a-zà-ÿœ])",
      "(?:das stimmt (?:so )?nicht|falsch|ich meinte|eigentlich|du irrst|nicht ganz|fast, aber|beinahe, aber)(?![a-zà-ÿœ])",
    ),
  },
  decisions: {
    gate: /statt|anstelle|anstatt|entsch|nehmen wir|lieber|bevorzug|bleiben bei|weil|damit|besser|beste/i,
    choice: any(
      "^(?:die )?entscheidung\\s*:\\s*\\S",
      "(?<![a-zà-ÿœ])(?:habe|haben) (?:mich|uns) (?:für|gegen) [^.?!]{2,160}entschieden",
      "(?<![a-zà-ÿœ])(?:ich|wir) entscheiden? (?:mich|uns)\\s+\\S",
      "(?<![a-zà-ÿœ])(?:entschied mich|entschieden uns)(?![a-zà-ÿœ])",
    ),
    userChoice: any(
      "^(?:(?:ja|ok|okay|gut|dann|also|nein)[,. ]+){0,3}(?:(?:nehmen|verwenden|nutzen|benutzen|behalten|lassen|speichern|machen) wir|lass uns|wir (?:nehmen|bleiben bei|verwenden|nutzen|behalten|speichern))\\s+\\S",
      "(?<![a-zà-ÿœ])(?:ich|wir) (?:bevorzuge|bevorzugen|würde lieber|hätte lieber|möchte lieber|nehme lieber)\\s+\\S",
      "^(?:(?:ja|ok|nein|bitte)[,. ]+){0,2}(?:nimm|nutze|nutz|verwende|benutze)\\s[^?]{1,160}(?:weil|statt|anstelle|anstatt)",
    ),
    intent: any(
      "^(?:(?:ja|ok|okay|gut|also|daher|deshalb|jetzt)[,. ]+){0,2}(?:ich|wir) (?:verwende|nutze|nehme|benutze|speichere|ändere|behalte|werde|verwenden|nutzen|nehmen|benutzen|speichern|ändern|behalten|werden)\\s+\\S",
      "^(?:statt|anstelle|anstatt)\\s[^,]{2,120},? (?:verwende|nutze|nehme|benutze|speichere|werde)",
    ),
    reasoned: any(
      "^(?:(?:ja|ok|okay|gut|also|daher|deshalb|jetzt)[,. ]+){0,2}(?:ich|wir) (?:verwende|nutze|nehme|benutze|speichere|ändere|behalte|werde|verwenden|nutzen|nehmen|benutzen|speichern|ändern|behalten|werden)\\s+\\S",
      "^(?:statt|anstelle|anstatt)\\s[^,]{2,120},? (?:verwende|nutze|nehme|benutze|speichere|werde)",
    ),
    weighing: any("(?:die|das|der) (?:beste|einfachste|sauberste|richtige)(?: [a-zà-ÿœ]+)? (?:ist|wäre)[,:]?\\s+\\S"),
    proposal:
      /(?<![a-zà-ÿœ])(?:ich (?:empfehle|würde .{0,60}(?:empfehlen|nehmen)|schlage .{0,80} vor)|meine empfehlung|mein vorschlag)(?![a-zà-ÿœ])/i,
    doubt:
      /\?\s*$|(?<![a-zà-ÿœ])(?:vielleicht|wahrscheinlich|vermutlich|könnte|könnten|möglicherweise|eventuell|falls|fehler|schlägt fehl|wenn du (?:willst|möchtest))(?![a-zà-ÿœ])/i,
    alternative:
      /(?<![a-zà-ÿœ])(?:anstelle von|anstelle|anstatt|statt|und nicht|als(?<=lieber\s[^,.;]{1,60}))\s+(?=\S)/i,
    rationale: /(?<![a-zà-ÿœ])(?:weil|da|damit|denn|um)(?![a-zà-ÿœ])\s+(?=\S)/i,
  },
};
