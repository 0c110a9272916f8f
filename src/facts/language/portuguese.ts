// Portuguese cues, Brazilian and European. A negated subjunctive ("não mexa") forbids; an indicative reports.
import { any, clause, type Language, opening, words } from "./cues.ts";

const FILLERS = "por favor|e|mas|então|também|ok|lembre-se|importante|nota|que|sim|você|vocês|além disso";
const STEMS =
  "toqu|toc|reinici|delet|derrub|bloquei|troqu|mex|modifiqu|mud|alter|edit|us|utiliz|adicion|apagu|remov|exclu|cri|faç|escrev|coloqu|sub|rod|execut|instal|met|mov|renomei|quebr|reescrev|publiqu|implant|dig|inclu|mistur|exponh|envi|atualiz|introduz|import|ger|traduz|coment|assum|suponh|invent|abr|cham|mand|respond|guard|copi|fech|tir|ignor|pul|desativ|deix|pass|permit|confirm|commit|comit|comite|hardcod|avanc|comec|sig|inici|fund|mescl|registr|revel|compartilh|refator";
const SUBJUNCTIVE = `(?:me |o |a |os |as |se )?(?:${STEMS})(?:a|e|as|es|am|em|ia|ie|eie|ua|ui|uam|uem|eie|)`;
const IMPERATIVE =
  "(?:execut|rod|us|utiliz|escrev|peç|pergunt|faç|coloqu|cri|adicion|respond|guard|valid|verifiqu|revis|pass|mantenh|document|format|confirm|consult|sig|avis|atualiz|cit|inclu|test|trabalh|fal)(?:a|e|ar|er|em|am|ir|ua|es|as)(?:-me|-o|-a)?";

export const portuguese: Language = {
  name: "Portuguese",
  rules: {
    gate: /nunca|jamais|não|nao |proibid|permitid|evit|nenhum|nada de|sem |sempre|dev[eoa]|a partir de|de agora|daqui|doravante|antes de|só |somente|apenas|obrigat|cada|regras|normas|esqueça|pode|precisa|tem que/i,
    prohibitions: [
      clause(
        FILLERS,
        `(?:não|nao|nunca|jamais) ${SUBJUNCTIVE}(?![a-zà-ÿœ])\\s+\\S`,
        "(?:não|nunca|jamais) (?!poder|saber|ser|haver|ter|qualquer|quer(?![a-zà-ÿœ]))[a-záâãéêíóôõúç]{2,}(?:ar|er|ir)(?![a-zà-ÿœ])",
        "(?:evite|evita|evitem|evitar)\\s+\\S",
        "(?:nada de|nenhum[a]?|sem)\\s+(?:nov[ao]s?\\s+[a-zà-ÿœ]+|[a-zà-ÿœ]+ nov[ao]s?)(?![a-zà-ÿœ])|nada de [a-zà-ÿœ]+",
        "deixe\\s[^,.]{2,60}\\s(?:como está|como estão|em paz|intact[oa]s?)",
        "proibido\\s+\\S",
        "não (?:quero|queremos) (?:mais |ver )+(?:nenhum[a]? |ver )?[a-zà-ÿœ]+",
      ),
      words(
        "(?:não|nunca|jamais) (?:se )?(?:deves?|devem|podes?|podem|deve-se)\\s+[a-záâãéêíóôõúç]+(?:ar|er|ir)",
        "(?:é|são|está|estão|fica) (?:terminantemente |totalmente |estritamente )?proibid[oa]s?",
        "não (?:é|são|está|estão) permitid[oa]s?",
        "(?:em|sob) (?:nenhuma|hipótese alguma) ?(?:circunstância|hipótese)?",
        "sem (?:a )?minha (?:permissão|aprovação|confirmação|autorização)",
      ),
    ],
    demands: [
      clause(
        FILLERS,
        `sempre ${IMPERATIVE}(?![a-zà-ÿœ])\\s+\\S`,
        `${IMPERATIVE} sempre(?![a-zà-ÿœ])`,
        "(?:só|somente|apenas) (?:use|utilize|edite|toque|modifique|trabalhe|responda|usar|utilizar|escreva|altere|mexa)(?![a-zà-ÿœ])",
        "(?:use|utilize|edite|modifique|usar|escreva|altere|responda) (?:só|somente|apenas|exclusivamente)(?![a-zà-ÿœ])",
        "(?:a partir de agora|de agora em diante|daqui (?:em|para|pra) (?:diante|frente)|doravante|no futuro)[,:]?\\s+\\S",
        "(?:pergunt[ae](?:-me)?|me pergunte|consulte(?:-me)?|peça permissão|avise(?:-me)?|me avise|espere)(?![a-zà-ÿœ])[^?]{0,40}?(?:antes|primeiro)(?![a-zà-ÿœ])",
        `${IMPERATIVE}(?![a-zà-ÿœ])[^?]{0,80}?(?:antes de|depois de|em|com|para|após|a) cada(?![a-zà-ÿœ])`,
        `(?:antes|depois) de cada\\s[^?]{2,60}?${IMPERATIVE}`,
      ),
      words(
        "(?:você|vocês) (?:deve|devem|tem que|têm que|precisa|precisam) (?:sempre )?[a-záâãéêíóôõúç]+(?:ar|er|ir)",
        "(?:tens de|deves|tem que|tem de) (?:sempre )?[a-záâãéêíóôõúç]+(?:ar|er|ir)",
        "(?:é|são) obrigatóri[oa]s?",
        "(?:tudo|todos?|todas?|cada) [^?.!,]{2,60}? (?:precisam?|tem|têm) (?:de|que)\\s+[a-zà-ÿœ]+",
        "(?:deve|devem) (?:sempre )?(?!ser um|ser uma|ser o|ser a|ser por|ser que|haver|ter sido|estar (?:mal|quebrado|errado))[a-záâãéêíóôõúç]+(?:ar|er|ir)",
        "sempre que [a-zà-ÿœ]+",
      ),
    ],
    policies: {
      prohibitions: [words("não (?:pode|podem|deveria|deveriam)\\s+[a-zà-ÿœ]+")],
      demands: [words("(?:deveria|deveriam)\\s+[a-zà-ÿœ]+", "certifique-se de")],
    },
    exempt:
      /não se preocup|não importa|não tem problema|não precisa|não esqueça|não se esqueça|(?<![a-zà-ÿœ])deve (?:ser|haver|ter) (?:um|uma|o|a|que|algum|sido)(?![a-zà-ÿœ])|não sei|não entend|nunca (?:vi|funcion|tinha|me )|sempre (?:falha|dá|me )|por que|não faço ideia/i,
    heading:
      /^(?:[^.?!\n]{0,40}(?<![a-zà-ÿœ]))?(?:regras|normas|restrições|convenções|diretrizes|princípios|políticas?)(?![a-zà-ÿœ])[^.?!:\n]{0,50}\s*:?$/i,
    negatedItem: /^(?:não|nunca|jamais|nada|nenhuma?|sem|evite|evitar|proibido)(?![a-zà-ÿœ])/i,
    withdrawal: any(
      "(?:agora|já)(?: você)? (?:pode|podes|podem|é permitido)",
      "(?:pode|podes|podem)(?![a-zà-ÿœ])[^?]{0,80}(?<![a-zà-ÿœ])(?:agora|já|de novo)(?![a-zà-ÿœ])",
      "esque(?:ça|ce) (?:a regra|o que eu disse|aquela regra)",
      "(?:não precisa mais|já não (?:é preciso|é necessário|precisa|é proibid)|não é mais (?:proibid|obrigat|necess))",
    ),
  },
  responses: {
    approval: opening(
      "(?:sim|claro|certo|de acordo|perfeito|pode (?:ir|fazer|seguir)|vai em frente|faça isso|isso mesmo|correto|exato|tudo bem|beleza|ótimo|com certeza|concordo|parece bom|está bom|fechado)(?=[\\s,.!;:]|$)(?! (?:que|não|o|a|os|as)\\b)",
    ),
    refusal: opening(
      "(?:não|nao)[,.!]* (?:obrigad[oa]|faça|mexa|quero|ainda não|deixa|deixe|pare)(?![a-zà-ÿœ])",
      "(?:não|nao|pare|para|cancela|chega)[,.! ]*$",
      "(?:deixa (?:isso|assim|pra lá)|melhor não|de jeito nenhum|esquece isso|ainda não)(?![a-zà-ÿœ])",
    ),
    correction: opening(
      "(?:não|nao)[,.:]+ (?!obrigad)[a-zà-ÿœ]",
      "não,? (?:eu quis dizer|quis dizer|é|era|está)(?![a-zà-ÿœ])",
      "(?:isso )?(?:está errado|tá errado|é incorreto|não (?:é|está) (?:correto|certo|isso|assim)|você se enganou|errado)(?![a-zà-ÿœ])",
      "(?:na verdade|quis dizer|eu quis dizer|não foi (?:isso|o) que|quase, mas)(?![a-zà-ÿœ])",
    ),
  },
  decisions: {
    gate: /em (?:vez|lugar) de|ao invés|decid|decisão|vamos|prefir|escolh|opt|usar|porque|ficamos|melhor/i,
    choice: any(
      "^(?:a )?decisão\\s*:\\s*\\S",
      "(?<![a-zà-ÿœ])(?:decidi|decidimos|escolhi|escolhemos|optei por|optamos por)(?![a-zà-ÿœ])\\s+\\S",
    ),
    userChoice: any(
      "^(?:(?:sim|ok|bom|certo|então|não)[,. ]+){0,2}(?:vamos (?:com|de|usar|utilizar|ficar com|manter|guardar|deixar)|ficamos com|usemos)\\s+\\S",
      "(?<![a-zà-ÿœ])(?:prefiro|preferimos|preferia)\\s+(?!saber)\\S",
      "^(?:(?:sim|ok|não)[,. ]+){0,2}(?:usa|use|utilize)\\s[^?]{1,160}(?:porque|em vez de|em lugar de|ao invés de)",
    ),
    intent: any(
      "^(?:(?:sim|ok|bom|então|por isso|agora)[,. ]+){0,2}(?:usarei|utilizarei|usaremos|vou (?!ler|ver|revisar|olhar|executar|rodar|buscar|verificar|testar)|vamos (?!ler|ver|revisar|olhar|executar|rodar|buscar|verificar|testar)|mudarei|guardarei|manterei|farei)\\s*\\S",
      "^(?:em (?:vez|lugar) de|ao invés de) [^,]{2,120}, (?:usarei|vou|vamos|farei)",
    ),
    reasoned: any(
      "^(?:(?:sim|ok|bom|então|por isso|agora)[,. ]+){0,2}(?:usarei|utilizarei|usaremos|vou (?!ler|ver|revisar|olhar|executar|rodar|buscar|verificar|testar)|vamos (?!ler|ver|revisar|olhar|executar|rodar|buscar|verificar|testar)|mudarei|guardarei|manterei|farei)\\s*\\S",
      "^(?:em (?:vez|lugar) de|ao invés de) [^,]{2,120}, (?:usarei|vou|vamos|farei)",
    ),
    weighing: any(
      "(?:a|o) (?:melhor|mais simples|corret[oa]|mais limp[oa])(?: solução| opção| forma| correção)? (?:é|seria)\\s+\\S",
    ),
    proposal: /(?<![a-zà-ÿœ])(?:recomendo|recomendaria|proponho|sugiro|minha recomendação)(?![a-zà-ÿœ])/i,
    doubt:
      /\?\s*$|(?<![a-zà-ÿœ])(?:talvez|provavelmente|poderia|poderíamos|pode ser que|acho que|falha|falhando|erro|se (?:preferir|quiser))(?![a-zà-ÿœ])/i,
    alternative:
      /(?<![a-zà-ÿœ])(?:em vez d[eoa]s?|em lugar d[eoa]s?|ao invés d[eoa]s?|e não|a(?<=prefiro\s[^,.;]{1,60}))\s+(?=\S)/i,
    rationale:
      /(?<![a-zà-ÿœ])(?:porque|já que|pois|uma vez que|para (?:evitar|que|manter|não)|assim (?:evitamos|evita)|devido a)\s+(?=\S)/i,
  },
};
