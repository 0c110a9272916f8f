// English cues. The other languages follow the same plan; this one is the longest because most is said in it.
import { any, clause, type Language, opening, words } from "./cues.ts";

const FILLERS =
  "please|pls|and|also|but|so|just|then|ok|okay|remember|important|note|reminder|btw|again|seriously|yes|no|if possible|make sure|make sure to|make sure you|make sure that you|ensure you|ensure that you|be sure to|remember to|can you|could you|would you|i want you to|i need you to|the agent|agents|strictly";
/** Not an imperative: past forms, objects, comfort. */
const VERB =
  "(?:(?!necess|real|actual|exact|usual|normal|current|on)[a-z]{3,}ly\\s+)?(?!(?:necessarily|really|actually|exactly|fully|usually|normally|currently|easily|only|mind|been|seen|had|got|saw|again|a|an|the|in|on|at|my|this|that|it|we|you|i|he|they|knew|thought|heard|happy|happens|happened|works|worked|works?|ran|went|came|worry|worried|bother|know|think|care|see|understand|want|believe|feel|hesitate|panic|sweat|fret|sure|same|felt|wrong|right|true|false|ever|going|wanna|need|like|liked|recall|fear|stress|apologi[sz]e|get (?:why|how|it|that|what)|have (?:to|any|a|an|the|time)|be (?:silly|stupid|shy|afraid|sorry|lazy|surprised|alarmed|scared|sad|so)|quite|really|look like|expect)\\b)[a-z][a-z'-]*(?<!\\w(?:ed|ing))(?<![^s]s)\\b";
/** What a prohibition needs so that it says something: more than "do that". */
const OBJECT =
  "\\s+(?!(?:that|this|it|so|anything|yet|please|me|now)\\s*(?:again|yet|please|now|anymore|any more|for now)?\\s*[.!,;?]*(?:$|[,.!]))\\S";
const OBJECT_OR_CONDITION = `(?:${OBJECT}|\\s+(?:until|unless|before|without|yet)\\b)`;
const REPEATED =
  "(?:each|every|any)\\s+(?:single\\s+|new\\s+|other\\s+)?(?:commit|time|change|step|file|function|test|pr|pull request|push|release|answer|reply|response|message|module|merge|edit|migration|phase|task|turn|run|endpoint|query|table|class|component|deploy\\w*)";
const NOT_SUBJECT = "(?<!\\b(?:this|that|it|there|they|he|she|i|something|someone|which|these|those))";

export const english: Language = {
  name: "English",
  rules: {
    gate: /\b(?:never|not|\w{2,6}n['’]?t|no|avoid|refrain|forbidden|prohibited|off[- ]limits|alone|untouched|hands off|stay away|keep (?:away|out)|ha(?:ve|s) to|needs? to|stop|always|must|from now|going forward|henceforth|from here on|for the rest|in (?:the )?future|as a rule|at all times|only|each|every|any|whenever|any ?time|before|first|ask|stick to|stay within|adhere|follow|prefer|mandatory|non-negotiable|all|everything|rules?|guidelines?|conventions?|constraints?|restrictions?|policy|policies|principles|forget|free to|allowed|fine|okay|ok|should|cannot|ensure|make sure|without|touch|read-only|now)\b/i,
    prohibitions: [
      clause(
        FILLERS,
        `never(?:,? ever,?)?\\s+${VERB}${OBJECT_OR_CONDITION}`,
        `(?:do not|do never|don['’]?t)(?:,? under any circumstances?,?|,? at any (?:time|point),?|,? please,?)?\\s+(?:ever\\s+|you (?:ever |dare )|directly\\s+|automatically\\s+|just\\s+|blindly\\s+)?${VERB}${OBJECT_OR_CONDITION}`,
      ),
      words(
        "(?:you|we|agents?|nobody|no one|code|commits?) (?:must|may|should|shall)\\s+(?:not|never|under no circumstances)\\s+[a-z]+",
        "(?:you|we) (?:mustn|shouldn)['’]?t\\s+[a-z]+",
        "must\\s+(?:not|never)\\s+[a-z]+",
        "must ?n['’]t\\s+[a-z]+",
        "should (?:not|never) be (?:changed|edited|touched|modified|committed|used|deleted|removed|renamed|logged|exposed|stored)",
        "(?:nobody|no one|nothing) (?:may|must|should|is allowed to|gets to) [a-z]+",
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
        `let['’]?s (?:not|never)\\s+${VERB}${OBJECT}`,
        "i (?:do not|don['’]?t) (?:ever )?want (?:you to\\s+[a-z]+|any|to (?:see any|modify|change|touch|mess|edit|break|add|introduce|depend)\\b)",
        "i never want",
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
        "only (?:ever )?(?:use|edit|touch|change|modify|write|commit|run|add|work|read|answer|reply|respond|import|call|make|create|push|deploy|show|log|test|delete|return|speak)\\s+\\S",
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
        `(?:run|keep|ask|add|write|update|use|commit|include|check|show|tell|report|test|document|put|push|give|format|lint|build|summari[sz]e|explain|verify|start|end|finish|prefix|sign|wrap|log|make|create|do|review|rebuild|regenerate)\\b(?:(?!,? (?:which|that|so that|because)\\b)[^?.]){0,100}?\\b${REPEATED}\\b`,
        `(?:before|after|on|with|for|at the end of|at the start of)\\s+${REPEATED}\\b[^?]{0,60}?[,:]?\\s*(?:please\\s+|always\\s+|you must\\s+|first\\s+)?(?:run|ask|add|write|update|use|commit|check|show|tell|report|test|document|push|format|lint|build|verify)\\b`,
        "(?:whenever|every time|any ?time|each time) you\\s+[a-z]+",
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
        "(?:is|are|it['’]s) (?:mandatory|compulsory|non-negotiable|a hard requirement|read-only)",
        "(?:all|every|any|each) (?!of\\b)(?:new |public |api |unit )?[a-z-]+(?: [a-z-]+){0,3} (?:must|has to|have to|should always|(?<!you |we |i )needs? to (?:be|have|go|use|pass|include))",
        "(?:values?|names?|dates?|amounts?|files?|messages?|tests?|commits?|ids?|fields?|keys?|timestamps?|paths?|prices?|numbers?|strings?|functions?|modules?) (?:have|has|need|needs) to (?:always )?(?:be|have|use|start|end)",
      ),
      clause(
        FILLERS,
        "(?:make sure|ensure|be sure|see to it)\\b[^?]{0,60}?\\b(?:always|never|all times|every|each)\\b",
      ),
    ],
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
          "should\\s+[a-z]+",
          "(?:can|may) only\\s+[a-z]+",
          "at most",
          "at least",
          "(?:agent|user|customer|passenger|code|response|request|output|file|message|test|change)s? needs? to\\s+[a-z]+",
          "only if",
        ),
        clause(FILLERS, "(?:make sure|ensure|be sure)\\s+\\S"),
      ],
    },
    exempt:
      /\b(?:never ?mind|no (?:worries|problem|idea|need|rush|longer)|(?:don['’]?t|do not) (?:have|need) to|needn['’]?t|why (?:don['’]?t|do|does|did|is|are|must|should)|if you (?:don['’]?t|do not|must)|i (?:don['’]?t|do not) (?:know|think|understand|see|get|care|believe|remember|mind)|(?:don['’]?t|do not) (?:worry|bother|forget|hesitate|get me wrong|you think)|there (?:must|should)|must have (?:been|missed|had|got)|must['’]ve|should never happen|(?:it|this|that|he|she|there|which|they) (?:always|never)|must say|must admit|not sure|i think\b[^,]{0,60}(?:doesn['’]?t|does not|isn['’]?t))\b/i,
    heading:
      /^(?:[^.?!\n]{0,60}\b)?(?:rules?|guidelines?|constraints?|conventions?|restrictions?|house style|standards|(?:core |guiding |design )?principles|do['’]?s and don['’]?ts|non-negotiables|policy|policies|must-haves)\b(?: \([^)]{0,40}\))?(?: (?:for|of|to|in|that|you|we|here|about|on)\b[^.?!:：\n]{0,60})?\s*[:：]?$/i,
    negatedItem:
      /^(?:please |also |and |but )?(?:no|never|not|don['’]?t|do not|avoid|nothing|none|must not|mustn['’]?t|without|refrain|stop|hands off)\b/i,
    withdrawal: any(
      "\\byou (?:may|can|are (?:now )?(?:allowed|free|welcome) to)\\b[^?]{0,120}\\b(?:now|again|after all|anyway|from now on|as well now|too now)\\b",
      "\\byou (?:now )?(?:may|can) (?:now|again)\\b",
      "\\b(?:feel free to|it['’]?s (?:now )?(?:ok|okay|fine|alright|all right) (?:now )?to|is (?:now )?(?:allowed|ok|okay|fine|permitted)(?: again| now)?[.!]*$)",
      "\\b(?:forget|drop|ignore|disregard|scrap|lift|cancel|withdraw|scratch|never ?mind|undo|revoke|remove) (?:about )?(?:the|my|that|what)\\b[^?]{0,80}\\b(?:rule|restriction|constraint|ban|limit|policy|instruction|requirement|i said)\\b",
      "\\b(?:the|my|that) [^?]{0,60}\\b(?:rule|restriction|constraint|ban|policy)\\b[^?]{0,40}\\b(?:no longer|is (?:gone|lifted|off|over|cancelled|dropped)|doesn['’]?t apply|does not apply)\\b",
      "\\b(?:you )?(?:no longer|don['’]?t|do not) (?:need|have) to\\b[^?]{0,80}\\b(?:any ?more|anymore|any longer|now)\\b|\\b(?:you )?no longer (?:need|have) to\\b",
      "\\b(?:is|are) no longer (?:forbidden|prohibited|mandatory|off[- ]limits)\\b",
    ),
  },
  responses: {
    approval: opening(
      "(?:yes|yep|yeah|yup|yea|ye|sure|absolutely|definitely|exactly|correct|agreed|approved|perfect|lgtm|confirmed|affirmative|of course|please do|do it|do that|go ahead|go for it|ship it|proceed|make it so|sounds? (?:good|great|fine|right|reasonable)|looks? (?:good|great|fine|right|perfect)|that works|works for me|i agree|fine by me|good idea|great idea|i like (?:it|that)|that['’]?s (?:right|correct|fine|it|perfect|great|good|exactly))(?![a-zà-ÿœ'’-])(?! (?:but no|how|why|what))(?![,!.]? (?:my|the|it['’]s|i am|i['’]m|here) )",
      "(?:ok(?:ay)?|k|alright|all right|cool|great|nice|good|fine|awesome|excellent|amazing|thanks|thank you|perfect|right)[.!]*$",
      "(?:(?:ok(?:ay)?|alright|all right|cool|great|nice|good|fine|awesome|excellent|right)[,.! ]+){1,3}(?:yes|go ahead|go for it|do (?:it|that|so|option|number|#?\\d)|let['’]?s (?:do|go|implement|start|proceed|ship)|proceed|continue|start implementing|sounds good|looks good|that works|this (?:looks|is) (?:good|great|amazing|perfect)|option|works for me|ship it|please do|merge it|commit (?:it|that|this)|i agree|makes sense)\\b",
      "(?:this|that|it|everything|all|rest|the rest|both) (?:looks?|sounds?|seems?|is|works?) (?:good|great|fine|right|perfect|ok|okay|amazing|correct|well)\\b",
      "(?:wow[, ]+)?(?:it|that|this|everything) works(?: now)?[.!]*$",
      "(?:i['’]?m happy with|happy with|fully agree|makes sense)\\b",
    ),
    refusal: opening(
      "(?:no|nope|nah)[,.!]* (?:don['’]?t|do not|thanks|thank you|leave|stop|keep|not (?:now|yet|that)|never|remove this|please don|way|undo|revert|skip|that['’]?s (?:all|ok|okay|alright|fine)|i(?: really)? (?:do not|don['’]?t) (?:want|need)|i(?:['’]d| would)(?: really)? (?:rather|prefer) not|let['’]?s not)\\b",
      "(?:no|nope|nah|no way|no thanks|no thank you|absolutely not|definitely not|not now|not yet|never)[.!, ]*$",
      "(?:please )?(?:stop|abort|cancel|halt|don['’]?t|do not)(?: (?:it|that|this|do (?:it|that|this)|right there|now|please|doing that|everything))*[.!, ]*$",
      "stop[,.!]+ ",
      "(?:just |can |please )?(?:leave (?:it|that|this)|skip (?:it|that|this)|forget (?:it|that)|never ?mind|revert (?:it|that|this)|undo (?:it|that|this))\\b",
      "(?:i (?:disagree|don['’]?t (?:like|want) (?:it|that|this))|i['’]?d rather not|rather not|let['’]?s not)\\b",
    ),
    correction: opening(
      "\\[Request interrupted by user",
      "(?:no|nope|nah)[,.!:;]+\\s*(?!idea|problem|worries|need|rush|thanks)(?:i |it |it['’]|that|this|the |we |you |not |use |in |on |there|they|its |my |what|a |an |should|put |make |dim|bot|both|actually|sorry|\\S+ should|\\S+ (?:is|are) )",
      "no (?:i meant|that['’]?s|it['’]?s|not|the other|we want|you)\\b",
      "(?:actually|wait|hm+|hmm+|sorry|oh|ah)[,.!: ]+(?:wait[, ]+)?(?:no\\b|i meant|that['’]?s (?:wrong|not|incorrect)|it['’]?s (?:not|actually|the)|it should|use |not |you(?:['’]re| are) wrong|wtf)",
      "(?:that|this|it|you|which)(?:['’]?s| is|['’]?re| are|Ä['’]?s)? (?:wrong|incorrect|not (?:right|correct|true|it|what|the|quite|how|exactly)|still (?:wrong|not))\\b",
      "(?:wrong|incorrect|not quite|not what i|you misunderst\\w*|you got (?:it|that) wrong|i (?:said|meant|asked)|i didn['’]?t (?:mean|ask|say))\\b",
      "not [^,.!?]{1,40}? but \\S",
      "not [\\w\\s'\"`./-]{1,40}(?:,| but| -) (?:but|the|use|it|i)\\b",
      "[^.?!\\n]{1,60} (?:is|are|was|were) (?:not correct|incorrect|wrong|not right|misleading)\\b",
      "(?:\\S+ ){1,4}(?:is|are) actually\\b",
    ),
  },
  decisions: {
    gate: /\b(?:instead|rather|opposed to|decisions?|decided|agreed|ended up|choice|cho[so]en?|opt(?:ed|ing)?|picked|selected|settl(?:ed|ing)|elected|going with|go (?:with|for)|went with|let['’]?s|let us|prefere?|because|since|so that|to (?:avoid|prevent|keep|preserve)|simplest|cleanest|best|right|proper|correct|easiest|safest|robust|better|invasive|fix is|fix:|solution|approach|stick|sticking|stay|we['’]ll|we will|i['’]ll|we want|i want to|recommend)\b/i,
    choice: any(
      "^(?:so |then |finally |also )?decided (?:to|on|against|not)\\s+\\S",
      "^(?:(?:my|our) (?:decision|choice)|the decision) (?:is|was) to\\s",
      "\\bwe(?:['’]ve| have)? agreed (?:to|on|that)\\s+\\S",
      "\\b(?:i|we) ended up (?:using|with|going|choosing|keeping|putting)\\s+\\S",
      "^(?:the |our |my |final |key |design |architecture |architectural |technical )*(?:decisions?|choice)(?: made| taken)?\\s*[:—–]\\s*\\S",
      "\\b(?:i|we)(?:['’]ve| have)? (?:decided|chose|opted|settled|elected)\\b(?! (?:whether|if|yet))\\s+(?:to|on|against|for|not|that|\\S)",
      "\\b(?:i|we)(?:['’]ll| will|['’]m| am|['’]re| are)? (?:go|going|went) with\\s+(?!that (?:then)?[.?])\\S",
      "^(?:ok(?:ay)?[,.]? |so[,]? |then[,]? )?(?:going|sticking|settling) (?:with|on|for)\\s+\\S",
      "\\b(?:i|we)(?:['’]ll| will| am going to|['’]m going to) (?:stick|stay) (?:with|to)\\s+\\S|\\b(?:i|we)(?:['’]ll| will) opt for\\s+\\S",
      "\\b(?:i|we)(?:['’]ve| have)? (?:picked|selected)\\s+\\S[^.]{0,120}\\b(?:because|since|over|instead|rather|as the|for)\\b",
    ),
    userChoice: any(
      "^(?:(?:ok(?:ay)?|yes|yeah|yep|alright|cool|hmm*|so|then|no|good|right|fine|great)[,.! ]+){0,3}(?:let['’]?s|let us|we['’]ll|we will|i['’]ll|we['’]re going to) (?:go with|go for|use|keep|store|stick|drop|skip|call it|call the|name|stay|switch|move to|put|save|host|run|deploy|base|write it|target|support|pick|choose|adopt|leave)\\b(?! (?:it )?(?:as )?(?:going|moving|up|the good)\\b)",
      "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*)[,.! ]+){0,3}go (?:with|for)\\s+(?!it[.! ]*$)\\S",
      "^(?!i appreciate|i understand your)(?:[^,]{0,60}[,.] (?:and |so |but )?|.{0,80}\\b(?:and|so|but|think) )?(?:i|we)(?:['’]?d| would)? (?:much |really |strongly |rather )?prefere? (?!(?:to )?(?:see|know|if you|not|a more)\\b)\\S",
      "\\b(?:i|we)(?:['’]?d| would) rather\\s+(?!not\\b)[a-z]",
      "^(?:(?:ok(?:ay)?|yes|yeah|alright|so|then|no|actually|hmm*|please|just)[,.! ]+){0,3}(?:use|keep|put|store|pick|choose|take|make it|name it|call it|move it)\\s[^?]{1,200}\\b(?:because|instead of|rather than|since)\\b",
      "\\b(?:i|we) want to (?:implement|keep|use|do|handle|store|build|ship|put|release|model)\\b[^?]{1,80}\\b(?:as a|instead|rather|separate|separately|in|with|because)\\b",
      "\\bno[,.]? we want (?:to )?\\S",
    ),
    intent: any(
      "^(?:(?:ok(?:ay)?|alright|great|good|perfect|right|so|now|then|therefore|here|for now|first|actually|you['’]re right|since [^,]{1,80}|because [^,]{1,80}|for [^,]{1,60}|to [^,]{1,80}|given [^,]{1,80}|in this case|done|got it)[,.!:—– -]+){0,3}(?:i['’]ll|i will|i['’]m going to|i am going to|let me|let['’]?s|we['’]ll|we will|we (?:now|will now)|i need to|i['’]m (?:using|keeping|making|putting|moving|replacing|switching)|i (?:used|kept|made|moved|replaced|switched|put|changed)|i['’]ve (?:used|kept|made|moved|replaced|switched|put|changed))\\s+(?:now |therefore |just |simply |also |still )?(?!(?:read|check|look|search|run|rerun|re-run|try|see|view|find|examine|verify|inspect|explore|investigate|understand|test|think|first|start by|take a look|debug|grep|list|open|confirm|review|analy[sz]e|show you|explain|wait|ask|do a|get|proceed|continue|begin|walk|help|make sure|know|double-check|keep (?:this|that|it|you|going|an eye|looking|reading|in mind)|use (?:the )?\\S{1,40} (?:tool|skill|command|agent)))",
      "^(?:instead of|rather than) [^,]{2,160},? (?:we|i)\\b(?! (?:can|could|might|may|should|would|have|had|need)\\b)|^(?:instead of|rather than) [^,]{2,160},? (?:i['’]ll|let me|we['’]ll|i['’]m)\\b",
      "^(?:updated|fixed)\\b[^.]{0,100}?\\bto (?:use|show|return|compare|pass|call|read|write|store)\\b",
      "^[^,.]{1,40} now (?:uses?|returns?|shows?|goes|reads?|writes?|stores?)\\b",
      "^(?:got it|understood|makes sense)\\s*[-–—,:.]\\s*\\S",
      "^(?:changed|switched|moved|replaced|replace|switch|use|keep|now uses?|kept|chose|take|store|put|return|pass|track|compare|queue|iterate|made|make|call)\\b",
    ),
    reasoned: any(
      "^(?:(?:ok(?:ay)?|alright|great|good|perfect|right|so|then|therefore|here|for now|you['’]re right|since [^,]{1,160}|because [^,]{1,160}|for [^,]{1,60}|to [^,]{1,80}|given [^,]{1,80}|after [^,]{1,80}|in this case|done|got it)[,.!:—– -]+){0,3}(?:i['’]ll|i will|i['’]m going to|we['’]ll|we will|let me|let['’]?s|i['’]m|i(?= (?:used|kept|placed|stored|made|skipped|left|replaced|switched|put)\\b)|i['’]ve)\\s+(?:therefore |just |simply |also |still |now )?(?:take(?! (?:a|another) (?:look|closer))|pick|choose|use|using|used|keep(?! (?:this|that|it|you|going|an eye|looking|reading|in mind))|keeping|kept|put|putting|place|placed|store|storing|stored|make it|made it|base|skip|skipped|skipping|leave|left|leaving|replace|replaced|switch|switched|pass|merge|split|avoid|treat|limit|simplify|introduce|extract|go|write it in|not)\\b(?! (?:the )?\\S{1,40} (?:tool|skill|command|agent)\\b)(?! (?:through|over|back|and|see|check|look)\\b)",
      "^(?:use|keep|store|put|skip|pick)\\s[^.]{2,200}\\b(?:because|since|so that)\\b",
      "^(?:(?:ok(?:ay)?|so|then|here)[,.!: ]+){0,2}i['’]ll add [^.]{2,160}\\b(?:since|because)\\b",
    ),
    weighing: any(
      "\\bthe (?:simplest|cleanest|best|right|proper|correct|easiest|safest|most robust|better|least invasive) (?:fix|approach|solution|way|option|change|choice|thing|place|design)\\b[^.?]{0,60}?\\b(?:is to|is|would be to|would be)\\s+\\S",
      "\\b(?:we|i) should\\s+(?!(?:i|we|probably|maybe|also note|be able|see|have|now|first|check|verify|look|test|consider|ask|run|read)\\b)[^?]{2,200}\\b(?:rather than|instead of|because|so that|to avoid)\\b",
      "\\bthe fix is (?:simple: |to )(?!.{0,200}\\bor to\\b)[a-z]+\\b",
      "^(?:\\S+ )?(?:fix|solution|approach)(?: \\([^)]{1,30}\\))?:\\s+(?!the\\b)\\S[^?]{5,}\\b(?:instead of|rather than|so that|because|by )",
    ),
    proposal:
      /^(?!if you\b|given\b).{0,200}\b(?:i(?:['’]d| would)? (?:recommend|suggest|propose)(?! (?:you|contact|speak|review|check|reach|transferr|that you|try|wait|ask|call)\w*\b)|(?:i(?:['’]d| would)? (?:go with|lean towards?))|my (?:recommendation|suggestion|proposal)(?: is|:)|(?:is|are) (?:the )?(?:option|approach) i['’]?d (?:recommend|pick))\b/i,
    doubt:
      /\?["')*]*$|\b(?:probably|perhaps|maybe|might|could|possibly|would you|should i|do you|if you (?:prefer|want|like)|i (?:guess|suspect|assume|wonder|bet)|not sure|it seems|seems|looks like|likely|(?:is|are|was|were|keeps?) (?:failing|creating|being|using|not|still)|fails?|failing|failed|error|expects?|expected to|bug|problem is|issue is|the (?:problem|issue)|cannot|can['’]t|unable|didn['’]t|doesn['’]t|wasn['’]t|isn['’]t|what if|alternatively|option \w+:|either|wrong(?:ly)?|incorrectly|mistakenly|accidentally|actually (?:using|calling))\b/i,
    alternative:
      /\b(?:instead of|rather than|as opposed to|over(?<=\b(?:chose|choose|picked|prefer|preferred|selected|opt for|go with|going with|went with)\s[^,.;]{1,80}over))\s+(?=\S)/i,
    rationale:
      /\b(?:because|since(?!\s+(?:`|v?\d|last|yesterday|then|when|version|commit|monday|tuesday|wednesday|thursday|friday|january|the (?:last|start|beginning|first|previous|release))\b)|so that|in order to|(?<!\b(?:decided|chose|opted|needs?|want|going|have|has|is|was|be|prefer|like|rather|how|agreed|plan|hoping|elected|used|continue)\s)to (?:avoid|prevent|keep|preserve|ensure|reduce|make sure|allow|stay|match|trigger|guard|have|get|let|give|support)|for the reason that|(?=for (?:simplicity|consistency|performance|speed|clarity|safety|security|compatibility|readability)\b)|due to|this way|that way|given that|reason:|which (?:avoids|keeps|makes|means|gives|lets|preserves))\s*(?=\S)/i,
  },
};
