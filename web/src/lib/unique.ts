/** 128 random bits in hex. Not crypto.randomUUID, which is absent on plain-HTTP pages. */
export const uniqueKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
