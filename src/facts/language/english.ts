// English cues. The other languages follow the same plan; this one is the longest because most is said in it.
import { type Language, opening } from "./cues.ts";
import { englishDecisions } from "./english-decisions.ts";
import { englishRules } from "./english-rules.ts";

export const english: Language = {
  name: "English",
  rules: englishRules,
  responses: {
    approval: opening(
      "(?:yes|yep|yeah|yup|yea|ye|sure|absolutely|definitely|exactly|correct|agreed|approved|perfect|lgtm|confirmed|affirmative|of course|please do|do it|do that|go ahead|go for it|ship it|proceed|make it so|sounds? (?:good|great|fine|right|reasonable)|looks? (?:good|great|fine|right|perfect)|that works|works for me|i agree|fine by me|good idea|great idea|i like (?:it|that)|that['’]?s (?:right|correct|fine|it|perfect|great|good|exactly))(?![a-zà-ÿœ'’-])(?! (?:but no|how|why|what))(?![,!.]? (?:my|the|it['’]s|i am|i['’]m|here) )",
      "(?:ok(?:ay)?|k|alright|all right|cool|great|nice|good|fine|awesome|excellent|amazing|thanks|thank you|perfect|right)[.!]*$",
      "(?:(?:ok(?:ay)?|alright|all right|cool|great|nice|good|fine|awesome|excellent|right)[,.! ]+){1,3}(?:yes|go ahead|go for it|do (?:it|that|so|option|number|#?\\d)|let['’]?s (?:do|go|implement|start|proceed|ship)|proceed|continue|start implementing|sounds good|looks good|that works|this (?:looks|is) (?:good|great|amazing|perfect)|option|works for me|ship it|please do|merge it|commit (?:it|that|this)|i agree|makes sense)\\b",
      "(?:this|that|it|everything|all|rest|the rest|both) (?:looks?|sounds?|seems?|is|works?) (?:good|great|fine|right|perfect|ok|okay|amazing|correct|well)\\b",
      "(?:wow[, ]+)?(?:it|that|this|everything) works(?: now)?[.!]*$",
      "(?:i['’]?m happy with|happy with|fully agree|makes sense)\\b",
      "(?:👍|👌|✅|🚀)",
      "go (?:for|with) (?:option|approach|variant|plan|the|number|#?\\d|[A-H]\\b)",
    ),
    refusal: opening(
      "(?:no|nope|nah)[,.!]* (?:don['’]?t|do not|thanks|thank you|leave|stop|keep|not (?:now|yet|that)|never|remove this|please don|way|undo|revert|skip|that['’]?s (?:all|ok|okay|alright|fine)|i(?: really)? (?:do not|don['’]?t) (?:want|need)|i(?:['’]d| would)(?: really)? (?:rather|prefer) not|let['’]?s not)\\b",
      "(?:no|nope|nah|no way|no thanks|no thank you|absolutely not|definitely not|not now|not yet|never)[.!, ]*$",
      "(?:please )?(?:stop|abort|cancel|halt|don['’]?t|do not)(?: (?:it|that|this|do (?:it|that|this)|right there|now|please|doing that|everything))*[.!, ]*$",
      "stop[,.!]+ ",
      "(?:please |let['’]?s |can you )?hold off\\b",
      "please (?:don['’]?t|do not)[,.!]+ ",
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
      "(?:close|almost|nearly)[,.]? but\\b",
      "not [\\w\\s'\"`./-]{1,40}(?:,| but| -) (?:but|the|use|it|i)\\b",
      "[^.?!\\n]{1,60} (?:is|are|was|were) (?:not correct|incorrect|wrong|not right|misleading)\\b",
      "(?:\\S+ ){1,4}(?:is|are) actually\\b",
    ),
  },
  decisions: englishDecisions,
};
