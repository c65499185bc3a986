/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilStopped(): Promise<void> {
  return new Promise((stop) => {
    let asked = false;
    const ask = () => {
      if (asked) process.exit(130);
      asked = true;
      stop();
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
