/** The edit distance of two texts, relative to the length of the first. */
export const errorShare = (expected: string, got: string): number => {
  let row = Array.from({ length: got.length + 1 }, (_, i) => i);
  for (let i = 1; i <= expected.length; i++) {
    const next = [i];
    for (let j = 1; j <= got.length; j++) {
      const changed = (row[j - 1] ?? 0) + (expected[i - 1] === got[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, changed));
    }
    row = next;
  }
  return (row[got.length] ?? 0) / expected.length;
};
