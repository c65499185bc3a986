import { createCipheriv } from 'node:crypto';

/**
 * The answer to a challenge of VNC authentication: the challenge encrypted by DES, with the password as the key, the bits of each byte reversed. Triple DES
 * with the same key three times is single DES.
 */
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
