// Checks whether other mail servers will trust mails of the sender's domain, by the records that the domain has in DNS. Sources: RFC 7208 (SPF), RFC 6376
// (DKIM), RFC 7489 (DMARC).
import type { Resolver } from 'node:dns/promises';
import type { Finding } from '#platform/vendor-check.ts';

export interface MailDomain {
  check(): Promise<Finding[]>;
}

/** Looks names up in DNS. */
export type TextResolver = Pick<Resolver, 'resolveTxt'>;

interface Record {
  what: string;
  name: string;
  /** How its text begins. */
  tag: string;
}

/** The domain of a sender such as "Egress <no-reply@egress.example>"; undefined when it has none. */
export const domainOf = (from: string): string | undefined => /@([^>\s]+)/.exec(from)?.[1];

/** `selector`: the DKIM selector of the key that the mail server signs with. Undefined: it is not configured, and DKIM is not looked up. */
export function createMailDomain(resolver: TextResolver, { from, selector }: { from: string; selector: string | undefined }): MailDomain {
  const domain = domainOf(from) ?? '';
  const records: Record[] = [
    { what: 'SPF', name: domain, tag: 'v=spf1' },
    ...(selector === undefined ? [] : [{ what: 'DKIM', name: `${selector}._domainkey.${domain}`, tag: 'v=DKIM1' }]),
    { what: 'DMARC', name: `_dmarc.${domain}`, tag: 'v=DMARC1' },
  ];
  return { check: () => Promise.all(records.map((record) => lookUp(resolver, record))) };
}

async function lookUp(resolver: TextResolver, { what, name, tag }: Record): Promise<Finding> {
  const found = (await textsOf(resolver, name)).filter((text) => text === tag || text.startsWith(`${tag} `) || text.startsWith(`${tag};`));
  const [text = ''] = found;
  if (found.length === 0) return { what, ok: false, words: `${name} has no text that begins with ${tag}` };
  // Two such records are an error for receiving servers (RFC 7208, 4.5; RFC 7489, 6.6.3).
  if (found.length > 1) return { what, ok: false, words: `${name} has ${found.length} texts that begin with ${tag}` };
  const passesAll = what === 'SPF' && /\s\+?all$/.test(text);
  return passesAll
    ? { what, ok: false, words: `${name} lets everybody send: ${text}` }
    : { what, ok: true, words: `${name} ${text.slice(0, 120)}` };
}

async function textsOf(resolver: TextResolver, name: string): Promise<string[]> {
  try {
    // A long text comes in parts.
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(''));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND' || code === 'ENODATA') return [];
    throw error;
  }
}
