// The European Commission's register of VAT ids, with its REST service: `POST .../check-vat-number`. Sources: the service's own description
// (https://ec.europa.eu/taxation_customs/vies/#/technical-information) for fields and codes, and its test service (checkVatTestService.wsdl) for the numbers with special
// answers. Here the last three digits of a number decide; a number with any other ending is not registered.
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Clock } from '#platform/clock.ts';
import { listen } from '../listener.ts';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';

export interface SandboxVatRegister {
  readonly url: string;
  /** Codes with which the next requests are answered; used up one by one. */
  readonly faults: string[];
  /** Member states whose own register is unavailable. */
  readonly away: Set<string>;
  /** All requests that were answered with valid or invalid, oldest first. */
  questions(): Question[];
  close(): Promise<void>;
}

interface Question {
  vatId: string;
  valid: boolean;
  requestIdentifier: string;
  at: string;
}

/** The register's country codes: Greece is EL, and XI is Northern Ireland. */
const MEMBERS: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);
/** These member states do not reveal the owner of an id. */
const SECRETIVE: ReadonlySet<string> = new Set(['DE', 'ES']);

const VALID = '100';
const ERRORS: Readonly<Record<string, string>> = {
  '201': 'INVALID_INPUT',
  '300': 'SERVICE_UNAVAILABLE',
  '301': 'MS_UNAVAILABLE',
  '302': 'TIMEOUT',
  '400': 'VAT_BLOCKED',
  '401': 'IP_BLOCKED',
  '500': 'GLOBAL_MAX_CONCURRENT_REQ',
  '501': 'GLOBAL_MAX_CONCURRENT_REQ_TIME',
  '600': 'MS_MAX_CONCURRENT_REQ',
  '601': 'MS_MAX_CONCURRENT_REQ_TIME',
};
/** Errors of a member state have status 200 (as clients of the real service report); errors in the request, or of the whole service, do not. */
const STATUSES: Readonly<Record<string, 400 | 500>> = { INVALID_INPUT: 400, INVALID_REQUESTER_INFO: 400, SERVICE_UNAVAILABLE: 500 };

const tailOf = (number: string): string => number.replaceAll(/\D/g, '').slice(-3);
const isRegistered = (country: string, number: string): boolean => MEMBERS.has(country) && tailOf(number) === VALID;

export async function startVatRegister(options: {
  host: string;
  port: number;
  clock: Clock;
  vendors: () => VendorUrls;
}): Promise<SandboxVatRegister> {
  const faults: string[] = [];
  const asked: Question[] = [];
  const away = new Set<string>();
  const app = new Hono<NodeBindings>();

  app.post('/taxation_customs/vies/rest-api/check-vat-number', async (c) => {
    const refuse = (error: string) => c.json({ actionSucceed: false, errorWrappers: [{ error }] }, STATUSES[error] ?? 200);
    if (!c.req.header('content-type')?.startsWith('application/json')) return c.text('Unsupported Media Type', 415);
    const body = (await c.req.json().catch(() => ({}))) as Record<string, unknown>;
    const words = (name: string): string => (typeof body[name] === 'string' ? body[name] : '');
    const [country, number] = [words('countryCode'), words('vatNumber')];
    const [requester, requesterNumber] = [words('requesterMemberStateCode'), words('requesterNumber')];
    if (!MEMBERS.has(country) || number === '') return refuse('INVALID_INPUT');
    const isQualified = requester !== '' || requesterNumber !== '';
    if (isQualified && !isRegistered(requester, requesterNumber)) return refuse('INVALID_REQUESTER_INFO');
    const error = faults.shift() ?? (away.has(country) ? 'MS_UNAVAILABLE' : undefined) ?? ERRORS[tailOf(number)];
    if (error) return refuse(error);
    const valid = isRegistered(country, number);
    const requestIdentifier = isQualified && valid ? `WAPIAAAA${randomBytes(6).toString('base64url')}` : '';
    const at = options.clock.now().toISOString();
    asked.push({ vatId: country + number, valid, requestIdentifier, at });
    const isNamed = valid && !SECRETIVE.has(country);
    return c.json({
      countryCode: country,
      vatNumber: number,
      requestDate: at,
      valid,
      requestIdentifier,
      name: isNamed ? `SANDBOX TRADER ${number}` : '---',
      address: isNamed ? '1 SANDBOX STREET\nSANDTOWN' : '---',
      traderName: '---',
      traderStreet: '---',
      traderPostalCode: '---',
      traderCity: '---',
      traderCompanyType: '---',
      traderNameMatch: 'NOT_PROCESSED',
      traderStreetMatch: 'NOT_PROCESSED',
      traderPostalCodeMatch: 'NOT_PROCESSED',
      traderCityMatch: 'NOT_PROCESSED',
      traderCompanyTypeMatch: 'NOT_PROCESSED',
    });
  });
  app.get('/taxation_customs/vies/rest-api/check-status', (c) =>
    c.json({
      vow: { available: !faults.includes('SERVICE_UNAVAILABLE') },
      countries: [...MEMBERS].map((countryCode) => ({ countryCode, availability: away.has(countryCode) ? 'Unavailable' : 'Available' })),
    }),
  );
  app.get('/', (c) => {
    const rows = asked
      .toReversed()
      .map(({ vatId, valid, requestIdentifier, at }) => [at, vatId, valid ? 'valid' : 'invalid', requestIdentifier]);
    const body = html`${table({ columns: ['When', 'VAT id', 'Answer', 'Consultation number'], rows })} ${vendorLinks(options.vendors())}`;
    return c.html(page({ vendor: 'Sandbox register of VAT ids', title: 'Questions', body }), 200, pageHeaders);
  });
  const listener = await listen(app, options.host, options.port);
  return { url: listener.url, faults, away, questions: () => asked, close: listener.close };
}
