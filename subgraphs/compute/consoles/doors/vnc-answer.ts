import { createCipheriv } from 'node:crypto';

/** The answer to a challenge of VNC authentication: it encrypted by DES with the password, whose bits each byte has in reverse. Three times the same key is single DES. */
export function vncAnswer(password: string, challenge: Buffer): Buffer {
  const key = Buffer.alloc(8);
  key.write(password.slice(0, 8), 'latin1');
  for (const [index, byte] of key.entries()) key[index] = reversed(byte);
  const cipher = createCipheriv('des-ede3-ecb', Buffer.concat([key, key, key]), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(challenge), cipher.final()]);
}

function reversed(byte: number): number {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) result |= 128 >> bit;
  return result;
}
