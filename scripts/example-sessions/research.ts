// A research task as items of OpenAI's Responses endpoint: reasoning with encrypted stand-ins, function calls,
// one call that a remote MCP server answered. Sources, figures and places are invented.
import { createRandom, LETTERS_AND_DIGITS, type Random } from "./random.ts";

const instructions = `You research a question for the board of a small seed library and write a short recommendation.

- Use search_library and fetch_page. Cite every figure with the address of its page.
- Keep measured values and estimates apart. Say when two sources disagree.
- The notes server holds what the board decided earlier; those decisions stand.
- Currency is EUR, temperatures in degrees Celsius. End with at most three options.`;

type Entry =
  | { readonly is: "user" | "assistant" | "reasoning"; readonly text: string }
  | { readonly is: "call"; readonly name: string; readonly input: unknown; readonly output: (random: Random) => string }
  | {
      readonly is: "mcp";
      readonly name: string;
      readonly input: unknown;
      readonly output: string | ((random: Random) => string);
    };

const entries: readonly Entry[] = [
  says(
    "user",
    "We keep about 2,400 packets of vegetable seed in a cellar room (16 degrees, 60 % humidity in summer). Germination of onions and parsnips has become poor. Find out what storage we should move to. Budget 900 EUR once and 60 EUR a year. The board meets on 2026-09-03.",
  ),
  says(
    "reasoning",
    "**Planning the search**\n\nI need what humidity and temperature do to short-lived seed, what the board decided before, and costs of a freezer, a refrigerator and dry boxes.",
  ),
  {
    is: "mcp",
    name: "read_decisions",
    input: { topic: "storage", since: "2023-01-01" },
    output: JSON.stringify({
      decisions: [
        {
          id: "dec-014",
          date: "2023-03-09",
          text: "No storage in private homes; members must reach the packets on Saturdays.",
        },
        { id: "dec-022", date: "2024-11-21", text: "No purchase that needs more than 300 kWh a year." },
        { id: "dec-027", date: "2025-06-05", text: "Packets stay paper; plastic bags inside boxes are allowed." },
      ],
    }),
  },
  says(
    "reasoning",
    "**Earlier decisions**\n\nThree of them limit the choice: access on Saturdays, 300 kWh a year, paper packets. A freezer opened every week lets moist air in, so paper packets in it need a dry outer box.",
  ),
  called("search_library", { query: "seed longevity humidity temperature onion parsnip storage", limit: 6 }, () =>
    [
      "1. Storing short-lived seed: a ten-year trial | https://library.example.org/trials/short-lived-seed",
      "2. The two rules of thumb and where they fail | https://library.example.org/notes/rules-of-thumb",
      "3. Silica gel and how often to dry it | https://library.example.org/guides/silica-gel",
      "4. A refrigerator for 3,000 packets: what it cost us | https://seedlibrary.example.net/reports/refrigerator",
      "5. Parsnip seed loses half its germination in two years | https://garden.example.com/parsnip",
      "6. Freezing paper packets | https://seedlibrary.example.net/reports/freezer",
    ].join("\n"),
  ),
  says(
    "reasoning",
    "**Choosing sources**\n\nThe ten-year trial has measurements; the two reports have costs. The page on parsnips looks like an opinion without data. I read 1 first, then 4 and 6 together.",
  ),
  called("fetch_page", { url: "https://library.example.org/trials/short-lived-seed" }, trialPage),
  says(
    "reasoning",
    "**Reading the trial**\n\nAt 16 degrees and 60 % onion falls below 50 % in about the third year; dry at the same temperature it holds beyond six years. Drying does more than cooling alone. The refrigerator without a dry box is hardly better than the cellar with one.",
  ),
  called(
    "fetch_page",
    { url: "https://seedlibrary.example.net/reports/refrigerator" },
    () => `A refrigerator for 3,000 packets: what it cost us

We bought a used 380 litre refrigerator for 310 EUR in 2022. It takes 31 flat boxes of 100 packets. Measured use over a year: 171 kWh, in 2024 with a new door seal 148 kWh. At our tariff (0.31 EUR) that is 46 to 53 EUR a year.

What went wrong: in the first summer the humidity inside was 70 to 80 %, and packets at the back became limp. Since we put the packets in boxes with a rubber seal and 200 g of silica gel each, a logger in the box shows 22 to 28 %. The boxes cost 11.50 EUR each, the gel 6 EUR per kilogram. Drying the gel takes an oven and one evening every four months.

Saturdays: we take out the boxes that are needed and let them warm up closed for an hour before opening. Whoever opens a cold box wets the paper. A note on the door was not enough; a kitchen timer was.`,
  ),
  called(
    "fetch_page",
    { url: "https://seedlibrary.example.net/reports/freezer" },
    () => `Freezing paper packets

Our chest freezer (200 litres, 480 EUR new) used 214 kWh in its first year. Germination is excellent: no measurable loss in five years for all kinds we test. But every opening on a busy day means a packet that was cold and is now wet. We lost 60 packets to mould in the second year, all of them taken out, opened at once and put back.

We now keep two sets: a working set at room temperature in dry boxes, renewed every spring, and the frozen reserve that is opened twice a year. That is twice the work of one person, about 30 hours a year.`,
  ),
  says(
    "reasoning",
    "**Their own room**\n\nThe notes server may hold readings of the cellar. If the summer is worse than 60 %, the trial's room is too kind a comparison. I ask for the log, and read the page on rules of thumb to see how far the table may be stretched.",
  ),
  {
    is: "mcp",
    name: "read_log",
    input: { place: "cellar", from: "2026-05-01", to: "2026-07-31", every: "3 days" },
    output: cellarLog,
  },
  called(
    "fetch_page",
    { url: "https://library.example.org/notes/rules-of-thumb" },
    () => `The two rules of thumb and where they fail

Rule one: temperature in Fahrenheit plus humidity in percent should stay below 100. Rule two: each percent less water in the seed, and each five degrees less, doubles its life. Both are old, both are useful on the back of an envelope, and both fail at the ends.

Where rule two fails: below about 5 % water nothing more is gained, and beans become brittle and crack when they are sown. Above 14 % the rule is too kind, because mould sets in before the seed has aged. And it says nothing about seed that was half dead when it came: a packet with 60 % germination loses faster than one with 95 %.

For short-lived kinds (onion, leek, parsnip, chives) we checked rule two against four rooms. From 60 % to 25 % humidity at the same temperature, life became 2.6 to 3.1 times as long; the rule would say about five times. From 16 to 5 degrees, both dry, 1.3 to 1.5 times; the rule would say four to five times. So: in a dry box the refrigerator is worth much less than the rule makes you think.

How to know how wet your seed is without a laboratory: put the packet in a jar with a small hygrometer for a day. What it shows is in balance with the seed: 25 % in the jar is about 6 % water in onion seed, 60 % about 11 %.`,
  ),
  says(
    "reasoning",
    "**Comparing with the limits**\n\nRefrigerator: 148 to 171 kWh, within 300. Freezer: 214 kWh, within 300, but weekly access is the problem. Dry boxes alone: no electricity. 2,400 packets need 24 boxes at 11.50 = 276 EUR, plus 4.8 kg gel = 28.80 EUR. Check the gel guide for how often it must be dried at 60 %.",
  ),
  says(
    "assistant",
    "First result: drying does more than cooling. In the ten-year trial onions keep above 50 % for over six years at 16 degrees when dry, but fall below it in the third year at 60 % humidity (https://library.example.org/trials/short-lived-seed). Dry boxes for 2,400 packets would cost about 305 EUR: 24 boxes at 11.50 EUR and 4.8 kg of silica gel at 6 EUR (prices from https://seedlibrary.example.net/reports/refrigerator). I still have to check how often the gel must be dried, and compare with a refrigerator and a freezer under your decisions dec-014, dec-022 and dec-027.",
  ),
  says(
    "user",
    "Good direction. Nobody has time for drying gel every month, please check that. And don't count a used refrigerator at 310, we can't rely on finding one; take a new one.",
  ),
  called(
    "fetch_page",
    { url: "https://library.example.org/guides/silica-gel" },
    () => `Silica gel and how often to dry it

Gel takes up about a quarter of its weight in water before it stops working; dry it at 15 %. A sealed box of 8 litres with 100 paper packets brings in 40 to 55 g of water once, from the paper, and then 2 to 4 g a month through the seal at 60 % outside. With 200 g of gel the first drying is due after one to two weeks, later ones after 5 to 9 months. Boxes that are opened every Saturday take 6 to 8 g a month: dry the gel every 3 to 4 months.

Oven: 120 degrees for three hours, at most 1.5 kg at once. Orange gel shows when it is due. Blue gel holds cobalt chloride: don't use it.`,
  ),
  called(
    "search_library",
    { query: "new refrigerator 380 litres no freezer compartment price kWh per year", limit: 4 },
    (random) =>
      [
        "Larder refrigerators, 370 to 400 litres, new (list of a comparison page, 2026-07)",
        "model;litres;kWh per year;price EUR",
      ]
        .concat(
          Array.from({ length: 9 }, (_, index) => {
            const litres = 368 + 4 * index;
            return `LR-${random.whole(310, 990)};${litres};${random.whole(88, 142)};${random.whole(529, 879)}.00`;
          }),
          ["source: https://compare.example.com/larder-refrigerators"],
        )
        .join("\n"),
  ),
  says(
    "reasoning",
    "**Putting costs together**\n\nNew refrigerator 529 to 879 EUR, 88 to 142 kWh. With 24 boxes and gel (305 EUR) the cheapest may pass 900, so I need the cheapest model that fits: refrigerator at most 595 EUR. Gel in boxes opened each Saturday: every 3 to 4 months; 4.8 kg is four oven loads. Only a few boxes are opened weekly, so a working set of 6 boxes would limit that.",
  ),
  says(
    "assistant",
    "On the gel: boxes that stay closed need drying every 5 to 9 months, boxes opened every Saturday every 3 to 4 months, plus once after one to two weeks (https://library.example.org/guides/silica-gel). If only 6 of 24 boxes are opened weekly, that is one oven load of 1.2 kg three or four times a year, and three loads for the rest once or twice a year.\n\nOn a new refrigerator: with boxes and gel at 305 EUR, 595 EUR of the 900 are left for it. I take the figures from https://compare.example.com/larder-refrigerators and name only models within that.",
  ),
  says(
    "user",
    "OK. Parsnips are the ones people complain about most. Does the trial have numbers for parsnip dry at 16 versus dry at 5 degrees, year by year? If the difference is small we skip the refrigerator altogether. Put the two columns side by side and then write the recommendation for 3 September.",
  ),
  says(
    "reasoning",
    "**Extracting parsnip**\n\nThe page has a table for each kind. I fetch the parsnip part again with the dry columns only, rather than rely on what I read earlier.",
  ),
  called(
    "fetch_page",
    { url: "https://library.example.org/trials/short-lived-seed", section: "parsnip, dry" },
    dryParsnip,
  ),
];

/** `{model, instructions, input}`; it ends with a result that nobody has answered yet. */
export function researchSession(random: Random): unknown {
  return { model: "gpt-5", instructions, input: entries.flatMap((entry) => itemsOf(entry, random)) };
}

function itemsOf(entry: Entry, random: Random): unknown[] {
  switch (entry.is) {
    case "user":
      return [{ type: "message", role: "user", content: [{ type: "input_text", text: entry.text }] }];
    case "assistant": {
      const content = [{ type: "output_text", text: entry.text, annotations: [] }];
      return [{ type: "message", id: `msg_${random.hex(32)}`, role: "assistant", status: "completed", content }];
    }
    case "reasoning": {
      const summary = [{ type: "summary_text", text: entry.text }];
      const encrypted = `invented${random.text(420, LETTERS_AND_DIGITS)}==`;
      return [{ type: "reasoning", id: `rs_${random.hex(32)}`, summary, encrypted_content: encrypted }];
    }
    case "call": {
      const callId = `call_${random.text(24, LETTERS_AND_DIGITS)}`;
      const call = { call_id: callId, name: entry.name, arguments: JSON.stringify(entry.input), status: "completed" };
      return [
        { type: "function_call", id: `fc_${random.hex(32)}`, ...call },
        { type: "function_call_output", call_id: callId, output: entry.output(random) },
      ];
    }
    case "mcp": {
      const output = typeof entry.output === "string" ? entry.output : entry.output(random);
      const call = { server_label: "notes", name: entry.name, arguments: JSON.stringify(entry.input) };
      return [{ type: "mcp_call", id: `mcp_${random.hex(32)}`, ...call, output, error: null }];
    }
  }
}

function says(is: "user" | "assistant" | "reasoning", text: string): Entry {
  return { is, text };
}

function called(name: string, input: unknown, output: (random: Random) => string): Entry {
  return { is: "call", name, input, output };
}

type Kind = readonly [name: string, start: number, yearlyLoss: number];

const parsnip: Kind = ["parsnip", 84, 13];
const kinds: readonly Kind[] = [["onion", 91, 9], parsnip, ["leek", 88, 8], ["lettuce", 95, 5], ["tomato", 96, 2]];

/** Germination in percent after each year, for four ways of storage. The same figures whoever asks. */
function germination([, start, yearlyLoss]: Kind): number[][] {
  const random = createRandom(start);
  return Array.from({ length: 8 }, (_, year) =>
    [1.6, 1.3, 0.55, 0.4].map((share) => {
      const scatter = year === 0 ? 0 : random.whole(0, 2);
      return Math.max(0, Math.round(start - yearlyLoss * share * year) - scatter);
    }),
  );
}

function trialPage(): string {
  const tables = kinds.map((kind) => {
    const rows = germination(kind).map((row, year) => [year, ...row].join(";"));
    return `${kind[0]}\nyear;16 C 60 %;5 C 70 %;16 C dry;5 C dry\n${rows.join("\n")}`;
  });
  return `Storing short-lived seed: a ten-year trial

Four rooms, five kinds, 400 seeds per test, tested every January on moist paper at 20 degrees. "Dry" means a sealed box with silica gel, 20 to 30 % inside. All seed was harvested in the same year in one garden. The first eight years are printed here; in the last two, less than 200 seeds were left of some kinds.

${tables.join("\n\n")}

What we conclude: keep it dry first, then cool. A refrigerator without a dry box is a wet place. Parsnip is worth renewing every third year whatever one does.`;
}

function dryParsnip(): string {
  const rows = germination(parsnip).map(([, , dry, cool], year) => [year, dry, cool].join(";"));
  return `parsnip, dry only, with half-width of the 95 % interval 4 to 5 points\nyear;16 C dry;5 C dry\n${rows.join("\n")}`;
}

/** What a logger in the cellar wrote every third day: it grows warmer and wetter towards the summer. */
function cellarLog(random: Random): string {
  const rows = Array.from({ length: 31 }, (_, index) => {
    const day = 1 + 3 * index;
    const [month, date] = day <= 31 ? [5, day] : day <= 61 ? [6, day - 31] : [7, day - 61];
    const temperature = (14 + index * 0.11 + random.whole(0, 9) / 10).toFixed(1);
    const humidity = 54 + Math.floor(index * 0.45) + random.whole(0, 5);
    return { day: `2026-0${month}-${String(date).padStart(2, "0")}`, temperature, humidity };
  });
  return JSON.stringify({ place: "cellar, shelf 3", logger: "L-02", rows });
}
