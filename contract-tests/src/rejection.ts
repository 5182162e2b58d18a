/** What `promise` rejects with. Throws if it resolves. */
export const rejectionOf = async (promise: Promise<unknown>): Promise<unknown> => {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (outcome) return outcome.error;
  throw new Error('Expected a rejection, but the promise resolved');
};
