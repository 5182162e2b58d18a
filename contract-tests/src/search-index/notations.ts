/** Texts with queries that find them, which differ only in case, accents and notation, and queries that do not. */
export const notations: readonly (readonly [text: string, found: readonly string[], notFound: readonly string[]])[] = [
  [
    'Grüße aus ZÜRICH',
    ['grüße', 'GRÜSSE', 'grusse', 'Gru\u0308ße', 'zurich', 'ZÜRICH', '"grusse aus zurich"', 'Zür*'],
    ['gruesse', 'gruse', 'zuerich'],
  ],
  ['Le café de l’été', ['cafe', 'CAFÉ', 'cafe\u0301', 'l’été', "l'ete", 'ete'], ['caf', 'lete']],
  ['İstanbul ılık', ['istanbul', 'ISTANBUL', 'İSTANBUL', 'ilik', 'ILIK'], ['stanbul']],
  ['ﬁnance ｆｕｌｌ ① x²', ['finance', 'full', 'FULL', '1', 'x2', 'fin*', 'ｆｉｎ＊'], ['nance', 'x']],
  ['Łódź, Øre, Þór, Æther', ['lodz', 'øre', 'ore', 'thor', 'aether', 'ÆTHER'], ['ther', 'odz']],
  ['ΟΔΟΣ και οδός', ['οδος', 'ΟΔΌΣ', '"οδοσ και"', 'Οδο*'], ['odos']],
  ['Ёлка и МОСКВА', ['елка', 'ЁЛКА', 'москва', 'моск*'], ['elka', 'осква']],
  [
    '東京都庁舎、日本',
    ['東京', '京都', '東京都庁舎', '舎', '日本', '"庁舎 日本"', '京都*'],
    ['都京', '東都', '本日', '東京日本'],
  ],
  ['カタカナとひらがな が', ['カタカナ', 'ｶﾀｶﾅ', 'ひらがな', 'が', 'か\u3099'], ['がな東', 'かな']],
  ['한국어 문서', ['한국어', '한국', '국어', '문서', '"한국어 문서"', '한국어'.normalize('NFD')], ['어한', '국한']],
  ['สวัสดีครับ', ['สวัสดี', 'ครับ', 'สวัสดีครับ'], ['ครับสวัสดี', 'สวสด']],
  ['مُحَمَّد كتـــاب', ['محمد', 'مُحَمَّد', 'كتاب', 'محم*'], ['حمد', 'تاب']],
  ['שָׁלוֹם עולם', ['שלום', 'שָׁלוֹם', '"שלום עולם"', 'עול*'], ['לום', '"עולם שלום"']],
  ['हिन्दी में', ['हिन्दी', 'हिन्दी*', '"हिन्दी में"'], ['हन्द', 'हिन्द']],
  [
    'e-mail 2024/001 a.b@example.org',
    ['e-mail', '"e mail"', '2024/001', 'a.b@example.org', 'example.org', '2024-001'],
    ['email', '001/2024', 'example.com'],
  ],
  [
    'one\ftwo\nthree\u2028four\u00a0five six\u00adth',
    ['"one two three four five"', 'sixth', '"five sixth"'],
    ['onetwo', 'th'],
  ],
];
