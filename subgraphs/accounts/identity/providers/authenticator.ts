// Codes of an authenticator app: TOTP (RFC 6238) with the settings that every app supports: SHA-1, six digits, thirty seconds.
import { AUTHENTICATOR_CODE } from '../../../../schema/limits.ts';
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#platform/clock.ts';

export interface Authenticator {
  /** A new secret in base 32. */
  newSecret(): string;
  /** The URI that an app scans as a QR code. */
  uriOf(secret: string, account: string): string;
  /** The time step of a right code, of now or one step before or after; undefined when it is wrong. */
  stepOf(secret: string, code: string): number | undefined;
}

const PERIOD_SECONDS = AUTHENTICATOR_CODE.seconds;
const SECRET_BYTES = 20;
/** One step before and after is accepted, because clocks are off and people are slow. */
const WINDOW = 1;

export function createAuthenticator({ issuer, clock }: { issuer: string; clock: Clock }): Authenticator {
  const totpOf = (secret: string, label = issuer) =>
    new TOTP({
      issuer,
      label,
      secret: Secret.fromBase32(secret),
      algorithm: 'SHA1',
      digits: AUTHENTICATOR_CODE.digits,
      period: PERIOD_SECONDS,
    });
  return {
    newSecret: () => new Secret({ size: SECRET_BYTES }).base32,
    uriOf: (secret, account) => totpOf(secret, account).toString(),
    stepOf(secret, code) {
      const token = code.replace(/\s/g, '');
      if (!/^\d{6}$/.test(token)) return undefined;
      const timestamp = clock.now().getTime();
      const delta = totpOf(secret).validate({ token, timestamp, window: WINDOW });
      return delta === null ? undefined : Math.floor(timestamp / (PERIOD_SECONDS * 1_000)) + delta;
    },
  };
}
