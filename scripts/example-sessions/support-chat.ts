// A short support conversation in Anthropic's format: a shop for bicycle parts, a household that writes in three
// languages, and tools that look up, ship and refund.
import { LETTERS_AND_DIGITS, type Random } from "./random.ts";

interface ToolUse {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly isError?: boolean;
}

type Turn = string | { readonly text: string; readonly uses: readonly ToolUse[] };

const system = `You answer customers of an online shop for bicycle parts. Answer in the language of the customer's last message, in at most six sentences.

Rules:
- Look an order up before you say anything about it. Never guess dates, prices or stock.
- Refunds up to 80.00 EUR you may give yourself, once the customer agreed to the amount. Anything above goes to a colleague through hand_over.
- Never promise a delivery day; say what the carrier says.
- A replacement is sent only when the customer confirmed the address.
- House rules for returns: https://shop.example.com/help/returns`;

const tools = [
  tool("find_order", "Looks an order up by its number.", { order: "e.g. BK-20418" }),
  tool("track_parcel", "What the carrier says about a parcel.", { parcel: "tracking number" }),
  tool("check_stock", "Stock and price of one article.", { article: "article number" }),
  tool("send_replacement", "Ships articles of an order again.", { order: "order number", articles: "comma-separated" }),
  tool("refund", "Pays money back to the means of payment.", { order: "order number", amount_cents: "integer cents" }),
  tool("search_help", "Searches the house rules; gives back passages.", { query: "a few words" }),
  tool("list_cases", "Earlier cases of an order with their notes.", { order: "order number" }),
  tool("hand_over", "Opens a case for a colleague.", { order: "order number", note: "what to decide" }),
];

const orderRecord = {
  order: "BK-20418",
  placed_on: "2026-05-27",
  status: "partly delivered",
  currency: "EUR",
  lines: [
    { article: "CHN-11-118", name: "Chain, 11 speed, 118 links", quantity: 1, price_cents: 3290, state: "delivered" },
    { article: "BRK-PAD-04", name: "Brake pads, organic, pair", quantity: 2, price_cents: 1450, state: "delivered" },
    { article: "CAS-1134", name: "Cassette 11-34", quantity: 1, price_cents: 6890, state: "in transit" },
    { article: "LGT-R-USB", name: "Rear light, USB", quantity: 1, price_cents: 2490, state: "delivered" },
  ],
  shipping_cents: 490,
  total_cents: 16060,
  parcels: [
    { parcel: "PX884120077", articles: ["CHN-11-118", "BRK-PAD-04", "LGT-R-USB"] },
    { parcel: "PX884120091", articles: ["CAS-1134"] },
  ],
  address: { line: "Gartenweg 8, rear building", city: "Musterstadt", country: "DE" },
  notes: [
    "2026-05-28 customer asked for one parcel if possible",
    "2026-05-29 split, cassette came from the second hall",
  ],
};

const turns: readonly Turn[] = [
  "Hi, I ordered on 27 May (BK-20418). Two things: the rear light is dead on arrival, doesn't charge at all, and the cassette hasn't shown up. I need the cassette before our trip on 20 June.",
  {
    text: "I'm sorry about the light. Let me look at the order first.",
    uses: [use("find_order", { order: "BK-20418" }, orderRecord)],
  },
  {
    text: "The cassette went out in a second parcel. I'll ask the carrier, and check the light's stock at the same time.",
    uses: [
      use(
        "track_parcel",
        { parcel: "PX884120091" },
        {
          parcel: "PX884120091",
          state: "held",
          events: [
            { at: "2026-05-30 06:12", place: "hall 2", text: "handed to the carrier" },
            { at: "2026-05-31 03:40", place: "sorting centre north", text: "sorted" },
            {
              at: "2026-06-01 08:02",
              place: "depot 114",
              text: "address incomplete: no name of the rear building's bell",
            },
            {
              at: "2026-06-08 00:00",
              place: "depot 114",
              text: "goes back to the sender on 2026-06-12 without an answer",
            },
          ],
        },
      ),
      use(
        "check_stock",
        { article: "LGT-R-USB" },
        { article: "LGT-R-USB", in_stock: 0, expected: "2026-07-06", price_cents: 2490 },
      ),
    ],
  },
  "The cassette is held at depot 114 since 1 June: the carrier misses the name on the bell of the rear building. It goes back to us on 12 June unless they get it. Which name is on the bell?\n\nThe rear light is out of stock until 6 July. I can refund 24.90 EUR now, or send you a new one then. Which do you prefer?",
  "The bell says \"Studio 3\". About the light: hmm, is there another one that's in stock and not much more expensive? My partner picks the lights, I'll let them write.",
  {
    text: "",
    uses: [
      use(
        "check_stock",
        { article: "LGT-R-BAT" },
        { article: "LGT-R-BAT", name: "Rear light, 2 x AAA", in_stock: 41, price_cents: 1990 },
      ),
      use(
        "check_stock",
        { article: "LGT-R-DUO" },
        { article: "LGT-R-DUO", name: "Rear light, USB, brake signal", in_stock: 6, price_cents: 3190 },
      ),
    ],
  },
  'Thank you, I note "Studio 3" for the carrier. Two rear lights are in stock: LGT-R-BAT for 19.90 EUR (two AAA cells, not USB), and LGT-R-DUO for 31.90 EUR (USB, with a brake signal). Your partner is welcome to write here.',
  "こんにちは、パートナーです。LGT-R-DUOは雨の中でも使えますか?防水等級を知りたいです。それから、今のライト(LGT-R-USB)は返送する必要がありますか?",
  {
    text: "確認いたします。",
    uses: [
      use(
        "check_stock",
        { article: "LGT-R-DUO", details: true },
        {
          article: "LGT-R-DUO",
          in_stock: 6,
          price_cents: 3190,
          details: { protection: "IPX5", runtime_hours: 14, mount: "seat post 22-34 mm", weight_g: 46 },
        },
      ),
    ],
  },
  "LGT-R-DUOの保護等級はIPX5で、強い雨の中でもお使いいただけます。連続点灯は約14時間、取り付けは直径22〜34 mmのシートポストに対応しています。充電できないLGT-R-USBは返送不要です。お近くの電池回収にお出しください。差額は7.00ユーロですが、どうなさいますか?",
  "ありがとうございます。LGT-R-DUOに交換してください。差額の7.00ユーロは払います。住所は同じですが、ベルの名前は「Studio 3」です。",
  {
    text: "",
    uses: [
      use(
        "send_replacement",
        { order: "BK-20418", articles: "LGT-R-DUO" },
        { error: "article LGT-R-DUO is not part of order BK-20418" },
        true,
      ),
    ],
  },
  {
    text: "",
    uses: [
      use(
        "refund",
        { order: "BK-20418", amount_cents: 2490 },
        { refund: "RF-7719", amount_cents: 2490, state: "booked", reaches_customer: "2 to 4 working days" },
      ),
      use(
        "hand_over",
        {
          order: "BK-20418",
          note: "Carrier must get the bell name Studio 3 for PX884120091 before 2026-06-12. Parcel held at depot 114.",
        },
        { case: "CS-3302", team: "parcels", answer_within: "1 working day" },
      ),
    ],
  },
  "申し訳ありません。元の注文に含まれない商品は、交換としては発送できませんでした。そのため、LGT-R-USBの代金24.90ユーロを返金しました(RF-7719、2〜4営業日)。LGT-R-DUOはお手数ですが新しいご注文としてお願いいたします。配送の名前「Studio 3」は担当者に伝えました(CS-3302)。",
  "Back to me, thanks. New order for the light is BK-20533, placed just now, same address with Studio 3. Can you make sure it goes in one parcel with nothing else split off? And is CS-3302 really going to reach the depot before the 12th?",
  {
    text: "",
    uses: [
      use(
        "find_order",
        { order: "BK-20533" },
        {
          order: "BK-20533",
          placed_on: "2026-06-09",
          status: "packed",
          currency: "EUR",
          lines: [
            {
              article: "LGT-R-DUO",
              name: "Rear light, USB, brake signal",
              quantity: 1,
              price_cents: 3190,
              state: "packed",
            },
          ],
          shipping_cents: 0,
          total_cents: 3190,
          parcels: [],
          address: { line: "Gartenweg 8, rear building, bell Studio 3", city: "Musterstadt", country: "DE" },
        },
      ),
      use(
        "track_parcel",
        { parcel: "PX884120091" },
        {
          parcel: "PX884120091",
          state: "held",
          events: [
            {
              at: "2026-06-09 15:20",
              place: "depot 114",
              text: "new information from the sender received, next tour is being planned",
            },
          ],
        },
      ),
    ],
  },
  "BK-20533 has one article, so it is one parcel, and the bell is in its address. The depot has your bell name since 15:20 today; the carrier writes that the next tour is being planned. I can't promise a day, but the return on the 12th is off the table as long as that stands.",
  "One more thing before I forget: I'll ride the chain in this weekend. If it turns out to be the wrong length, can it still go back once it has been on the bike? And we'd need the invoice made out to our association, because the association pays for the tandem.",
  {
    text: "Both are house rules, so I look them up instead of guessing. I also check whether the invoice of BK-20418 was changed before.",
    uses: [
      use(
        "search_help",
        { query: "return mounted chain cut links" },
        {
          passages: [
            {
              page: "https://shop.example.com/help/returns",
              text: "Parts that were mounted can go back within 30 days when they can be sold as new. For chains that means: not cut, not lubricated by the customer, lock link in the bag. A chain that was ridden cannot be sold as new. If we sent the wrong length, we take it back in any state and pay the way.",
            },
            {
              page: "https://shop.example.com/help/chain-length",
              text: "How to measure before mounting: lay the chain over the largest sprocket and the largest chainring without the derailleur and add two links. 118 links are enough for chainstays up to 445 mm with a cassette up to 34 teeth. For tandems two chains are joined; order two and keep the second lock link.",
            },
          ],
        },
      ),
      use(
        "search_help",
        { query: "change name on invoice association" },
        {
          passages: [
            {
              page: "https://shop.example.com/help/invoices",
              text: "The name on an invoice can be changed once, within 60 days of the order, as long as the amount stays the same. We need the full name and address of the organisation and, outside the country of the shop, its tax number. The first invoice is cancelled and a new one with a new number is sent; both stay visible in the account. Changes after a refund are made by the accounts team.",
            },
          ],
        },
      ),
      use(
        "list_cases",
        { order: "BK-20418" },
        {
          cases: [
            {
              case: "CS-3118",
              opened_on: "2026-05-28",
              team: "parcels",
              state: "closed",
              note: "Customer asked for one parcel. Not possible, the cassette is in hall 2; told the customer on the same day.",
            },
            {
              case: "CS-3302",
              opened_on: "2026-06-09",
              team: "parcels",
              state: "answered",
              note: "Bell name Studio 3 given to depot 114. Carrier confirmed at 15:20. Waiting for the tour.",
            },
          ],
        },
      ),
    ],
  },
  "The chain: measure before you ride it. Not cut, not lubricated and with the lock link in its bag it can go back within 30 days; once ridden it can't, unless we sent the wrong length (https://shop.example.com/help/returns). 118 links are enough for chainstays up to 445 mm with your 11-34 cassette, but a tandem takes two joined chains, and you ordered one (https://shop.example.com/help/chain-length).\n\nThe invoice: it can be made out to the association once, until 26 July. Because of the refund RF-7719 the accounts team has to do it, and they need the association's full name and address. Shall I open a case for them?",
  "Good to know about the two chains! It's not for the tandem though, the tandem only gets the cassette; the chain is for my own bike, chainstays 430. For the invoice: please open the case. Name: Radfreunde Musterstadt e. V., address as in the order, no tax number needed because we're in the same country. Invoice for everything except the light, the light is private.",
  {
    text: "",
    uses: [
      use(
        "hand_over",
        {
          order: "BK-20418",
          note: "New invoice for BK-20418 to Radfreunde Musterstadt e. V., address as in the order. Without LGT-R-USB (2490 cents), which is refunded with RF-7719. Amount of the new invoice: 13570 cents including 490 shipping. Customer wrote on 2026-06-09.",
        },
        { case: "CS-3309", team: "accounts", answer_within: "3 working days" },
      ),
    ],
  },
  "With 430 mm chainstays one chain of 118 links is enough. The case for the invoice is CS-3309: 135.70 EUR for chain, brake pads, cassette and shipping, made out to Radfreunde Musterstadt e. V.; the light is left out because it was refunded. The accounts team answers within three working days.",
  "Great. My mother-in-law is the one at home this week, she'll write to you about when she can take the parcel, in Spanish if that's fine.",
  "Of course, she can write in Spanish here.",
  "Hola, soy quien recibe el paquete. Esta semana estoy en casa por las mañanas hasta las 13:00, pero el jueves no. ¿Puede el repartidor venir antes de la una? Si no, que lo deje en la tienda de la esquina, que abre hasta las ocho.",
  {
    text: "Lo consulto con el transportista.",
    uses: [
      use(
        "track_parcel",
        { parcel: "PX884120091", options: true },
        {
          parcel: "PX884120091",
          state: "planned",
          tour: { day: "2026-06-10", window: "09:30-12:30" },
          options: ["leave with neighbour (signed permission)", "parcel shop 500 m, open until 20:00, holds 7 days"],
        },
      ),
    ],
  },
  "Hola. El transportista indica para el paquete PX884120091 el miércoles 10 de junio, entre las 9:30 y las 12:30; no puedo garantizar la hora. Si no la encuentra en casa, puede quedarse siete días en una tienda a 500 metros, abierta hasta las 20:00. Para dejarlo con un vecino hace falta un permiso firmado. ¿Prefiere la tienda como alternativa?",
  "Sí, la tienda como alternativa, por favor. Y una cosa más: en el primer paquete venía un solo juego de pastillas de freno, y en la factura pone dos. ¿Nos pueden enviar el que falta o devolver el dinero?",
  {
    text: "",
    uses: [use("check_stock", { article: "BRK-PAD-04" }, { article: "BRK-PAD-04", in_stock: 120, price_cents: 1450 })],
  },
];

/** `{model, system, tools, messages}`; it ends while the answer to the last request is being prepared. */
export function supportChat(random: Random): unknown {
  const messages: { role: string; content: unknown }[] = [];
  for (const turn of turns) {
    if (typeof turn === "string") {
      const role = messages.length === 0 || messages.at(-1)?.role === "assistant" ? "user" : "assistant";
      messages.push({ role, content: turn });
      continue;
    }
    const uses = turn.uses.map((entry) => ({ ...entry, id: `toolu_01${random.text(22, LETTERS_AND_DIGITS)}` }));
    const text = turn.text === "" ? [] : [{ type: "text", text: turn.text }];
    const calls = uses.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }));
    messages.push({ role: "assistant", content: [...text, ...calls] });
    const results = uses.map(({ id, result, isError }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: JSON.stringify(result),
      ...(isError ? { is_error: true } : {}),
    }));
    messages.push({ role: "user", content: results });
  }
  return { model: "claude-sonnet-4-5", max_tokens: 1024, system, tools, messages };
}

function use(name: string, input: ToolUse["input"], result: unknown, isError = false): ToolUse {
  return { name, input, result, isError };
}

function tool(name: string, description: string, parameters: Readonly<Record<string, string>>): unknown {
  const properties = Object.entries(parameters).map(([key, text]) => [
    key,
    { type: key.endsWith("_cents") ? "integer" : "string", description: text },
  ]);
  return {
    name,
    description,
    input_schema: { type: "object", properties: Object.fromEntries(properties), required: Object.keys(parameters) },
  };
}
