// When an authority wants a certificate to be renewed: ACME Renewal Information, RFC 9773. It spreads its load by that, and says so before it revokes.
import 'reflect-metadata';
import { AuthorityKeyIdentifierExtension, X509Certificate } from '@peculiar/x509';
import { z } from 'zod';
import { DAY, HOUR, MINUTE, after } from '#platform/clock.ts';
import { AcmeProblem, type AcmeSession } from './session.ts';

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const RENEWAL_INFO = z.object({ suggestedWindow: z.object({ start: instant, end: instant }), explanationURL: z.string().optional() });

export interface RenewalWindow {
  start: Date;
  end: Date;
  /** A page that says why, where there is a reason. */
  explanation: string | undefined;
}

/** What an authority has said, and after how long it is to be asked again. */
export interface RenewalAnswer {
  window: RenewalWindow;
  askAgainMs: number;
}

const ASK_AGAIN_MS = 6 * HOUR;

/**
 * The name of a certificate in requests (4.1): the key identifier of its issuer and its serial number, as DER has them, in base64url. `chain`: PEM, its first
 * certificate is meant. Undefined: it does not name its issuer's key.
 */
export function renewalIdOf(chain: string): string | undefined {
  const certificate = new X509Certificate(chain.slice(chain.indexOf('-----BEGIN CERTIFICATE')));
  const issuer = certificate.getExtension(AuthorityKeyIdentifierExtension)?.keyId;
  if (issuer === undefined) return undefined;
  const serial = Buffer.from(certificate.serialNumber, 'hex');
  // DER numbers are signed.
  const signed = (serial[0] ?? 0) > 127 ? Buffer.concat([Buffer.of(0), serial]) : serial;
  return `${Buffer.from(issuer, 'hex').toString('base64url')}.${signed.toString('base64url')}`;
}

/** Undefined: the authority gives no such information. Rejects with an AcmeProblem where it refuses or cannot be understood. */
export async function askRenewalInfo(session: AcmeSession, renewalId: string): Promise<RenewalAnswer | undefined> {
  const { renewalInfo } = session.directory;
  if (renewalInfo === undefined) return undefined;
  const { text, retryAfterMs = ASK_AGAIN_MS } = await session.get(`${renewalInfo.replace(/\/$/, '')}/${renewalId}`);
  const read = RENEWAL_INFO.safeParse(parsed(text));
  if (!read.success) throw new AcmeProblem('renewalInfo', 'the renewal information cannot be understood');
  const { suggestedWindow, explanationURL } = read.data;
  // 4.2: such an answer counts as none.
  if (suggestedWindow.end <= suggestedWindow.start) throw new AcmeProblem('renewalInfo', 'the suggested window ends before it starts');
  // 4.3.2: limits of one's own are right, so that neither a minute nor a year of silence is asked for.
  const askAgainMs = Math.min(DAY, Math.max(MINUTE, retryAfterMs));
  return { window: { ...suggestedWindow, explanation: explanationURL }, askAgainMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A time within the window; `chance`: 0 up to 1. */
export const timeWithin = ({ start, end }: RenewalWindow, chance: number): Date => after(start, (end.getTime() - start.getTime()) * chance);
