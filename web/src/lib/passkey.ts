// Passkeys through the browser's API; options and answers are sent as JSON.
export const passkeysWork = (): boolean =>
  typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential && isSecureContext;

/** Lets the device create a passkey; undefined when the person or the device refuses. */
export async function makePasskey(options: string): Promise<string | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON);
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Lets the device sign with a passkey; undefined when there is none, or the person refuses. */
export async function showPasskey(options: object): Promise<string | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  return answerOf(navigator.credentials.get({ publicKey }));
}

async function answerOf(asked: Promise<Credential | null>): Promise<string | undefined> {
  try {
    const credential = await asked;
    return credential ? JSON.stringify((credential as PublicKeyCredential).toJSON()) : undefined;
  } catch (error) {
    // Browsers give the same error for "cancelled", "timed out" and "no passkey here".
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
