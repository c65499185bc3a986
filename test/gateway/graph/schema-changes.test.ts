import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SchemaHistory } from '../../../schema/publications.ts';
import { type Site, startSite } from '../site.ts';
import { SUPERGRAPH } from '../small-subgraphs.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({
    published: {
      sdl: SUPERGRAPH.replace(/ {2}pageOnly[^\n]*\n/, '').replace(/ {2}deskOnly[^\n]*\n/, ''),
      publications: [
        {
          version: '0.1.0',
          on: '2026-01-01',
          sha256: '',
          changes: [
            { kind: 'ADDED', description: 'Query.plans was added.', tiers: ['customer', 'partner', 'staff'] },
            { kind: 'BREAKING', description: 'Query.secret was removed.', reason: 'It is gone.', tiers: ['staff'] },
          ],
        },
      ],
    },
  });
  site.world.sessions.set('token-staff', { accountId: 's', sessionId: 's9', role: 'STAFF' });
});
afterAll(() => site.close());

const get = (query = '', headers: Record<string, string> = {}) => fetch(`${site.url}/graphql/schema/changes${query}`, { headers });
const told = async (query: string, headers?: Record<string, string>) => {
  const { unpublished, publications } = (await (await get(query, headers)).json()) as SchemaHistory;
  return [unpublished, publications[0]?.changes ?? []].map((changes) => changes.map(({ description }) => description));
};

test('each kind of readers is told what it sees: what is published, and what is not yet', async () => {
  expect(await told('')).toEqual([['Query.pageOnly was added.'], ['Query.plans was added.']]);
  expect(await told('?tier=partner')).toEqual([[], ['Query.plans was added.']]);
  expect(await told('?tier=staff', { cookie: 'egress_session=token-staff' })).toEqual([
    ['Query.deskOnly was added.', 'Query.pageOnly was added.'],
    ['Query.plans was added.', 'Query.secret was removed.'],
  ]);
});

test('what staff sees is for staff alone', async () => {
  const page = { cookie: 'egress_session=token-a' };
  const statuses = [await get('?tier=staff'), await get('?tier=staff', page), await get('?tier=all')].map(({ status }) => status);
  expect(statuses).toEqual([401, 403, 400]);
  const whole = await get('?tier=staff', { cookie: 'egress_session=token-staff' });
  expect(whole.headers.get('cache-control')).toContain('private');
});

test('it is JSON, or Markdown for who asks for it, each with a tag of its own', async () => {
  const [json, markdown, text] = [await get(), await get('', { accept: 'text/markdown' }), await get('', { accept: 'text/plain, */*' })];
  expect([json, markdown, text].map(({ headers }) => headers.get('content-type'))).toEqual([
    'application/json; charset=utf-8',
    'text/markdown; charset=utf-8',
    'text/plain; charset=utf-8',
  ]);
  expect(json.headers.get('vary')).toBe('Accept, Accept-Encoding');
  expect(await markdown.text()).toMatch(
    /^# Changes of the GraphQL API, as customers see it\n\n## Not published yet\n\n- added: Query\.pageOnly/,
  );
  const etag = markdown.headers.get('etag') ?? '';
  const again = (accept: string) => get('', { accept, 'if-none-match': etag });
  expect([(await again('text/markdown')).status, (await again('application/json')).status]).toEqual([304, 200]);
});
