// `npm run --silent address-use -- ADDRESS AT [MINUTES]`: who used a static or residential address at a time, to answer an abuse complaint. ADDRESS is the
// address that targets saw, or the id of an exit; AT is an instant such as 2026-01-15T12:00:00Z.
import { withSubgraph } from '#platform/command.ts';
import { composition } from './configuration.ts';
import { findAddressUse } from './subgraphs/residential/metering/services/find-address-use.ts';
import { plansById } from './subgraphs/residential/plans/entities/plan.ts';
import { residential } from './subgraphs/residential/subgraph.ts';
import { holders } from './subgraphs/static/inventory/services/inventory.ts';
import { staticProxies } from './subgraphs/static/subgraph.ts';

const USAGE = 'Usage: npm run --silent address-use -- ADDRESS AT [MINUTES]';
const MAX_HOSTS = 10;
const print = (...cells: (string | number | null)[]) => void process.stdout.write(`${cells.map((cell) => cell ?? '-').join('\t')}\n`);

const [address = '', time = '', minutes] = process.argv.slice(2);
const at = new Date(time);
const span = minutes === undefined ? undefined : Number(minutes);

await withSubgraph(staticProxies, composition, async (ctx, refuse) => {
  if (address === '' || Number.isNaN(at.getTime())) throw refuse(USAGE);
  print('kind', 'account', 'plan', 'from', 'to', 'client', 'session', 'bytes', 'hosts');
  for (const { accountId, planId, startedAt, endedAt } of await holders(ctx, { ip: address, at }))
    print('static', accountId, planId, startedAt.toISOString(), endedAt?.toISOString() ?? null, null, null, null, null);
});
if (!process.exitCode)
  await withSubgraph(residential, composition, async (ctx) => {
    const uses = await findAddressUse(ctx, { address, at, minutes: span });
    const plans = await plansById(ctx.em, [...new Set(uses.map(({ planId }) => planId))], ctx.clock.now());
    const accounts = new Map(plans.map(({ id, accountId }) => [id, accountId]));
    for (const { planId, firstAt, lastAt, client, session, upBytes, downBytes, hosts } of uses) {
      const named = hosts.slice(0, MAX_HOSTS).map(({ host }) => host ?? '?');
      const more = hosts.length > MAX_HOSTS ? ` +${hosts.length - MAX_HOSTS}` : '';
      const bytes = String(upBytes + downBytes);
      print(
        'residential',
        accounts.get(planId) ?? null,
        planId,
        firstAt.toISOString(),
        lastAt.toISOString(),
        client,
        session,
        bytes,
        named.join(' ') + more,
      );
    }
  });
