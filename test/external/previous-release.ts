// The data of a customer of an earlier release, read over the API: by that release when its dump is made, and by this one after the upgrade.
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';

/** The settings of both releases: the secret seals passwords, and proxy lines contain the host. */
export const SETTINGS = {
  SECRET: 'the master secret of an installation that is upgraded',
  EDGE: 'false',
  PROXY_HOST: 'proxy.egress.example',
};

export interface Customer {
  email: string;
  password: string;
  apiKey: string;
}

export interface Release {
  /** The commit from which the dump was made. */
  commit: string;
  at: string;
  customer: Customer;
  answers: Record<string, unknown>;
}

const folder = new URL('releases/', import.meta.url);
export const fileOf = (name: string, ending: 'sql.gz' | 'json') => new URL(`${name}.${ending}`, folder);

export const readRelease = (name: string) => ({
  sql: gunzipSync(readFileSync(fileOf(name, 'sql.gz'))).toString(),
  release: JSON.parse(readFileSync(fileOf(name, 'json'), 'utf8')) as Release,
});

const ACCOUNT = `{ me { email apiAllowed orders { id status }
  invoices { number issuedAt note lines { label quantity amount { amountMinor currency } } total { amountMinor currency } } } }`;

/** Logs in by password, and returns the cookie. */
export async function cookieOf(url: string, { email, password }: Customer): Promise<string> {
  const answer = await fetch(`${url}/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
  });
  if (answer.status !== 200) throw new Error(`the log-in answers ${answer.status}: ${await answer.text()}`);
  return answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]).join('; '); // prettier-ignore
}

/** Over REST plans with their usage, statistics and lines, and subscriptions; over GraphQL orders and invoices. */
export async function answersOf(url: string, customer: Customer): Promise<Record<string, unknown>> {
  const rest = async (path: string) =>
    ((await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${customer.apiKey}` } })).json()) as { data: unknown }).data;
  const plans = (await rest('/v1/residential')) as { plans: { product_id: string; valid_until?: string | null }[] };
  // What later releases have added is no part of what a dump's release answered.
  const found: Record<string, unknown> = { plans: { plans: plans.plans.map(({ valid_until: _added, ...plan }) => plan) } };
  for (const path of ['/v1/static/isp', '/v1/subscriptions']) found[path] = await rest(path);
  for (const { product_id: id } of plans.plans) {
    for (const asked of ['usage', 'statistics']) found[`${id} ${asked}`] = await rest(`/v1/residential/${id}/${asked}`);
    // Each call makes another batch, with the same rotating line.
    found[`${id} lines`] = (
      (await rest(`/v1/residential/${id}/proxies?sticky=false&pool=Germany&quantity=1`)) as { proxies: string[] }
    ).proxies;
  }
  const account = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: await cookieOf(url, customer), origin: url },
    body: JSON.stringify({ query: ACCOUNT }),
  });
  return { ...found, account: await account.json() };
}
