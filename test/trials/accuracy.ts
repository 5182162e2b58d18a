/** Normalizes text for comparison: NFKC, straight quotes, words joined at line-end hyphens, single spaces. */
export const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/-\s*\n\s*/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The character error rate: the edit distance divided by the length of the ground truth. 0 is perfect. */
export const characterErrorRate = (truth: string, read: string): number => {
  const [a, b] = [normalised(truth), normalised(read)];
  let row = Uint32Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = new Uint32Array(b.length + 1);
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
    }
    row = next;
  }
  return a.length === 0 ? 0 : (row[b.length] ?? 0) / a.length;
};

const words = (text: string): string[] =>
  normalised(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** The word recall: the share of the words of the ground truth that were recognized, in any order. */
export const wordRecall = (truth: string, read: string): number => {
  const left = new Map<string, number>();
  for (const word of words(read)) left.set(word, (left.get(word) ?? 0) + 1);
  const wanted = words(truth);
  let found = 0;
  for (const word of wanted) {
    const count = left.get(word) ?? 0;
    if (count > 0) {
      found++;
      left.set(word, count - 1);
    }
  }
  return wanted.length === 0 ? 1 : found / wanted.length;
};
