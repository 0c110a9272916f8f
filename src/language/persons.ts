// Who a sentence speaks of: words for the speaker and for the one spoken to, by language, as data.

const SPEAKER =
  "i|i['’]m|i['’]ve|i['’]d|my|me|mine|we|our|us|ich|mein\\p{L}{0,2}|mir|mich|wir|uns\\p{L}{0,3}|je|j['’]\\p{L}+|mon|ma|mes|moi|nous|nos|notre|yo|mi|mis|nosotros|nuestr\\p{L}{1,2}|eu|meus?|minhas?|nós|noss\\p{L}{1,2}|io|mio|mia|noi|nostr\\p{L}|я|мой|моя|мне|мы|нас|наш\\p{L}{0,2}";
const LISTENER =
  "you|your|yours|you['’]re|you['’]ve|du|dein\\p{L}{0,2}|dir|dich|ihr|euch|tu|ton|ta|tes|toi|vous|vos|votre|tú|usted|ustedes|você|vocês|ty|ты|тебе|вы|вас|ваш\\p{L}{0,2}";

export const SPEAKS_OF_SELF = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SPEAKER})(?![\\p{L}\\p{N}])|[我俺僕]|私|나는|저는|우리`,
  "iu",
);
export const SPEAKS_TO_OTHER = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${LISTENER})(?![\\p{L}\\p{N}])|[你您]|あなた|당신`,
  "iu",
);
