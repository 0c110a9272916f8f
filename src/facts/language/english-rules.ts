// English cues of rules: what demands or forbids for good, and what only sounds so.
import { any, clause, type RuleCues, words } from "./cues.ts";

const FILLERS =
  "please|pls|and|also|but|so|just|then|ok|okay|remember|important|note|reminder|btw|again|seriously|yes|no|if possible|make sure|make sure to|make sure you|make sure that you|ensure you|ensure that you|be sure to|remember to|can you|could you|would you|i want you to|i need you to|the agent|agents|strictly";
/** Not an imperative: past forms, objects, comfort. */
const VERB =
  "(?:(?!necess|real|actual|exact|usual|normal|current|on)[a-z]{3,}ly\\s+)?(?!(?:necessarily|really|actually|exactly|fully|usually|normally|currently|easily|only|mind|been|seen|had|got|saw|again|a|an|the|in|on|at|my|this|that|it|we|you|i|he|they|knew|thought|heard|happy|happens|happened|works|worked|works?|ran|went|came|worry|worried|bother|know|think|care|see|understand|want|believe|feel|hesitate|panic|sweat|fret|sure|same|felt|wrong|right|true|false|ever|going|wanna|need|like|liked|recall|fear|stress|apologi[sz]e|get (?:why|how|it|that|what)|have (?:to|any|a|an|the|time)|be (?:silly|stupid|shy|afraid|sorry|lazy|surprised|alarmed|scared|sad|so)|quite|really|look like|expect)\\b)[a-z][a-z'-]*(?<!\\w(?:ed|ing))(?<![^s]s)(?<!(?<!app|re|supp|rep|imp|comp|multip)ly)\\b";
/** What a prohibition needs so that it says something: more than "do that". */
const OBJECT =
  "\\s+(?!(?:that|this|it|so|anything|yet|please|me|now)\\s*(?:again|yet|please|now|anymore|any more|for now)?\\s*[.!,;?]*(?:$|[,.!]))\\S";
const OBJECT_OR_CONDITION = `(?:${OBJECT}|\\s+(?:until|unless|before|without|yet)\\b)`;
const REPEATED =
  "(?:(?:each|every|any)\\s+(?:single\\s+|other\\s+)?(?:commit|time|change|step|pr|pull request|push|release|answer|reply|response|message|merge|edit|migration|phase|task|turn|run|deploy\\w*|session|claim|finding|statement|call|customer|email|ticket|request)|(?:each|every|any)\\s+new\\s+[a-z-]+)";
const NOT_DO = "(?:\\bdon['’]?t|\\bdo not)\\s+(?:[a-z]+ly\\s+|just\\s+)?";
/** What is done to things that are not the agent's to change, or to others: who forbids it forbids it for good. */
const GUARDED =
  "touch|modify|change|edit|alter|delete|remove|rename|move|commit|push|deploy|merge|rebase|publish|release|install|upgrade|restart|reboot|drop|overwrite|break|replace|rewrite|refactor|reformat|expose|log|leak|share|send|mention|reveal|disclose|tell|email|contact|kill|truncate|migrate|reset|amend|squash|spend|book|cancel|buy|pay|mess|override|bypass|skip|disable|ignore|hard-?code|invent|fabricate|make up|elide|scale|round|translate";
const DETERMINER = "(?:the|a|an|this|that|these|those|my|your|our|its|it|them|their|his|her|both|either|some)\\b";
const NOT_SUBJECT = "(?<!\\b(?:this|that|it|there|they|he|she|i|something|someone|which|these|those))";

export const englishRules: RuleCues = {
  gate: /\b(?:nobody|no one|steer|essential|crucial|vital|imperative|critical|never|not|\w{2,6}n['’]?t|no|avoid|refrain|forbidden|prohibited|off[- ]limits|alone|untouched|hands off|stay away|keep (?:away|out)|ha(?:ve|s) to|needs? to|stop|always|must|from now|going forward|henceforth|from here on|for the rest|in (?:the )?future|as a rule|at all times|only|each|every|any|whenever|any ?time|before|first|ask|stick to|stay within|adhere|follow|prefer|mandatory|non-negotiable|all|everything|rules?|guidelines?|conventions?|constraints?|restrictions?|policy|policies|principles|forget|free to|allowed|fine|okay|ok|should|cannot|ensure|make sure|without|touch|read-only|now|whatever|throughout|keep|transfer|deny|refuse|offer|verify|confirm|provide|respond|answer|escalate|report|check|explain|greet|output|include|limit|treat|wait|remain|cite|quote|decline|redirect|format|we)\b/i,
  prohibitions: [
    clause(
      FILLERS,
      `never(?:,? ever,?)?\\s+${VERB}${OBJECT_OR_CONDITION}`,
      "(?:do not|don['’]?t) you (?:ever|dare) [a-z]+",
    ),
    words(
      "(?:you|we|agents?|nobody|no one) (?:must|may|should|shall)\\s+(?:not|never|under no circumstances)\\s+[a-z]+",
      "(?:you|we) (?:mustn|shouldn)['’]?t\\s+[a-z]+",
      "must\\s+(?:not|never)\\s+[a-z]+",
      "must ?n['’]t\\s+[a-z]+",
      "should (?:not|never) be (?:changed|edited|touched|modified|committed|used|deleted|removed|renamed|logged|exposed|stored)",
      "(?:nobody|no one|nothing) (?:may|must|should|is allowed to|gets to) [a-z]+",
      "(?:nobody|no one) (?:but|except|besides|other than) [a-z]+ (?:may |can |should |must )?[a-z]+",
      "steer clear of",
    ),
    clause(
      FILLERS,
      "no (?:new|more|extra|additional|external|third[- ]party|direct|raw|global|hard-?coded|inline|magic|unused|default|breaking|unrelated|other)\\s+(?:[a-z]+\\s+){0,2}?(?:dependenc|deps|package|librar|module|file|comment|test|abstraction|framework|feature|function|class|tool|emoji|log|print|import|export|endpoint|migration|script|global|state|magic|number|string|sql|quer|type|any|cast|style|change|refactor|call|request|service|table|column|branch|commit|variable|plugin|dep\\b|config|flag|option|helper|api|dialog|popup|warning|cod)[a-z]*(?! (?:was|were|is|are|found|came|yet|here|there|needed|necessary|required)\\b)",
      "no [a-z-]+(?: [a-z-]+){0,3} (?:allowed|permitted|without|ever|anywhere|whatsoever)",
      "no (?:emojis?|force[- ]push(?:es|ing)?|console\\.log\\w*|default exports?|mocks?|globals?|magic numbers?|hacks|shortcuts|semicolons|tabs|abbreviations|co-author\\w*|trailers)(?![a-z])",
    ),
    words(
      "(?:is|are|remains?) (?:strictly |absolutely |completely |now )?(?:forbidden|prohibited|off[- ]limits|not allowed|not permitted|not acceptable|banned|taboo|read-only for you)",
      "under no circumstances?",
      "keep (?:your )?hands off",
      "(?:stay|keep) (?:away from|out of)",
    ),
    clause(
      FILLERS,
      `(?:avoid|refrain from)\\s+(?!this\\b|that\\b|it\\b|confusion)[a-z\`]`,
      "hands off\\s+\\S",
      "leave\\s+(?!it\\b|that\\b|this\\b|them\\b|me\\b)[^,.;]{2,80}?\\s(?:alone|untouched|unchanged|as (?:it is|they are|is))\\b",
      `stop\\s+(?!doing|being|working|running|fucking)[a-z]+ing${OBJECT}`,
      `let['’]?s never\\s+${VERB}${OBJECT}`,
      "i (?:do not|don['’]?t) (?:ever )?want (?:you to\\s+[a-z]+|any|to (?:see any|modify|change|touch|mess|edit|break|add|introduce|depend)\\b)",
      "i never want",
      "we (?:do not|don['’]?t) (?:use|allow|permit|accept|write|commit|push|deploy|ship|mock|store|log|hard-?code|do)\\s[^,.?]{2,60}?\\s(?:here|ever|at all|on \\w+days|in (?:this|the|our) (?:repo|repository|project|code\\s?base|team|company))\\b",
      "(?:nobody|no one)\\s+[a-z]+s\\s[^?]{2,80}\\bwithout\\s",
      `we never\\s+(?!get|see|find|found|know|reach|end|hit)${VERB}${OBJECT}`,
      "you (?:can['’]?t|cannot|can not) (?:use|touch|modify|install|import|push|commit|call)\\s",
    ),
    words(
      "without (?:my|our|explicit|written) (?:explicit |prior |written |express )?(?:approval|permission|ok|okay|say-so|consent|confirmation|go-ahead|sign-?off)",
    ),
  ],
  demands: [
    clause(
      FILLERS,
      `always\\s+${VERB}\\s+\\S`,
      "we (?:only|always) (?:use|write|store|return|log|name|test|commit|deploy|run|keep|put|sign|format|support|ship|target)\\s+\\S",
      "(?:you |we )?(?:must|have to|need to|should) always\\s+[a-z]+",
      "only (?:ever )?(?:use|edit|touch|change|modify|write|commit|run|work|read|answer|reply|respond|import|push|deploy|speak)\\s+\\S",
      "(?:use|edit|touch|change|modify|write|commit|run|import|push|deploy|reply|respond|answer|speak)(?: to| in| on| with)? only\\s+\\S",
    ),
    /\b(?:you|we|agents?|everyone|everybody|everything)\s+must\s+(?!have (?:been|had|missed|got)|be (?:wrong|right|kidding|joking|mad))[a-z]/i,
    new RegExp(
      `[a-z\`'"\\])]${NOT_SUBJECT}\\s+must\\s+(?:always\\s+)?(?!have\\b|['’]ve|not\\b|never\\b|be (?:a|an|the|because|wrong|something|some|that|due|missing|related|coming|happening|broken|why|where)\\b)[a-z]`,
      "i",
    ),
    clause(
      "and|but|so|please|ok|okay|also",
      "(?:from now on|going forward|moving forward|from here on|from this point on|henceforth|in (?:the )?future|for the rest of (?:this|the|our) (?:session|conversation|project|chat|work|day)|for the remainder of|as a rule|at all times)[,:]?\\s+(?!(?:we|i|it|this|that|they)\\b[^,.]{0,40}\\b(?:might|could|may|would|can)\\b)\\S",
    ),
    words("(?:from now on|going forward|moving forward|at all times|from here on|henceforth)[.!]*$"),
    clause(
      FILLERS,
      `(?:run|keep|ask|add|write|update|use|commit|include|check|show|tell|report|test|document|put|push|give|format|lint|build|cite|name|quote|bump|summari[sz]e|explain|verify|start|end|finish|prefix|sign|wrap|log|make|create|do|review|rebuild|regenerate)\\b(?:(?!,? (?:which|that|so that|because)\\b)[^?.]){0,100}?\\b${REPEATED}\\b`,
      `(?:before|after|on|with|for|at the end of|at the start of)\\s+${REPEATED}\\b[^?]{0,60}?[,:]?\\s*(?:please\\s+|always\\s+|you must\\s+|first\\s+)?(?:run|ask|add|write|update|use|commit|check|show|tell|report|test|document|push|format|lint|build|verify)\\b`,
      "(?:whenever|every time|any ?time|each time) you\\s+[a-z]+",
      `(?:whatever (?:you do|happens)),?\\s+${VERB}\\s+\\S`,
      `${VERB}\\s[^?]{2,100}?\\s(?:whenever|every time|each time)\\s+\\S`,
      `(?:throughout|everywhere in|all through) (?:this|the|our) (?:project|repo|repository|code\\s?base|session|conversation|document|report|study|review)\\b,?\\s+\\S`,
      "keep (?:all |your |the |every )?(?:answers?|replies|reply|responses?|messages?|explanations?|commits?|commit messages|prs?|pull requests|functions|files|comments|summaries|lines)\\s+(?:under|below|within|short|small|brief|concise|to|in|at|atomic|polite|formal)\\b",
    ),
    clause(
      FILLERS,
      "(?:always )?(?:ask|check with|consult|tell|warn|notify|wait for|get) (?:me|us|my (?:approval|permission|ok|okay|confirmation|go-ahead)|for (?:my )?(?:approval|permission|confirmation))\\b[^?]{0,60}?\\b(?:before|first|until|prior)\\b",
      "ask (?:first )?before\\s+(?:you\\s+)?[a-z]+",
      "ask first\\b",
    ),
    clause(
      FILLERS,
      "(?:stick to|stay within|adhere to|comply with)\\s+(?!it\\b|that\\b|this\\b)\\S",
      "follow (?:the|our|my|these|this|all|existing)\\b[^,.?]{0,40}?(?:rules?|conventions?|guidelines?|style ?guide|style|standards?|polic(?:y|ies)|patterns?)\\b",
      "prefer\\s+(?:the |a |to )?\\S+(?: \\S+){0,6}? (?:over|to|instead of|rather than)\\s",
      "treat\\s.{1,60}?\\sas (?:read-only|sacred|immutable|frozen|confidential)",
    ),
    words(
      "it(?:['’]s| is) (?:essential|crucial|vital|imperative|critical) that [a-z]+",
      "(?:is|are|it['’]s) (?:mandatory|compulsory|non-negotiable|a hard requirement|read-only)",
      "(?:all|every|any|each) (?!of\\b)(?:new |public |api |unit )?[a-z-]+(?: [a-z-]+){0,3} (?:must|has to|have to|should always|(?<!you |we |i )needs? to (?:be|have|go|use|pass|include))",
      "(?:values?|names?|dates?|amounts?|files?|messages?|tests?|commits?|ids?|fields?|keys?|timestamps?|paths?|prices?|numbers?|strings?|functions?|modules?) (?:have|has|need|needs) to (?:always )?(?:be|have|use|start|end)",
    ),
    clause(FILLERS, "(?:make sure|ensure|be sure|see to it)\\b[^?]{0,60}?\\b(?:always|never|all times|every|each)\\b"),
  ],
  passing: {
    prohibitions: [
      clause(
        FILLERS,
        `(?:do not|do never|don['’]?t)(?:,? under any circumstances?,?|,? at any (?:time|point),?|,? please,?)?\\s+(?:ever\\s+|directly\\s+|automatically\\s+|just\\s+|blindly\\s+)?${VERB}${OBJECT_OR_CONDITION}`,
        `let['’]?s not\\s+${VERB}${OBJECT}`,
      ),
    ],
    lasting: any(
      "\\b(?:ever|always|any|every|each|all|only|whatsoever|nothing|anything|anyone|anybody|anywhere|everywhere|until|unless|before|without|whenever|again|anymore|under any|from now on|going forward)\\b",
      "\\b(?:when|while|if) (?:you|we)\\b|\\bin (?:this|our) (?:repo|repository|project|code\\s?base|session|conversation|chat|branch)\\b",
      "\\b(?:because|since|as (?:we|it|they)|so that|we (?:can['’]?t|cannot|don['’]?t)|(?:it|that|this) (?:would|will|might|may|breaks))\\b",
      "^(?:please |and |but )?(?:remember|important|reminder|note|rule)\\b",
      `${NOT_DO}(?:${GUARDED})\\b`,
      `${NOT_DO}(?:use|add|write|create|introduce|generate|include|put|insert|make|import|return|print|leave|show|give|produce|emit)\\s+(?!${DETERMINER})(?:[a-z-]+\\s+){0,2}[a-z-]{2,}(?<!s)s\\b`,
      `${NOT_DO}use\\s+(?!${DETERMINER})[^\\s,;]+(?:\\s(?!use\\b|just\\b)[^\\s,;]+){0,2}[.!]*$`,
    ),
  },
  policies: {
    prohibitions: [
      words(
        "(?:should|can|may|shall) ?(?:not|never|n['’]t)\\s+[a-z]+",
        "cannot\\s+[a-z]+",
        "can['’]t\\s+[a-z]+",
        "is not (?:possible|supported|available) ",
      ),
    ],
    demands: [
      words(
        "should\\s+(?!be [\"'`“])[a-z]+",
        "(?:can|may) only\\s+[a-z]+",
        "at most",
        "at least",
        "(?:agent|user|customer|passenger|code|response|request|output|file|message|test|change)s? needs? to\\s+[a-z]+",
        "only if",
      ),
      clause(FILLERS, "(?:make sure|ensure|be sure)\\s+\\S"),
      /^(?:transfer|deny|refuse|offer|ask|verify|confirm|use|do|provide|respond|reply|answer|escalate|follow|keep|report|check|explain|greet|be|stay|return|output|include|limit|write|treat|wait|remain|cite|quote|decline|redirect|apologi[sz]e|address|speak|format|prefer|call) (?!with the following|the following)\S/i,
    ],
  },
  exempt:
    /\b(?:never ?mind|no (?:worries|problem|idea|need|rush|longer)|(?:don['’]?t|do not) (?:have|need) to|needn['’]?t|why (?:don['’]?t|do|does|did|is|are|must|should)|if you (?:don['’]?t|do not|must)|i (?:don['’]?t|do not) (?:know|think|understand|see|get|care|believe|remember|mind)|(?:don['’]?t|do not) (?:worry|bother|forget|hesitate|get me wrong|you think)|there (?:must|should)|must have (?:been|missed|had|got)|must['’]ve|should never happen|(?:it|this|that|he|she|there|which|they) (?:always|never)|must say|must admit|not sure|^(?:so |and |but )?this [^,]{0,30}\bmust|^(?:this|that|it) is (?:non-negotiable|mandatory|forbidden|required)(?=[.! ]*$)|^(?:good|bad|pros?|cons?|neutral)\b ?[,:—–-].{0,480}|,? so (?!the agent|agents|you\b|we\b)(?:the |these |this |it |`)[^.]{0,100}\bmust\b|^(?:currently|right now|today|at the moment),? [^.]{0,80}\bmust\b|\bmust (?:manually|guess)\b|(?:users?|developers?|callers?|consumers?|they)\b[^.]{0,60}\bmust (?:know|understand|remember|wait|learn|wrap)\b|\bthat needs? to\b|(?:because|since|meaning)\b[^.]{0,160}\b(?:must|ha(?:s|ve) to|needs? to|never|always)\b|(?:caus(?:ed|es|ing)|results? in|resulted in|leads? to|led to|turns out)\b[^.]{0,160}\b(?:always|never|must)\b|(?:this|that|it) is something\b[^.]{0,60}\b(?:cannot|can't)|i think\b[^,]{0,60}(?:doesn['’]?t|does not|isn['’]?t))\b/i,
  heading:
    /^(?:[^.?!\n]{0,60}\b)?(?:rules?|guidelines?|constraints?|conventions?|restrictions?|house style|standards|(?:core |guiding |design )?principles|do['’]?s and don['’]?ts|non-negotiables|policy|policies|must-haves)\b(?: \([^)]{0,40}\))?(?: (?:for|of|to|in|that|you|we|here|about|on)\b[^.?!:：\n]{0,60})?\s*[:：]?$/i,
  negatedItem:
    /^(?:please |also |and |but )?(?:no(?! longer)|never|not|don['’]?t|do not|avoid|nothing|none|must not|mustn['’]?t|without|refrain|stop|hands off)\b/i,
  withdrawal: any(
    "\\byou (?:may|can|are (?:now )?(?:allowed|free|welcome) to)\\b[^?]{0,120}\\b(?:now|again|after all|anyway|from now on|as well now|too now)\\b",
    "\\byou (?:now )?(?:may|can) (?:now|again)\\b",
    "\\b(?:feel free to|it['’]?s (?:now )?(?:ok|okay|fine|alright|all right) (?:now )?to|is (?:now )?(?:allowed|ok|okay|fine|permitted)(?: again| now)?[.!]*$)",
    "\\b(?:forget|drop|ignore|disregard|scrap|lift|cancel|withdraw|scratch|never ?mind|undo|revoke|remove) (?:about )?(?:the|my|that|what)\\b[^?]{0,80}\\b(?:rule|restriction|constraint|ban|limit|policy|instruction|requirement|i said)\\b",
    "\\b(?:the|my|that) [^?]{0,60}\\b(?:rule|restriction|constraint|ban|policy)\\b[^?]{0,40}\\b(?:no longer|is (?:gone|lifted|off|over|cancelled|dropped)|doesn['’]?t apply|does not apply)\\b",
    "\\b(?:you )?(?:no longer|don['’]?t|do not) (?:need|have) to\\b[^?]{0,80}\\b(?:any ?more|anymore|any longer|now)\\b|\\b(?:you )?no longer (?:need|have) to\\b",
    "\\b(?:is|are) no longer (?:forbidden|prohibited|mandatory|off[- ]limits)\\b",
  ),
};
