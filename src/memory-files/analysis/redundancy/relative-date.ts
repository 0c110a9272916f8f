// Words that mean a day by its distance from the day of writing. In a note its date tells which day that was; the same
// sentence anywhere else means another day.

const LATIN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    "today|todays|yesterday|tomorrow|tonight|ago|currently|right now|just now",
    "(?:this|last|next|past|coming) (?:night|morning|afternoon|evening|day|week|weekend|month|quarter|year|sprint|session|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
    "heute|heutige[rnms]?|gestern|gestrige[rnms]?|morgen|vorgestern|übermorgen|(?:letzte|nächste|diese|vorige)[rnms]? (?:woche|monat|jahr|nacht|sprint)",
    "hoy|ayer|mañana|anteayer|anoche|(?:esta|este|próxima|próximo) (?:semana|mes|año|noche)|(?:semana|mes|año) (?:pasada|pasado|próxima|próximo)",
    "hoje|ontem|amanhã|anteontem|(?:esta|este|próxima|próximo) (?:semana|mês|ano)|(?:semana|mês|ano) (?:passada|passado)",
    "aujourd'hui|aujourd’hui|hier|demain|avant-hier|cette semaine|ce mois|(?:semaine|mois) (?:dernière|dernier|prochaine|prochain)",
    "oggi|ieri|domani|stasera|сегодня|вчера|завтра|bugün|dün|yarın",
  ].join("|")})(?![\\p{L}\\p{N}])`,
  "iu",
);
const CJK =
  /今[天日晚早晨夜朝年]|昨[天日晚夜]|明[天日晚早年]|前天|后天|後天|去年|刚才|刚刚|剛才|目前|当前|现在|[本这上下]个?[周月季]|[這本上下]個?[週月季]|[本这上下]个?星期|[先今来]週|[先今来]月|きょう|きのう|あした|오늘|어제|내일|지난주|이번 ?주|다음 ?주/u;

export function hasRelativeDate(text: string): boolean {
  return CJK.test(text) || LATIN.test(text.replace(/\s+/g, " "));
}
