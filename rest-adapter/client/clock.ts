// The time of day of the program that uses the client: it runs without the platform, whose clock it cannot ask.

/** Now, in milliseconds of unix time. */
export const nowMs = (): number => Date.now();
