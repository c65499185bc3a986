// An authenticator app.
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#platform/clock.ts';

/** The code that an app shows now for a secret in base 32, as pages show it. */
export const totpCode = (secret: string, clock: Clock): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
