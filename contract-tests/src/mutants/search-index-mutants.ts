import {
  AppError,
  countOccurrences,
  matches,
  searchTokens,
  type Page,
  type PageRequest,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
  type SearchTerm,
} from '@palimpsest/core';
import { mutant, secondHandleElsewhere, type Mutant, type Mutants } from './mutant.ts';

type Entries = Map<string, SearchEntry>;
type Order = (a: Match, b: Match) => number;

/** An entry that matches, as it is ranked. */
interface Match {
  readonly entry: SearchEntry;
  readonly counts: readonly (readonly number[])[]; // of each term in title, file name and text
  readonly lengths: readonly number[]; // of the three, in tokens
}

/** The parts that an index is made of. */
interface Rules {
  readonly keepsVersion: (stored: SearchEntry, next: SearchEntry) => boolean;
  readonly stored: (next: SearchEntry, before: SearchEntry | undefined) => SearchEntry;
  readonly owns: (ownerId: string, entry: SearchEntry) => boolean;
  readonly tokens: (text: string) => readonly string[];
  readonly fields: (entry: SearchEntry) => readonly string[];
  readonly matches: (query: SearchQuery, fields: readonly (readonly string[])[]) => boolean;
  readonly order: (all: Iterable<SearchEntry>) => Order;
  readonly page: (ids: readonly string[], request: PageRequest) => Page<string>;
  readonly scan: (ids: readonly string[], after: string | undefined, limit: number) => readonly string[];
}

const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

const newestFirst: Order = (a, b) =>
  compare(b.entry.receivedAt, a.entry.receivedAt) || compare(b.entry.documentId, a.entry.documentId);

const scoreOf = ({ counts }: Match, weights: readonly number[]): number =>
  counts.reduce((sum, [title = 0, filename = 0, text = 0]) => {
    const [titles = 0, filenames = 0, texts = 0] = weights;
    return sum + titles * title + filenames * filename + (texts * text) / (text + 50);
  }, 0);

/** By score, then as `rest` says. */
const weighted =
  (weights: readonly number[], rest: Order = newestFirst) =>
  (): Order =>
  (a, b) =>
    compare(scoreOf(b, weights), scoreOf(a, weights)) || rest(a, b);

const WEIGHTS = [10_000, 100, 1];

const sound: Rules = {
  keepsVersion: (stored, next) => stored.version > next.version,
  stored: (next) => ({ ...next }),
  owns: (ownerId, entry) => entry.ownerId === ownerId,
  tokens: searchTokens,
  fields: ({ title, filename, text }) => [title, filename, text],
  matches,
  order: weighted(WEIGHTS),
  page: (ids, { limit, offset }) => ({ items: ids.slice(offset, offset + limit), total: ids.length }),
  scan: (ids, after, limit) =>
    ids
      .toSorted(compare)
      .filter((id) => after === undefined || id > after)
      .slice(0, limit),
};

const searchIndex = (entries: Entries, rules: Rules): SearchIndex => ({
  put: async (entry) => {
    const before = entries.get(entry.documentId);
    if (before === undefined || !rules.keepsVersion(before, entry))
      entries.set(entry.documentId, rules.stored(entry, before));
  },
  versionOf: async (documentId) => entries.get(documentId)?.version,
  search: async (ownerId, query, request) => {
    const order = rules.order(entries.values());
    const found = [...entries.values()].flatMap((entry): readonly Match[] => {
      if (!rules.owns(ownerId, entry)) return [];
      const fields = rules.fields(entry).map((field) => rules.tokens(field));
      if (!rules.matches(query, fields)) return [];
      const counts = query.all.map((term) => fields.map((tokens) => countOccurrences(term, tokens)));
      return [{ entry, counts, lengths: fields.map(({ length }) => length) }];
    });
    return rules.page(
      found.sort(order).map(({ entry }) => entry.documentId),
      request,
    );
  },
  scan: async (after, limit) => rules.scan([...entries.keys()], after, limit),
  remove: async (documentId) => void entries.delete(documentId),
});

/** An index of the mutants' own, with other rules or other methods. */
const made = (
  change: Partial<Rules>,
  methods: (entries: Entries, own: SearchIndex) => Partial<SearchIndex> = () => ({}),
): Mutant<SearchIndex> =>
  mutant(() => {
    const entries: Entries = new Map();
    const own = searchIndex(entries, { ...sound, ...change });
    return () => ({ ...own, ...methods(entries, own) });
  });

/** One whose methods know the entries. */
const over = (methods: (entries: Entries, own: SearchIndex) => Partial<SearchIndex>): Mutant<SearchIndex> =>
  made({}, methods);

/** One that finds by a rule of its own for one term in one field; all terms are wanted, and none that is excluded. */
const matching = (occurs: (term: SearchTerm, tokens: readonly string[]) => boolean): Mutant<SearchIndex> =>
  made({
    matches: ({ all, none }, fields) => {
      const isThere = (term: SearchTerm): boolean => fields.some((tokens) => occurs(term, tokens));
      return all.every(isThere) && !none.some(isThere);
    },
  });

const whole = ({ tokens }: SearchTerm): SearchTerm => ({ tokens, isPrefix: false });
const asPrefix = ({ tokens }: SearchTerm): SearchTerm => ({ tokens, isPrefix: true });
const has = (term: SearchTerm, tokens: readonly string[]): boolean => countOccurrences(term, tokens) > 0;

/** Looks for the rest of a phrase where its first token is, and begins anew after what it looked at. */
const greedily = ({ tokens: wanted, isPrefix }: SearchTerm, tokens: readonly string[]): boolean => {
  let reached = 0;
  for (const token of tokens) {
    const next = wanted[reached] ?? '';
    const fits = isPrefix && reached === wanted.length - 1 ? token.startsWith(next) : token === next;
    reached = fits ? reached + 1 : 0;
    if (reached === wanted.length) return true;
  }
  return false;
};

/** By BM25 with the mean length of all entries, of whatever owner. */
const byLengthsOfAll = (all: Iterable<SearchEntry>): Order => {
  const lengths = [...all].map(({ title, filename, text }) => [title, filename, text].flatMap(searchTokens).length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const score = ({ counts, lengths: own }: Match): number => {
    const length = own.reduce((sum, each) => sum + each, 0);
    return counts.reduce((sum, [title = 0, filename = 0, text = 0]) => {
      const frequency = 10_000 * title + 100 * filename + text;
      return sum + frequency / (frequency + 0.3 + (0.9 * length) / mean);
    }, 0);
  };
  return (a, b) => compare(score(b), score(a)) || newestFirst(a, b);
};

const aTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The index that the mutants are made of passes the suite. */
export const plainSearchIndex: Mutant<SearchIndex> = made({});

/** Broken indexes, by what is wrong with them. */
export const searchIndexMutants: Mutants<SearchIndex> = {
  'stores nothing': over(() => ({ put: async () => {} })),
  'takes a lower version': made({ keepsVersion: () => false }),
  'passes over the version that it has': made({ keepsVersion: (stored, next) => stored.version >= next.version }),
  'compares versions as texts': made({ keepsVersion: (stored, next) => String(stored.version) > String(next.version) }),
  'takes version 0 for none': over((entries) => ({ versionOf: async (id) => entries.get(id)?.version || undefined })),
  'keeps the words of older versions': made({
    stored: (next, before) => ({ ...next, text: `${before?.text ?? ''} ${next.text}` }),
  }),
  'keeps the old title': made({ stored: (next, before) => ({ ...next, title: before?.title ?? next.title }) }),
  'keeps the old moment': made({
    stored: (next, before) => ({ ...next, receivedAt: before?.receivedAt ?? next.receivedAt }),
  }),
  'keeps the old owner': made({ stored: (next, before) => ({ ...next, ownerId: before?.ownerId ?? next.ownerId }) }),
  'keeps what it was given, not a copy': made({ stored: (next) => next }),
  'reads the version and then writes': over((entries) => ({
    put: async (entry) => {
      const before = entries.get(entry.documentId);
      await aTurn();
      if (before === undefined || before.version <= entry.version) entries.set(entry.documentId, { ...entry });
    },
  })),
  'writes when the words are ready, whatever was written meanwhile': over((entries) => ({
    put: async (entry) => {
      const before = entries.get(entry.documentId);
      if (before !== undefined && before.version > entry.version) return;
      for (let words = entry.text.length; words > 1000; words -= 1000) await aTurn();
      entries.set(entry.documentId, { ...entry });
    },
  })),
  'takes away what was there before it puts what comes in its place': over((entries) => ({
    put: async (entry) => {
      const before = entries.get(entry.documentId);
      if (before !== undefined && before.version > entry.version) return;
      entries.delete(entry.documentId);
      await aTurn();
      const meanwhile = entries.get(entry.documentId);
      if (meanwhile === undefined || meanwhile.version <= entry.version) entries.set(entry.documentId, { ...entry });
    },
  })),
  'remembers the version of what was removed': over((entries, own) => {
    const removed = new Map<string, number>();
    return {
      put: async (entry) => ((removed.get(entry.documentId) ?? 0) > entry.version ? undefined : own.put(entry)),
      remove: async (id) => {
        removed.set(id, entries.get(id)?.version ?? 0);
        entries.delete(id);
      },
    };
  }),
  'removes nothing': over(() => ({ remove: async () => {} })),
  'forgets the version alone of what is removed': over((entries, own) => {
    const removed = new Set<string>();
    return {
      remove: async (id) => void removed.add(id),
      versionOf: async (id) => (removed.has(id) ? undefined : entries.get(id)?.version),
      put: async (entry) => {
        if (removed.delete(entry.documentId)) entries.delete(entry.documentId);
        await own.put(entry);
      },
    };
  }),
  'removes everything that the owner has': over((entries) => ({
    remove: async (id) => {
      const ownerId = entries.get(id)?.ownerId;
      for (const [other, entry] of entries) if (entry.ownerId === ownerId) entries.delete(other);
    },
  })),
  'removes what begins with the id': over((entries) => ({
    remove: async (id) => {
      for (const other of entries.keys()) if (other.startsWith(id)) entries.delete(other);
    },
  })),
  'throws when what is gone is removed': over((entries) => ({
    remove: async (id) => {
      if (!entries.delete(id)) throw new Error('There is no such entry');
    },
  })),
  'finds what others own': made({ owns: () => true }),
  'takes owners whose ids begin alike for one': made({ owns: (ownerId, entry) => entry.ownerId.startsWith(ownerId) }),
  'takes owners of other case for one': made({
    owns: (ownerId, entry) => entry.ownerId.toLowerCase() === ownerId.toLowerCase(),
  }),
  'trims the ids of owners': made({ owns: (ownerId, entry) => entry.ownerId.trim() === ownerId.trim() }),
  'takes the id of an owner for a pattern': made({
    owns: (ownerId, entry) =>
      new RegExp(
        `^${ownerId
          .replace(/[^\w%]/g, String.raw`\$&`)
          .replaceAll('_', '.')
          .replaceAll('%', '.*')}$`,
      ).test(entry.ownerId),
  }),
  'counts what others have, too': over((entries, own) => ({
    search: async (ownerId, query, request) => {
      const { items } = await own.search(ownerId, query, request);
      const owners = new Set([...entries.values()].map((entry) => entry.ownerId));
      let total = 0;
      for (const owner of owners) total += (await own.search(owner, query, request)).total;
      return { items, total };
    },
  })),
  'does not search file names': made({ fields: ({ title, text }) => [title, '', text] }),
  'does not search titles': made({ fields: ({ filename, text }) => ['', filename, text] }),
  'searches all fields as one text': made({ matches: (query, fields) => matches(query, [fields.flat()]) }),
  'wants all terms in one field': made({
    matches: (query, fields) =>
      fields.some((tokens) => matches({ ...query, none: [] }, [tokens])) && matches({ ...query, all: [] }, fields),
  }),
  'wants one of the terms': made({
    matches: ({ all, none }, fields) =>
      (all.length === 0 || all.some((term) => matches({ all: [term], none: [] }, fields))) &&
      matches({ all: [], none }, fields),
  }),
  'takes a phrase for its words': matching((term, tokens) =>
    term.tokens.every((token, i) =>
      has({ tokens: [token], isPrefix: term.isPrefix && i === term.tokens.length - 1 }, tokens),
    ),
  ),
  'goes on after a phrase that breaks off': matching(greedily),
  'takes every word for a prefix': matching((term, tokens) => has(asPrefix(term), tokens)),
  'takes a prefix for a word': matching((term, tokens) => has(whole(term), tokens)),
  'wants more than the prefix': matching((term, tokens) =>
    term.isPrefix ? has(term, tokens) && !has(whole(term), tokens) : has(term, tokens),
  ),
  'takes each word of a phrase for a prefix': matching((term, tokens) =>
    tokens.some((_, start) =>
      term.tokens.every((token, i) =>
        term.isPrefix ? tokens[start + i]?.startsWith(token) : tokens[start + i] === token,
      ),
    ),
  ),
  'finds parts of words': matching((term, tokens) => tokens.join(' ').includes(term.tokens.join(' '))),
  'takes no account of exclusions': made({ matches: ({ all }, fields) => matches({ all, none: [] }, fields) }),
  'excludes what has all of the excluded terms': made({
    matches: ({ all, none }, fields) =>
      matches({ all, none: [] }, fields) && (none.length === 0 || !matches({ all: none, none: [] }, fields)),
  }),
  'excludes by the text alone': made({
    matches: ({ all, none }, fields) =>
      matches({ all, none: [] }, fields) && matches({ all: [], none }, fields.slice(2)),
  }),
  'takes excluded prefixes for words': made({
    matches: ({ all, none }, fields) => matches({ all, none: none.map(whole) }, fields),
  }),
  'finds nothing by exclusions alone': made({
    matches: (query, fields) => matches(query, fields) && (query.all.length > 0 || query.none.length === 0),
  }),
  'finds nothing without terms': made({
    matches: (query, fields) => matches(query, fields) && query.all.length + query.none.length > 0,
  }),
  'looks at a hundred terms': made({
    matches: ({ all, none }, fields) => matches({ all: all.slice(0, 100), none: none.slice(0, 100) }, fields),
  }),
  'compares the first fifty words of a phrase': matching((term, tokens) =>
    has(term.tokens.length > 50 ? { tokens: term.tokens.slice(0, 50), isPrefix: false } : term, tokens),
  ),
  'takes a phrase that it has compared for long for found': matching((term, tokens) =>
    term.tokens.length * tokens.length > 10_000_000
      ? has(whole({ ...term, tokens: term.tokens.slice(0, 2) }), tokens)
      : has(term, tokens),
  ),
  'finds nothing where it gives up': matching(
    (term, tokens) => term.tokens.length * tokens.length <= 10_000_000 && has(term, tokens),
  ),
  'gives up with an error of its own': matching((term, tokens) => {
    if (term.tokens.length * tokens.length > 10_000_000) throw new RangeError('This takes too long');
    return has(term, tokens);
  }),
  'refuses phrases of three words in long texts': matching((term, tokens) => {
    if (term.tokens.length > 2 && tokens.length > 200_000)
      throw new AppError('VALIDATION_ERROR', 'q: this takes too long.');
    return has(term, tokens);
  }),
  'finds no phrase across the parts of a long text': matching((term, tokens) => {
    const part = 50_000;
    for (let start = 0; start === 0 || start < tokens.length; start += part)
      if (has(term, tokens.slice(start, start + part))) return true;
    return false;
  }),
  'makes words its own way': made({ tokens: (text) => text.toLowerCase().split(/\W+/) }),
  'cuts long texts': made({ fields: ({ title, filename, text }) => [title, filename, text.slice(0, 1_000_000)] }),
  'has the newest first, whatever matches better': made({ order: () => newestFirst }),
  'has the oldest first of what is equally good': made({ order: weighted(WEIGHTS, (a, b) => newestFirst(b, a)) }),
  'has the lowest id first of what came at once': made({
    order: weighted(
      WEIGHTS,
      (a, b) => compare(b.entry.receivedAt, a.entry.receivedAt) || compare(a.entry.documentId, b.entry.documentId),
    ),
  }),
  'keeps what is equally good in the order in which it was put': made({ order: weighted(WEIGHTS, () => 0) }),
  'orders by milliseconds': made({
    order: weighted(
      WEIGHTS,
      (a, b) =>
        compare(Math.floor(b.entry.receivedAt / 1000), Math.floor(a.entry.receivedAt / 1000)) ||
        compare(b.entry.documentId, a.entry.documentId),
    ),
  }),
  'counts titles like texts': made({ order: weighted([0.01, 100, 1]) }),
  'counts file names more than titles': made({ order: weighted([100, 10_000, 1]) }),
  'counts file names like texts': made({ order: weighted([10_000, 0, 1]) }),
  'does not count how often': made({ order: weighted([10_000, 100, 0]) }),
  'counts how often up to three': made({
    order: () => {
      const capped = (match: Match): Match => ({
        ...match,
        counts: match.counts.map((each) => each.map((count) => Math.min(count, 3))),
      });
      return (a, b) => compare(scoreOf(capped(b), WEIGHTS), scoreOf(capped(a), WEIGHTS)) || newestFirst(a, b);
    },
  }),
  'ranks by the first term alone': made({
    order: () => {
      const first = (match: Match): Match => ({ ...match, counts: match.counts.slice(0, 1) });
      return (a, b) => compare(scoreOf(first(b), WEIGHTS), scoreOf(first(a), WEIGHTS)) || newestFirst(a, b);
    },
  }),
  'ranks by the mean length of what everybody has': made({ order: byLengthsOfAll }),
  'has long texts after all others': made({
    order: () => {
      const isLong = ({ entry }: Match): number => Number(entry.text.length > 500_000);
      const rest = weighted(WEIGHTS)();
      return (a, b) => isLong(a) - isLong(b) || rest(a, b);
    },
  }),
  'counts what is on the page': made({
    page: (ids, request) => ({ ...sound.page(ids, request), total: sound.page(ids, request).items.length }),
  }),
  'counts what is left': made({
    page: (ids, request) => ({ ...sound.page(ids, request), total: Math.max(0, ids.length - request.offset) }),
  }),
  'counts offsets in pages': made({
    page: (ids, { limit, offset }) => sound.page(ids, { limit, offset: offset * limit }),
  }),
  'gives everything from the offset on': made({
    page: (ids, { offset }) => sound.page(ids, { limit: Infinity, offset }),
  }),
  'gives at most 20': made({
    page: (ids, { limit, offset }) => sound.page(ids, { limit: Math.min(limit, 20), offset }),
  }),
  'scans nothing': made({ scan: () => [] }),
  'scans from the first each time': made({ scan: (ids, _, limit) => sound.scan(ids, undefined, limit) }),
  'scans from the id itself on': made({
    scan: (ids, after, limit) =>
      ids
        .toSorted(compare)
        .filter((id) => after === undefined || id >= after)
        .slice(0, limit),
  }),
  'scans after what is there alone': made({
    scan: (ids, after, limit) => {
      if (after !== undefined && !ids.includes(after)) return [];
      return sound.scan(ids, after, limit);
    },
  }),
  'scans on from the first after what is gone': made({
    scan: (ids, after, limit) => {
      const sorted = ids.toSorted(compare);
      const next = after === undefined ? 0 : sorted.indexOf(after) + 1;
      return sorted.slice(next, next + limit);
    },
  }),
  'scans in the order in which entries were put': made({
    scan: (ids, after, limit) => ids.filter((id) => after === undefined || id > after).slice(0, limit),
  }),
  'sorts what is scanned batch by batch': made({
    scan: (ids, after, limit) =>
      ids
        .filter((id) => after === undefined || id > after)
        .slice(0, limit)
        .toSorted(compare),
  }),
  'scans from the last down': made({
    scan: (ids, after, limit) =>
      ids
        .toSorted((a, b) => compare(b, a))
        .filter((id) => after === undefined || id < after)
        .slice(0, limit),
  }),
  'scans in the order of a dictionary': made({
    scan: (ids, after, limit) =>
      ids
        .toSorted((a, b) => a.localeCompare(b, 'en'))
        .filter((id) => after === undefined || id.localeCompare(after, 'en') > 0)
        .slice(0, limit),
  }),
  'scans everything at once': made({ scan: (ids, after) => sound.scan(ids, after, Infinity) }),
  'scans one too few': made({ scan: (ids, after, limit) => sound.scan(ids, after, Math.max(1, limit - 1)) }),
  'scans at most 20': made({ scan: (ids, after, limit) => sound.scan(ids, after, Math.min(limit, 20)) }),
  'scans what is removed': over((entries, own) => {
    const known = new Set<string>();
    return {
      put: async (entry) => {
        known.add(entry.documentId);
        await own.put(entry);
      },
      scan: async (after, limit) => sound.scan([...known], after, limit),
    };
  }),
  'scans what one owner has': over((entries) => ({
    scan: async (after, limit) => {
      const [first] = entries.values();
      return sound.scan(
        [...entries.values()].filter(({ ownerId }) => ownerId === first?.ownerId).map(({ documentId }) => documentId),
        after,
        limit,
      );
    },
  })),
  'scans what has text': over((entries) => ({
    scan: async (after, limit) =>
      sound.scan(
        [...entries.values()].filter(({ text }) => text !== '').map(({ documentId }) => documentId),
        after,
        limit,
      ),
  })),
  'scans what is of version 1 or higher': over((entries) => ({
    scan: async (after, limit) =>
      sound.scan(
        [...entries.values()].filter(({ version }) => version > 0).map(({ documentId }) => documentId),
        after,
        limit,
      ),
  })),
  'scans an entry as often as it was put': over((entries, own) => {
    const puts: string[] = [];
    return {
      put: async (entry) => {
        puts.push(entry.documentId);
        await own.put(entry);
      },
      scan: async (after, limit) =>
        sound.scan(
          puts.filter((id) => entries.has(id)),
          after,
          limit,
        ),
    };
  }),
  'scans in each handle what was put there': mutant(() => (sound) => {
    const own = new Set<string>();
    return {
      put: async (entry) => {
        own.add(entry.documentId);
        await sound.put(entry);
      },
      scan: async (after, limit) =>
        (await sound.scan(undefined, Infinity))
          .filter((id) => own.has(id) && (after === undefined || id > after))
          .slice(0, limit),
    };
  }),
  'remembers versions in each handle': mutant(() => (sound) => {
    const own = new Map<string, number>();
    return {
      put: async (entry) => {
        await sound.put(entry);
        own.set(entry.documentId, Math.max(entry.version, own.get(entry.documentId) ?? 0));
      },
      versionOf: async (id) => own.get(id) ?? sound.versionOf(id),
      remove: async (id) => {
        await sound.remove(id);
        own.delete(id);
      },
    };
  }),
  'has a second handle that sees nothing': secondHandleElsewhere(),
};
