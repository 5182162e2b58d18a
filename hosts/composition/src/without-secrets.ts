/**
 * Returns an error message about a URL, or `undefined` if the message may contain a secret of that URL. In the URL, the
 * words of three or more characters before the last `@` and after each `=` count as secrets.
 */
export const withoutSecrets = (message: string, url: string): string | undefined => {
  const before = url.slice(url.indexOf('//') + 2, Math.max(url.lastIndexOf('@'), 0));
  const values = [...url.matchAll(/=([^&#]*)/g)].map(([, value = '']) => value);
  const secrets = [before, ...values]
    .flatMap((text) => text.split(/[^\p{L}\p{N}_-]+/u))
    .filter((word) => word.length > 2);
  return secrets.some((word) => message.includes(word)) ? undefined : message;
};
