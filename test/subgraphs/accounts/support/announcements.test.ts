// Announcements of staff above every page: to whom, in which languages, for how long, and until a customer dismisses them.
import { expect, test } from 'vitest';
import { DAY, HOUR, after } from '#platform/clock.ts';
import { codeOf, dataOf } from '../world.ts';
import { rowsOf } from '../../../kit/tables.ts';
import { startBilling } from '../billing/world.ts';
import { withDesk } from '../billing/with-desk.ts';

const { world, desk } = await withDesk(startBilling({}, { withPayPal: false }));
const [ada, bea] = [await world.account('ada@example.com'), await world.account('bea@example.com')];

interface Shown {
  id: string;
  title: { en: string; de: string | null };
  text: { en: string; de: string | null };
}
const PUBLISH = `mutation ($input: SupportAnnouncementInput!) {
  supportAnnouncementPublish(input: $input) { id title { en de } text { en de } showsFrom showsUntil endedAt dismissals } }`;
const inDays = (days: number) => after(world.clock.now(), days * DAY).toISOString();
const input = (more: object = {}) => ({
  audience: 'EVERYBODY',
  title: { en: 'New places', de: 'Neue Orte' },
  text: { en: 'Vienna is here.' },
  showsUntil: inDays(7),
  ...more,
});
const publish = async (more: object = {}) =>
  dataOf<Shown & { showsFrom: string }>(await world.ask(desk.viewer, PUBLISH, { input: input(more) }), 'supportAnnouncementPublish');
const shownTo = async ({ viewer }: typeof ada) =>
  dataOf<{ announcements: Shown[] }>(await world.ask(viewer, '{ me { announcements { id title { en de } text { en de } } } }'), 'me')
    .announcements;
const idsFor = async (person: typeof ada) => (await shownTo(person)).map(({ id }) => id);
const dismiss = ({ viewer }: typeof ada, id: string) => world.ask(viewer, 'mutation ($id: ID!) { announcementDismiss(id: $id) }', { id });
const end = (id: string) => world.ask(desk.viewer, 'mutation ($id: ID!) { supportAnnouncementEnd(id: $id) { id endedAt } }', { id });
const listed = async (open: boolean) =>
  dataOf<{ id: string; dismissals: number }[]>(
    await world.ask(desk.viewer, 'query ($open: Boolean) { supportAnnouncements(open: $open) { id dismissals } }', { open }),
    'supportAnnouncements',
  );

test('is shown to everybody in its languages until each has put it away, which is counted once', async () => {
  const { id } = await publish();
  expect(await shownTo(ada)).toEqual([{ id, title: { en: 'New places', de: 'Neue Orte' }, text: { en: 'Vienna is here.', de: null } }]);
  expect(await idsFor(bea)).toEqual([id]);
  for (let time = 0; time < 2; time++) expect(dataOf(await dismiss(ada, id), 'announcementDismiss')).toBe(true);
  expect([await idsFor(ada), await idsFor(bea)]).toEqual([[], [id]]);
  expect(await listed(true)).toEqual([{ id, dismissals: 1 }]);
  dataOf(await end(id), 'supportAnnouncementEnd');
});

test('is shown from its beginning to its end, and no longer than staff want', async () => {
  const { id } = await publish({ showsFrom: inDays(1), showsUntil: inDays(2) });
  expect(await idsFor(bea)).toEqual([]);
  expect((await listed(true)).map((each) => each.id)).toEqual([id]);
  world.clock.advance(DAY);
  expect(await idsFor(bea)).toEqual([id]);
  world.clock.advance(DAY);
  expect(await idsFor(bea)).toEqual([]);
  expect((await listed(false)).map((each) => each.id)).toContain(id);
  expect(codeOf(await end(id))).toBe('announcement_not_found');
  const { id: short } = await publish();
  dataOf(await end(short), 'supportAnnouncementEnd');
  expect(await idsFor(bea)).toEqual([]);
  expect(codeOf(await end(short))).toBe('announcement_not_found');
});

test('is for who has bought something, or has bought of a seller', async () => {
  const carl = await world.account('carl@example.com');
  await world.buy(carl);
  const ids = new Map<string, string>();
  for (const audience of ['CUSTOMERS', 'RESIDENTIAL', 'STATIC']) ids.set(audience, (await publish({ audience })).id);
  expect((await idsFor(carl)).toSorted()).toEqual([ids.get('CUSTOMERS'), ids.get('RESIDENTIAL')].toSorted());
  expect(await idsFor(ada)).toEqual([]);
  for (const id of ids.values()) await end(id);
});

test('three at most are shown, the latest first', async () => {
  const published = [];
  for (let count = 0; count < 4; count++) {
    published.push((await publish()).id);
    world.clock.advance(HOUR);
  }
  expect(await idsFor(bea)).toEqual(published.toReversed().slice(0, 3));
  for (const id of published) await end(id);
});

test.each([
  ['no title', { title: { en: ' ' } }],
  ['a text of more than it may have', { text: { en: 'x'.repeat(1_001) } }],
  ['an end before its beginning', { showsFrom: new Date('2999-01-01').toISOString() }],
  ['an end that is over', { showsUntil: new Date('2001-01-01').toISOString() }],
  ['more than a year', { showsUntil: new Date('2999-01-01').toISOString() }],
])('with %s is refused', async (_, more) => {
  expect(codeOf(await world.ask(desk.viewer, PUBLISH, { input: input(more) }))).toBe('parameter_invalid');
});

test('is an act of staff, whoever else tries is refused, and one that is not there is put away by nobody', async () => {
  const acts = await rowsOf<{ act: string }>(world.query, 'accounts.staff_act', {});
  expect(new Set(acts.map(({ act }) => act))).toEqual(new Set(['supportAnnouncementPublish', 'supportAnnouncementEnd']));
  expect(codeOf(await world.ask(ada.viewer, PUBLISH, { input: input() }))).toBe('forbidden');
  expect(codeOf(await world.ask(ada.viewer, '{ supportAnnouncements { id } }'))).toBe('forbidden');
  expect(codeOf(await dismiss(ada, 'ann_none'))).toBe('announcement_not_found');
});
