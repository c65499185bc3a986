/** 128 random bits in hex. Not crypto.randomUUID, which plain-HTTP pages do not have. */
export const uniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
