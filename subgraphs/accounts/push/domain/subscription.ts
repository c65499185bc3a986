// A subscription as the browser gives it (RFC 8291, 3).
import { ECDH, hash } from 'node:crypto';
import { because, fail } from '#platform/errors.ts';
import { checkUrl } from '../../webhooks/domain/endpoint-terms.ts';

export interface PushSubscription {
  /** Whoever knows it can send, with our key. */
  endpoint: string;
  /** The browser's public key, in base64url. */
  p256dh: string;
  /** What browser and platform share, in base64url. */
  auth: string;
}

const AUTH_BYTES = 16;
const POINT_BYTES = 65;

/** `insecure`: also http. Errors: parameter_invalid. */
export function checkSubscription({ endpoint, p256dh, auth }: PushSubscription, insecure: boolean): PushSubscription {
  const [key, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
  if (!isPoint(key)) throw fail('parameter_invalid', { field: 'p256dh', reason: because('push_key_unfit') });
  if (secret.length !== AUTH_BYTES) throw fail('parameter_invalid', { field: 'auth', reason: because('push_key_unfit') });
  return { endpoint: checkUrl(endpoint, insecure, 'endpoint'), p256dh: key.toString('base64url'), auth: secret.toString('base64url') };
}

function isPoint(key: Buffer): boolean {
  if (key.length !== POINT_BYTES) return false;
  try {
    return ECDH.convertKey(key, 'prime256v1').length > 0;
  } catch {
    return false;
  }
}

/** By which a browser finds its own subscription in a list that does not show addresses. */
export const digestOf = (endpoint: string): string => hash('sha256', endpoint, 'base64url');
