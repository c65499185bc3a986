// Passkeys (WebAuthn): discoverable, and with user verification by the device, so that a passkey counts as two factors.
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server';

export interface StoredPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
}

/** `options` is sent to the browser unchanged; `challenge` is stored. */
export interface Ceremony {
  challenge: string;
  options: object;
}

export interface Passkeys {
  register(account: { id: string; name: string }, known: readonly StoredPasskey[]): Promise<Ceremony>;
  /** The passkey to store; undefined when the response is not valid. */
  registered(response: unknown, challenge: string): Promise<StoredPasskey | undefined>;
  signIn(): Promise<Ceremony>;
  /** The id of the credential that a response claims to come from. */
  claimOf(response: unknown): string | undefined;
  /** The new counter; undefined when the response is not valid. */
  signedIn(response: unknown, challenge: string, passkey: StoredPasskey): Promise<number | undefined>;
}

const TIMEOUT_MS = 300_000;

/** Loaded with the first passkey: its two hundred files are a tenth of what a process of accounts would load at its start, and most use none. */
const library = () => import('@simplewebauthn/server');

export function createPasskeys({ brand, publicUrl }: { brand: string; publicUrl: string }): Passkeys {
  const { hostname: rpID, origin } = new URL(publicUrl);
  const expected = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  const ceremony = (options: { challenge: string }): Ceremony => ({ challenge: options.challenge, options });
  const transportsOf = ({ transports }: StoredPasskey) => transports as AuthenticatorTransport[];
  return {
    async register({ id, name }, known) {
      const { generateRegistrationOptions } = await library();
      return ceremony(
        await generateRegistrationOptions({
          rpName: brand,
          rpID,
          userName: name,
          userID: new TextEncoder().encode(id),
          attestationType: 'none',
          timeout: TIMEOUT_MS,
          excludeCredentials: known.map((passkey) => ({ id: passkey.credentialId, transports: transportsOf(passkey) })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        }),
      );
    },
    async registered(response, expectedChallenge) {
      const { verifyRegistrationResponse } = await library();
      // A malformed response throws, and is as invalid as one that does not verify.
      const answer = await verifyRegistrationResponse({
        ...expected,
        response: response as RegistrationResponseJSON,
        expectedChallenge,
      }).catch(() => undefined);
      if (!answer?.verified) return undefined;
      const { id: credentialId, publicKey, counter, transports = [] } = answer.registrationInfo.credential;
      return { credentialId, publicKey, counter, transports };
    },
    async signIn() {
      const { generateAuthenticationOptions } = await library();
      return ceremony(await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout: TIMEOUT_MS }));
    },
    claimOf(response) {
      const id = (response as { id?: unknown } | null)?.id;
      return typeof id === 'string' && id.length <= 1_400 ? id : undefined;
    },
    async signedIn(response, expectedChallenge, passkey) {
      const { credentialId: id, publicKey, counter } = passkey;
      const credential = { id, publicKey: new Uint8Array(publicKey), counter, transports: transportsOf(passkey) };
      const { verifyAuthenticationResponse } = await library();
      const answer = await verifyAuthenticationResponse({
        ...expected,
        response: response as AuthenticationResponseJSON,
        expectedChallenge,
        credential,
      }).catch(() => undefined);
      return answer?.verified ? answer.authenticationInfo.newCounter : undefined;
    },
  };
}
