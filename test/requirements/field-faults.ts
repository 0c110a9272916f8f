// Faults that real hosts, a real viewer and reports of other products' users showed in this one. Each sight was taken for
// one of a kind: `kind` says of which, `sisters` what else of it was found when it was looked for.
// `status` is kept by `npm run requirements -- --update`; everything else is written by hand.
import type { Requirement } from "./requirement.ts";

export const fieldFaults: readonly Requirement[] = [
  {
    id: "fault/superseded-that-is-not",
    source: "field faults, wrong facts",
    kind: "Likeness of two texts was taken for one replacing the other.",
    behaviour:
      "Requests, values and limits that differ in a number, a name or a qualifier stand side by side; code strikes nothing of what users said.",
    sisters:
      "A request with another number was dropped as a repeat of the last; the same in other languages; a short list left no room beside its opening line.",
    status: "proved",
  },
  {
    id: "fault/words-of-users-invented",
    source: "field faults, wrong facts",
    kind: "A citation was checked for existence, not for what stands there.",
    behaviour:
      "A quote under a user's name is compared with the cited message, and that a user approved, allowed or refused rests on a user's own words; what does not is left out and reported.",
    sisters:
      "The passive voice without a name; decisions, rules and progress as well as requests; Spanish, German and Chinese; quotes of tools, which are marked.",
    status: "proved",
  },
  {
    id: "fault/rules-nobody-set",
    source: "field faults, wrong facts",
    kind: "A sentence was taken for a rule by its words alone: not by who said it, in whose name, and whether it still holds.",
    behaviour:
      "Permissions, quotations, questions and words of a host make no rule; a corrected value and a lifted rule are not in force; whatever might be about another thing leaves both.",
    sisters:
      "Permissions, lifted bans and one word in the place of another, in several languages; quotation marks of several scripts, and code; host blocks before, behind and among a user's words; prohibitions that were missed because the denial stands first.",
    status: "proved",
  },
  {
    id: "fault/plan-told-twice",
    source: "field faults, wrong facts",
    kind: "Two tellings of one plan were two facts.",
    behaviour:
      "The state of a plan tool stands for the list that was announced before it, in the same round or a later one.",
    sisters:
      "Every tool name that keeps a list, not one host's; a plan that was shown and approved through its tool is the user's answer.",
    status: "proved",
  },
  {
    id: "fault/values-of-one-hosts-edits",
    source: "field faults, wrong facts",
    kind: "Edits were known by the argument names of the hosts at hand.",
    behaviour: "The values that an edit sets are read from whatever host made it.",
    sisters:
      "Patches within shells and scripts, sed, perl, printf, here-documents, several edits in one call or given as JSON text, and the editors of other hosts and servers.",
    status: "proved",
  },
  {
    id: "fault/steps-a-provider-ran",
    source: "field faults, what is lost",
    kind: "Parts that are no call of the caller's were read as opaque.",
    behaviour:
      "What a provider's own tool was asked and gave back reaches facts and model like any call and result, and is never paired or repaired.",
    sisters:
      "Shells and editors that a provider runs, sources that a text cites, refusals, and the same steps as the AI SDK, LangChain and OpenAI Agents write them.",
    status: "proved",
  },
  {
    id: "fault/answers-through-tools",
    source: "field faults, what is lost",
    kind: "Who speaks was taken from the place in the list, not from who was asked.",
    behaviour:
      "What a tool fetched from the user is the user's words, with the question; what a program or another model answered is not.",
    sisters:
      "Ten names and unknown ones that offer a choice; several questions in one call; approvals of plans; refusals of calls, which are no answer.",
    status: "proved",
  },
  {
    id: "fault/attachments-vanish",
    source: "field faults, what is lost",
    kind: "What has no text left nothing behind.",
    behaviour:
      "Every image, document, sound and video that leaves is one carried line with its name, id or address, in each format and strategy, over rounds.",
    sisters:
      "Files that tools gave back, pictures that a model made, uploads by id, what the model declined to do; the same thing shown again and again is one line.",
    status: "proved",
  },
  {
    id: "fault/calls-inside-programs",
    source: "field faults, what is lost",
    kind: "A call was what the wire calls one; a program that calls tools was one unknown tool.",
    behaviour:
      "The calls in a script are read without running it, and their files, commands and errors are found; schema items are nobody's words.",
    sisters:
      "The same scripts after conversion to each format; results by call where they can be told apart; scripts that failed or still run.",
    status: "proved",
  },
  {
    id: "fault/records-out-of-order",
    source: "field faults, what is lost",
    kind: "A host's file was taken for the order in which things were said, and each writing for a new message.",
    behaviour:
      "A Gemini CLI chat is read message by message, each once and in its place: led by an editor, compacted, taken up by another process.",
    sisters:
      "One document as well as lines; results that stand under another id; a resumed chat whose first list has the host's own words alone; states that calls ended in.",
    status: "proved",
  },
  {
    id: "fault/loaded-tools-leave",
    source: "field faults, what is lost",
    kind: "What a kept call needs was not among what is kept with it.",
    behaviour: "A search for tools, what it loaded and the calls of it stay or leave together.",
    sisters:
      "Searches of the provider's and of the caller's, in two formats; a provider's answer that comes in a later message than its call.",
    status: "proved",
  },
  {
    id: "fault/recent-gives-way",
    source: "field faults, what is lost",
    kind: "Carried words had no bound, so each round they took more of the room of what is recent.",
    behaviour:
      "Over a hundred turns as many recent turns stay as the policy names, and compactions stay apart; users' words take at most a third of the summary.",
    sisters: "Long orders with short answers, talk between equals, scripts without spaces; each in three formats.",
    status: "proved",
  },
  {
    id: "fault/valid-lists-rewritten",
    source: "field faults, refused or invalid",
    kind: "A list was measured by what we know to be valid, and mended before anybody asked.",
    behaviour:
      "A list that is not due comes back as the same object; references, state that a server holds and tools called by name count as calls.",
    sisters:
      "Approvals of calls that a server holds, two calls of one tool by name, ids beside names, damaged lists, and an agent that goes on from an earlier answer.",
    status: "proved",
  },
  {
    id: "fault/roles-that-servers-refuse",
    source: "field faults, refused or invalid",
    kind: "Where our message stands was decided by our formats, not by the strictest server that takes them.",
    behaviour:
      "The summary is the user's behind the system, users and answers take turns round after round, and a list of plain text is that of its model's provider.",
    sisters:
      "Gaps among pinned messages, borders of layers without a summary, a user after a tool; models named as Bedrock does; a summary of another session is nobody's words.",
    status: "proved",
  },
  {
    id: "fault/media-by-bytes",
    source: "field faults, refused or invalid",
    kind: "A guess had the standing of a count.",
    behaviour:
      "Media are estimated by pages, pixels and seconds, capped, and a list is never refused for what was only guessed.",
    sisters:
      "Scanned and unreadable documents in three formats, sound, video with and without a length, spreadsheets, tables as text.",
    status: "proved",
  },
  {
    id: "fault/report-below-a-count",
    source: "field faults, refused or invalid",
    kind: "The newest figure won, whatever it was a figure of.",
    behaviour:
      "A reported use below what an exact count is sure of is not believed; beside an estimate or a picture it is.",
    sisters: "Reports that lie near the count, where the older doubt about reports did not look.",
    status: "proved",
  },
  {
    id: "fault/provider-terms-unmet",
    source: "field faults, refused or invalid",
    kind: "What one provider demands was known as what another allows.",
    behaviour:
      "Reasoning beside calls stays, an error has a text, and a limit that a refusal states is what is asked for again.",
    sisters:
      "Signed thinking beside calls; five ways to say nothing; limits as providers and proxies word them, read from functions, too.",
    status: "proved",
  },
  {
    id: "fault/manual-does-nothing",
    source: "field faults, refused or invalid",
    kind: "A gain was the condition where it had to be the goal.",
    behaviour:
      "A compaction that was asked for, of 3,000 tokens or more, ends a tenth smaller, again and again; what truly cannot shrink is left, and the trace begins no run that comes to nothing.",
    sisters:
      "Fewer turns than are kept, two turns, one turn of tools, lists of users' words; with a model and without.",
    status: "proved",
  },
  {
    id: "fault/fields-between-servers",
    source: "field faults, hosts",
    kind: "What a host writes for itself and what goes over the wire were one.",
    behaviour:
      "A host's session is written as the format it speaks, two servers' tools of one name stay apart, and fields that only the host knows are in neither items nor search.",
    sisters: "Tools told of later, grouped definitions and their calls in three formats; the window that a host names.",
    status: "proved",
  },
  {
    id: "fault/hook-speaks-past-its-host",
    source: "field faults, hosts",
    kind: "One text was printed for every host, whatever it does with it.",
    behaviour:
      "Each host is told what it can use, in the whole of its room: prose for a summarizer, no repeats of what it keeps, its own trigger, model and window; every host's compaction is archived.",
    sisters:
      "Characters and bytes as limits, shares for files, errors and commands, a model's summary, damaged state, and sessions in which nothing was said yet.",
    status: "proved",
  },
  {
    id: "fault/hints-of-half-a-tool",
    source: "field faults, hosts",
    kind: "A hint spoke for the worst that a tool may do, so that hosts refused the rest.",
    behaviour:
      "Saving destroys nothing and says so, what only reads has a tool that says so, and eight tools are listed unless all are asked for.",
    sisters: "A save under a topic, which replaced a text for good: the earlier one is kept and can be restored.",
    status: "proved",
  },
  {
    id: "fault/runs-that-look-alike",
    source: "field faults, traces",
    kind: "Events were made for a log, and shown as bars, rows and labels.",
    behaviour:
      "In the viewer's page each bar holds its own time, rows and runs are told apart, every kind has its line, and no label breaks it.",
    sisters:
      "Ids of sessions in wide letters and several lines, calls that were no use, saves that fail; sinks that two managers share; slow viewers and collectors.",
    status: "proved",
  },
  {
    id: "fault/spans-without-conventions",
    source: "field faults, traces",
    kind: "Spans were named by our steps, not by what a reader of many programs looks for.",
    behaviour:
      "A model's call is a client's span with model and provider, none stands where none was called, and errors carry step, strategy, model and cause.",
    sisters:
      "Models by address and by function, remembered answers, paused models; causes of others' errors by their class and code, without what they say.",
    status: "proved",
  },
  {
    id: "fault/viewer-without-a-guide",
    source: "field faults, traces",
    kind: "What only its makers can set up was not tried as a user would.",
    behaviour:
      "A guide says how to start the viewer and what is seen, with a picture, and the examples post to it as they are.",
    sisters: "Links and pictures of every page, which a test holds now.",
    status: "proved",
  },
];
