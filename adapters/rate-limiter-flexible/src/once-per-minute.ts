const MINUTE_MS = 60_000;

/** `tell`, called for the first of the errors that come within a minute of each other. */
export const oncePerMinute = (tell: (error: unknown) => void): ((error: unknown) => void) => {
  let toldAt = -Infinity;
  return (error) => {
    const now = Date.now();
    // The clock may have gone back since.
    if (Math.abs(now - toldAt) < MINUTE_MS) return;
    toldAt = now;
    tell(error);
  };
};
