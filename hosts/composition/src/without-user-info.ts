/**
 * A message about an address, `undefined` if it repeats any part of the user or the password in it, or seems to: words of
 * three letters or more before the last `@`, and whatever follows an `=`.
 */
export const withoutUserInfo = (message: string, url: string): string | undefined => {
  const before = url.slice(url.indexOf('//') + 2, Math.max(url.lastIndexOf('@'), 0));
  const values = [...url.matchAll(/=([^&#]*)/g)].map(([, value = '']) => value);
  const secrets = [before, ...values]
    .flatMap((text) => text.split(/[^\p{L}\p{N}_-]+/u))
    .filter((word) => word.length > 2);
  return secrets.some((word) => message.includes(word)) ? undefined : message;
};
