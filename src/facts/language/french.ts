// French cues. "ne … pas" without a subject before it is an imperative; with one it is a report.
import { any, clause, type Language, opening, words } from "./cues.ts";

const FILLERS =
  "s'il te plaît|s'il vous plaît|stp|svp|et|mais|donc|alors|aussi|ok|rappel|important|attention|note|oui|non|de plus|surtout";
const IMPERATIVE =
  "(?:exécut|lanc|utilis|écri[st]?|écriv|demand|fai[ts]|met[st]?|mett|cré|ajout|répond|gard|valid|vérifi|revoi|pass|document|format|confirm|consult|sui[st]?|suiv|prévien|met|cit|inclu|test|travaill|parl|modifi|touch|chang|édit|comment|commit|prend|prenez)(?:e|ez|es|s|er|re|ir|faites|z|)(?:-moi|-le|-la|-les)?";
const NE = "(?:ne\\s+|n['’])";

export const french: Language = {
  name: "French",
  rules: {
    gate: /(?<![a-zà-ÿœ])(?:ne|jamais|interdit|interdite|interdits|évite|évitez|éviter|aucune?|pas de|sans|toujours|dois|devez|doit|doivent|il faut|désormais|dorénavant|à partir|à l['’]avenir|uniquement|seulement|exclusivement|avant|après|chaque|demande|demandez|obligatoire|règles?|consignes|contraintes|conventions|oublie|oubliez|peux|pouvez)(?![a-zà-ÿœ])|n['’]/i,
    prohibitions: [
      clause(
        FILLERS,
        `${NE}(?:pas|jamais|plus|rien)\\s+(?:jamais\\s+)?(?:l['’]|le |la |les |y |en )?[a-zà-ÿœ]+(?:er|ir|re)(?![a-zà-ÿœ])`,
        `${NE}(?:l['’]|le |la |les |y |en |me )?(?!sais|marche|fonctionne|comprends|peux|veux|suis|vois|crois|pense|faut|sont|est|oublie)[a-zà-ÿœ]+\\s+(?:pas|jamais|plus|rien|aucun(?:e)?)(?![a-zà-ÿœ])`,
        "(?:évite|évitez|éviter)\\s+\\S",
        "(?:aucune?|pas de|sans|plus de)\\s+(?:nouve(?:au|aux|lle|lles|l)\\s+)[a-zà-ÿœ]+",
        "laisse(?:z)?\\s[^,.]{2,60}\\s(?:tranquilles?|tels? quels?|telles? quelles?|intact)",
        "(?:interdiction|interdit|défense) d[e'’]\\s*\\S",
        `jamais\\s+(?:de\\s+)?[a-zà-ÿœ]+(?:er|ir|re)(?![a-zà-ÿœ])`,
      ),
      words(
        "(?:tu|vous|on|il|elle|ils|elles|nous) (?:ne |n['’])(?:dois|devez|doit|doivent|devons|faut|peux|pouvez) (?:pas|jamais|plus) [a-zà-ÿœ]+(?:er|ir|re)",
        "(?:ne |n['’])(?:doit|doivent) (?:pas|jamais|plus) [a-zà-ÿœ]+",
        "(?:il )?ne faut (?:pas|jamais|surtout pas) [a-zà-ÿœ]+",
        "(?:est|sont|reste|restent) (?:strictement |formellement )?interdit(?:e|s|es)?",
        "n['’]est pas (?:autorisée?|permise?)",
        "en aucun cas",
        "sous aucun prétexte",
        "sans (?:mon|ma) (?:accord|autorisation|permission|validation)",
      ),
    ],
    demands: [
      clause(
        FILLERS,
        `${IMPERATIVE} (?:d['’]abord )?toujours(?![a-zà-ÿœ])`,
        `toujours ${IMPERATIVE}(?![a-zà-ÿœ])\\s+\\S`,
        `${IMPERATIVE}[^?.!]{0,40}?(?<![a-zà-ÿœ])(?:uniquement|seulement|exclusivement)(?![a-zà-ÿœ])`,
        `${NE}[a-zà-ÿœ]+(?:e|ez|s|z)\\s+que\\s+\\S`,
        "(?:à partir de maintenant|désormais|dorénavant|à l['’]avenir|à partir d['’]aujourd['’]hui|dès maintenant)[,:]?\\s+\\S",
        "(?:demande|demandez|consulte|préviens|prévenez|attends|attendez)(?:-moi)?(?![a-zà-ÿœ])[^?]{0,50}?(?<![a-zà-ÿœ])(?:avant|d['’]abord)(?![a-zà-ÿœ])",
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?]{0,80}?(?<![a-zà-ÿœ])(?:avant|après|à|dans|avec|pour) chaque(?![a-zà-ÿœ])`,
        `(?:avant|après|à) chaque\\s[^?]{2,60}?${IMPERATIVE}(?![a-zà-ÿœ])`,
      ),
      words(
        "(?:tu dois|vous devez|il faut toujours|on doit toujours) (?:toujours )?[a-zà-ÿœ]+",
        "(?:doit|doivent) (?:toujours )?(?!être (?:un|une|le|la|dû|causé)|avoir|y avoir|encore|venir)[a-zà-ÿœ]+(?:er|ir|re)",
        "(?:est|sont) obligatoires?",
        "chaque fois que tu",
      ),
    ],
    policies: {
      prohibitions: [words("(?:ne |n['’])(?:peut|peuvent|devrait|devraient) (?:pas|jamais)")],
      demands: [words("(?:devrait|devraient|il faut)\\s+[a-zà-ÿœ]+", "assure-toi", "assurez-vous")],
    },
    exempt:
      /ne t['’]inquiète|ne vous inquiétez|n['’]hésite|n['’]oublie|pas de (?:souci|problème)|pas besoin|ce n['’]est pas grave|ça (?:ne|doit)|(?:je|j['’]|ça|cela|il|elle|on|ils|elles) (?:ne |n['’])(?!doi|faut)|il doit y avoir|pourquoi|aucune idée|toujours (?:pas|en|la même|le même)/i,
    heading:
      /^(?:[^.?!\n]{0,40}(?<![a-zà-ÿœ]))?(?:règles|consignes|contraintes|conventions|restrictions|directives|principes|politiques?)(?![a-zà-ÿœ])[^.?!:\n]{0,50}\s*:?$/i,
    negatedItem: /^(?:ne|n['’]|jamais|pas|aucune?|sans|évite[rz]?|rien|interdi(?:t|ction))(?![a-zà-ÿœ])/i,
    withdrawal: any(
      "(?:tu peux|vous pouvez)(?![a-zà-ÿœ])[^?]{0,80}(?<![a-zà-ÿœ])(?:maintenant|désormais|à nouveau|de nouveau|finalement)(?![a-zà-ÿœ])",
      "(?:maintenant|désormais|finalement),? (?:tu peux|vous pouvez)",
      "oublie(?:z)? (?:la règle|la consigne|ce que j['’]ai dit)",
      "(?:plus (?:besoin|nécessaire|obligatoire|interdit)|n['’]est plus (?:interdit|obligatoire|nécessaire))",
    ),
  },
  responses: {
    approval: opening(
      "(?:oui|ouais|d['’]accord|vas-y|allez-y|parfait|exactement|exact|c['’]est (?:bon|parfait|ça)|très bien|bien sûr|ça marche|ça me va|fais-le|faites-le|bonne idée|super|entendu|nickel)(?=[\\s,.!;:]|$)(?! (?:mais|que|non)(?![a-zà-ÿœ]))",
      "ok[, ]+(?:vas-y|allez-y|fais|continue)(?![a-zà-ÿœ])",
    ),
    refusal: opening(
      "non[,.!]* (?:merci|ne |n['’]|laisse|arrête|pas (?:ça|maintenant|encore))",
      "(?:non|stop|arrête|arrêtez|annule)[,.! ]*$",
      "(?:laisse (?:tomber|ça)|plutôt pas|surtout pas|pas question|pas encore|pas maintenant|arrête ça)(?![a-zà-ÿœ])",
    ),
    correction: opening(
      "non[,.:]+ (?!merci)[a-zà-ÿœ]",
      "non,? (?:je voulais dire|c['’]est|c['’]était|pas)(?![a-zà-ÿœ])",
      "(?:c['’]est (?:faux|incorrect|pas (?:ça|correct|bon))|ce n['’](?:est|était) pas (?:ça|correct|exact|bon|ce que)|presque, mais|pas tout à fait|tu te trompes|faux)(?![a-zà-ÿœ])",
      "(?:en fait|je voulais dire)(?![a-zà-ÿœ])",
    ),
  },
  decisions: {
    gate: /au lieu|plutôt|décid|décision|on (?:prend|garde|part|utilise)|préfère|choisi|opté|parce|car |afin|meilleure?|simple|propre/i,
    choice: any(
      "^(?:la )?décision\\s*:\\s*\\S",
      "(?<![a-zà-ÿœ])(?:j['’]ai|nous avons|on a) (?:décidé|choisi|opté)(?![a-zà-ÿœ])\\s+\\S",
    ),
    userChoice: any(
      "^(?:(?:oui|ok|bon|alors|donc|non|d['’]accord)[,. ]+){0,3}(?:on (?:prend|garde|part sur|utilise|va (?:utiliser|garder|prendre))|prenons|gardons|utilisons|partons sur|restons sur)\\s+\\S",
      "(?<![a-zà-ÿœ])(?:je préfère|je préférerais|nous préférons|on préfère)\\s+(?!savoir)\\S",
      "^(?:(?:oui|ok|non)[,. ]+){0,2}(?:utilise|utilisez|prends|prenez)\\s[^?]{1,160}(?:parce que|car|au lieu de|plutôt que)",
    ),
    intent: any(
      "^(?:(?:oui|ok|bon|donc|alors|maintenant)[,. ]+){0,2}(?:j['’]utiliserai|j['’]utilise|nous utiliserons|je vais (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester)|on va (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester)|je garde|je remplace|je stocke|nous allons (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester))\\s*\\S",
      "^(?:au lieu d|plutôt que)[^,]{2,120}, (?:je|on|nous|j['’])",
    ),
    reasoned: any(
      "^(?:(?:oui|ok|bon|donc|alors|maintenant)[,. ]+){0,2}(?:j['’]utiliserai|j['’]utilise|nous utiliserons|je vais (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester)|on va (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester)|je garde|je remplace|je stocke|nous allons (?!lire|voir|regarder|exécuter|lancer|chercher|vérifier|tester))\\s*\\S",
      "^(?:au lieu d|plutôt que)[^,]{2,120}, (?:je|on|nous|j['’])",
    ),
    weighing: any(
      "(?:la|le) (?:meilleure?|plus simple|plus propre|bonne?)(?: solution| option| façon| correction| approche)? (?:est|serait)\\s+\\S",
    ),
    proposal:
      /(?<![a-zà-ÿœ])(?:je (?:recommande|recommanderais|propose|suggère)|ma recommandation|je vous propose)(?![a-zà-ÿœ])/i,
    doubt:
      /\?\s*$|(?<![a-zà-ÿœ])(?:peut-être|probablement|sans doute|pourrait|pourrions|il se peut|je pense que|échoue|erreur|si tu (?:préfères|veux))(?![a-zà-ÿœ])/i,
    alternative: /(?<![a-zà-ÿœ])(?:au lieu (?:de\s+|d['’]|du\s+|des\s+)|plutôt qu(?:e\s+|['’])|et non\s+)(?=\S)/i,
    rationale:
      /(?<![a-zà-ÿœ])(?:parce qu(?:e\s+|['’])|car\s+|puisqu(?:e\s+|['’])|afin (?:de\s+|d['’]|que\s+)|pour (?:éviter|ne pas|que|garder)\s+)(?=\S)/i,
  },
};
