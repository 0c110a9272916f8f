// Spanish cues. A negated subjunctive ("no toques") is a prohibition; an indicative ("no funciona") is a report.
import { any, clause, type Language, opening, words } from "./cues.ts";

const FILLERS = "por favor|porfa|y|pero|así que|entonces|también|vale|ok|bueno|recuerda|importante|nota|que|sí|además";
const STEMS =
  "toqu|modifiqu|cambi|edit|us|utilic|añad|agregu|borr|elimin|cre|hag|escrib|pong|sub|ejecut|instal|met|muev|renombr|romp|reescrib|publiqu|despliegu|dig|incluy|mezcl|expong|envi|envíe|actualic|introduzc|import|gener|traduzc|coment|asum|supong|invent|abr|llam|mand|respond|guard|copi|cierr|quit|ignor|salt|desactiv|dej|pas|permit|confirm|commite|hardcode|pushe|avanc|empiec|sig|lanc|reinici|fusion|mergee|registr|loguee|revel|compart|refactoric";
/** By name: an English "no longer" or "no other" must not read as one. */
const INFINITIVE_STEMS =
  "toc|modific|cambi|edit|us|utiliz|añad|agreg|borr|elimin|cre|hac|escrib|pon|sub|ejecut|instal|met|mov|renombr|romp|reescrib|public|despleg|dec|inclu|mezcl|expon|envi|actualiz|introduc|import|gener|traduc|coment|asum|supon|invent|abr|llam|mand|respond|guard|copi|cerr|quit|ignor|salt|desactiv|dej|pas|permit|confirm|avanz|empez|segu|lanz|reinici|fusion|registr|revel|compart|refactoriz|alter|citar|reemplaz|sobrescrib|reproduc";
const SUBJUNCTIVE = `(?:me |lo |la |los |las |le |se )?(?:${STEMS})(?:es|as|e|a|éis|áis|en|an|s)`;
const IMPERATIVE =
  "(?:ejecut|us|utiliz|escrib|pid|pregunt|hac|haz|pon|cre|añad|agreg|respond|contest|guard|valid|comprueb|comprob|revis|corr|lanz|pas|manten|mantén|document|formate|confirm|consult|sig|avis|actualiz|cit|inclu|prueb|trabaj|habl)(?:a|e|ad|ed|id|en|an|ar|er|ir|es|ue|úa|uye|uya|)(?:me|lo|la|los|las)?";
const NOUN_CUTOFF = "(?![a-zà-ÿœ])";

export const spanish: Language = {
  name: "Spanish",
  rules: {
    gate: /nunca|jamás|jamas|(?<![a-zà-ÿœ])no |prohibid|permitid|evit|ningun|ningún|nada de|sin |siempre|deb[eoa]|a partir de|de ahora|desde ahora|en adelante|antes de|s[oó]lo |[uú]nicamente|obligatori|cada|reglas|normas|olvida|puedes|hay que/i,
    prohibitions: [
      clause(
        FILLERS,
        `(?:no|nunca|jamás|jamas)(?: se)? ${SUBJUNCTIVE}${NOUN_CUTOFF}`,
        `(?:no|nunca|jamás) (?:se )?(?:${INFINITIVE_STEMS})(?:ar|er|ir)(?:lo|la|los|las)?(?![a-zà-ÿœ])`,
        "(?:evita|evite|evitad|evitar)\\s+\\S",
        "(?:nada de|ningun[ao]|ningún|sin|no más)\\s+(?:nuevas?\\s+|nuevos?\\s+)?[a-zà-ÿœ]+(?: nuevas?| nuevos?| extern[ao]s?)(?![a-zà-ÿœ])|nada de (?:nuev[ao]s? )?[a-zà-ÿœ]+|sin nuev[ao]s [a-zà-ÿœ]+",
        "deja\\s[^,.]{2,60}\\s(?:como está|como están|en paz|intact[oa]s?)",
        "prohibido\\s+\\S",
      ),
      words(
        "(?:no|nunca|jamás) (?:se )?(?:debes?|deben|debéis|puedes|podéis|se puede|hay que)\\s+[a-záéíóúñ]+(?:ar|er|ir)",
        "(?:está|están|queda|quedan) (?:terminantemente |totalmente |estrictamente )?prohibid[oa]s?",
        "no (?:está|están) permitid[oa]s?",
        "bajo ning[uú]n(?:a)? (?:concepto|circunstancia)",
        "sin mi (?:permiso|aprobación|confirmación|autorización|visto bueno)",
      ),
    ],
    demands: [
      clause(
        FILLERS,
        `siempre ${IMPERATIVE}${NOUN_CUTOFF}\\s+\\S`,
        `${IMPERATIVE} siempre${NOUN_CUTOFF}`,
        "(?:s[oó]lo|solamente|únicamente) (?:us[ae]|utili[cz][ae]|edita|toca|modifica|trabaja|responde|usar|utilizar|escribe|cambia)(?![a-zà-ÿœ])",
        "(?:us[ae]|utili[cz][ae]|edita|toca|modifica|usar|escribe|cambia|responde) (?:s[oó]lo|solamente|únicamente|exclusivamente)",
        "(?:a partir de ahora|de ahora en adelante|desde ahora|en adelante|a partir de este momento|en el futuro)[,:]?\\s+\\S",
        `(?:preg[uú]nt[ae](?:me)?|consúlta(?:me)?|pide permiso|avísame|espera)\\b[^?]{0,40}?\\b(?:antes|primero)${NOUN_CUTOFF}`,
        `${IMPERATIVE}\\b[^?]{0,80}?\\b(?:antes de|después de|en|con|para|tras) cada${NOUN_CUTOFF}`,
        `(?:antes|después) de cada\\s[^?]{2,60}?${IMPERATIVE}`,
      ),
      words(
        "(?:debes|debéis|tienes que|tenéis que|hay que) (?:siempre )?[a-záéíóúñ]+(?:ar|er|ir)(?:lo|la|los|las)?",
        "(?:es|son) obligatori[oa]s?",
        "(?:debe|deben) (?:siempre )?(?!ser un|ser una|ser el|ser la|ser por|ser que|haber|de |estar (?:mal|roto|fallando))[a-záéíóúñ]+(?:ar|er|ir|se)",
        "siempre que [a-zà-ÿœ]+",
      ),
    ],
    policies: {
      prohibitions: [words("no (?:puede|pueden|debería|deberían)\\s+[a-zà-ÿœ]+")],
      demands: [words("(?:debería|deberían)\\s+[a-zà-ÿœ]+", "asegúrate de")],
    },
    exempt:
      /no te preocupes|no importa|no pasa nada|no hace falta|no olvides|(?<![a-zà-ÿœ])debe (?:ser|haber|de) (?:un|una|el|la|que|ser)|no sé|no entiendo|nunca (?:he|ha|había|funcion|me )|siempre (?:falla|da |sale|ha |me (?:da|sale))|por qué/i,
    heading:
      /^(?:[^.?!\n]{0,40}(?<![a-zà-ÿœ]))?(?:reglas|normas|restricciones|convenciones|directrices|principios|políticas?)(?![a-zà-ÿœ])[^.?!:\n]{0,50}\s*:?$/i,
    negatedItem: /^(?:no|nunca|jamás|nada|ningun[ao]?|sin|evita|evitar|prohibido)(?![a-zà-ÿœ])/i,
    withdrawal: any(
      "(?:ya|ahora)(?: sí)? (?:puedes|podéis|se puede|está permitido)",
      "(?:puedes|podéis)\\b[^?]{0,80}\\b(?:ahora|ya|de nuevo|otra vez)(?![a-zà-ÿœ])",
      "olvida(?:te)? (?:de )?(?:la regla|lo de|la norma|lo que dije)",
      "ya no (?:hace falta|es necesario|hay que|está prohibid|tienes que|debes|es obligatori)",
    ),
  },
  responses: {
    approval: opening(
      "(?:sí|si|claro|vale|de acuerdo|perfecto|adelante|hazlo|dale|correcto|exacto|me parece bien|está bien|suena bien|por supuesto|desde luego|genial)(?=[\\s,.!;:]|$)(?! (?:no|el|la|los|las|se|es|hay|un|una|tienes|puedes|falla|quieres)\\b)",
    ),
    refusal: opening(
      "(?:no|nop)[,.!]* (?:gracias|lo hagas|hagas|toques|quiero|todavía no|aún no|déjalo|para)(?![a-zà-ÿœ])",
      "(?:no|para|detente|basta|cancela|alto)[,.! ]*$",
      "(?:déjalo|mejor no|para eso|ni hablar|olvídalo|no lo hagas)(?![a-zà-ÿœ])",
    ),
    correction: opening(
      "no[,.:]+ (?!gracias)[a-zà-ÿœ]",
      "no,? (?:me refería|quise decir|quería decir|es|era|está)",
      "(?:eso )?(?:está mal|es incorrecto|no es (?:correcto|así|eso)|te equivocas|incorrecto|mal|(?:eso )?no (?:es|era) lo que|casi, pero)(?![a-zà-ÿœ])",
      "(?:en realidad|quise decir|quería decir|me refería)(?![a-zà-ÿœ])",
    ),
  },
  decisions: {
    gate: /en (?:lugar|vez) de|decid|decisi|vamos (?:a|con)|prefier|elij|eleg|opt|usar|porque|nos quedamos|mejor/i,
    choice: any(
      "^(?:la )?decisi[oó]n\\s*:\\s*\\S",
      "(?<![a-zà-ÿœ])(?:he|hemos) (?:decidido|elegido|optado)(?![a-zà-ÿœ])\\s+\\S",
      "(?<![a-zà-ÿœ])(?:decidí|decidimos|elegí|elegimos|opté por|optamos por)(?![a-zà-ÿœ])\\s+\\S",
    ),
    userChoice: any(
      "^(?:(?:sí|vale|ok|bueno|entonces|no)[,. ]+){0,2}(?:vamos (?:con|a (?:usar|utilizar|dejar|guardar|mantener))|usemos|nos quedamos con|mantengamos|quedémonos con)\\s+\\S",
      "(?<![a-zà-ÿœ])(?:prefiero|preferimos|preferiría)\\s+(?!saber)\\S",
      "^(?:(?:sí|vale|ok|no)[,. ]+){0,2}(?:usa|use|utiliza)\\s[^?]{1,160}(?:porque|en lugar de|en vez de)",
    ),
    intent: any(
      "^(?:(?:sí|vale|ok|bueno|entonces|por eso|ahora)[,. ]+){0,2}(?:usaré|utilizaré|usaremos|utilizaremos|voy a (?!leer|ver|revisar|mirar|ejecutar|buscar|comprobar|probar)|vamos a (?!leer|ver|revisar|mirar|ejecutar|buscar|comprobar|probar)|cambiaré|guardaré|pondré|mantendré|haré)\\s*\\S",
      "^en (?:lugar|vez) de [^,]{2,120}, (?:usaré|voy a|vamos a|haré|usaremos)",
    ),
    reasoned: any(
      "^(?:(?:sí|vale|ok|bueno|entonces|por eso|ahora)[,. ]+){0,2}(?:usaré|utilizaré|usaremos|utilizaremos|voy a (?!leer|ver|revisar|mirar|ejecutar|buscar|comprobar|probar)|vamos a (?!leer|ver|revisar|mirar|ejecutar|buscar|comprobar|probar)|cambiaré|guardaré|pondré|mantendré|haré)\\s*\\S",
      "^en (?:lugar|vez) de [^,]{2,120}, (?:usaré|voy a|vamos a|haré|usaremos)",
    ),
    weighing: any(
      "(?:la|lo) (?:mejor|más simple|más sencill[oa]|correct[oa]|más limpi[oa])(?: solución| opción| forma| arreglo)? (?:es|sería)\\s+\\S",
    ),
    proposal: /(?<![a-zà-ÿœ])(?:recomiendo|recomendaría|propongo|sugiero|mi recomendación)(?![a-zà-ÿœ])/i,
    doubt:
      /\?\s*$|(?<![a-zà-ÿœ])(?:quizás?|tal vez|probablemente|podría|podríamos|puede que|a lo mejor|creo que|falla|fallando|error|si (?:prefieres|quieres))(?![a-zà-ÿœ])/i,
    alternative:
      /(?<![a-zà-ÿœ])(?:en lugar de|e[mn] vez de|ao invés de|y no|(?:antes que|a)(?<=prefiero\s[^,.;]{1,60}))\s+(?=\S)/i,
    rationale:
      /(?<![a-zà-ÿœ])(?:porque|ya que|puesto que|para (?:evitar|que|mantener|no)|así (?:evitamos|se evita)|debido a)\s+(?=\S)/i,
  },
};
