// Stands in for an authenticator app.
import { Secret, TOTP } from 'otpauth';
import type { Clock } from '#platform/clock.ts';

/** The code that the app shows at the clock's time, for a secret in base32 as the pages show it. */
export const totpCode = (secret: string, clock: Clock): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
