// What a Terraform provider does with the API: proxy users and webhooks that are declared are made, changed and removed, and nothing is done twice.
import type { EgressClient, ProxyUser, Webhook } from '../../../rest-adapter/client/index.ts';

export interface Declared {
  product_id: string;
  /** By their names. */
  users: Record<string, { daily_limit_gb?: number; total_limit_gb?: number; targets?: string[] }>;
  /** By their addresses. */
  webhooks: Record<string, { description?: string; event_types?: string[] }>;
}

export interface Step {
  does: 'create' | 'change' | 'remove';
  what: string;
  run(): Promise<unknown>;
}

/** Whether each member that is declared is as it is there; what is not declared is left alone. */
const isAs = (declared: object, there: object): boolean =>
  Object.entries(declared).every(([name, value]) => JSON.stringify(value) === JSON.stringify((there as Record<string, unknown>)[name]));

/** The steps from one kind of thing as it is to what is declared of it. */
function stepsOf<Terms extends object, There extends object>(
  kind: string,
  declared: Record<string, Terms>,
  there: Map<string, There>,
  api: {
    create(name: string, terms: Terms): Promise<unknown>;
    change(one: There, terms: Terms): Promise<unknown>;
    remove(one: There): Promise<unknown>;
  },
): Step[] {
  const wanted = Object.entries(declared).flatMap(([name, terms]): Step[] => {
    const one = there.get(name);
    if (!one) return [{ does: 'create', what: `${kind} ${name}`, run: () => api.create(name, terms) }];
    return isAs(terms, one) ? [] : [{ does: 'change', what: `${kind} ${name}`, run: () => api.change(one, terms) }];
  });
  const unwanted = [...there].filter(([name]) => !Object.hasOwn(declared, name));
  return [...wanted, ...unwanted.map(([name, one]): Step => ({ does: 'remove', what: `${kind} ${name}`, run: () => api.remove(one) }))];
}

/** What there is to do; empty when all is as declared. */
export async function plan(client: EgressClient, { product_id, users, webhooks }: Declared): Promise<Step[]> {
  const usersThere = new Map<string, ProxyUser>();
  for await (const user of client.eachProxyUser({ product_id, limit: 2 })) usersThere.set(user.name, user);
  const webhooksThere = new Map((await client.listWebhooks()).webhooks.map((webhook): [string, Webhook] => [webhook.url, webhook]));
  return [
    ...stepsOf('user', users, usersThere, {
      create: (name, terms) => client.createProxyUser({ product_id, name, ...terms }),
      change: ({ user_id }, terms) => client.changeProxyUser({ user_id, ...terms }),
      remove: ({ user_id }) => client.removeProxyUser({ user_id }),
    }),
    ...stepsOf('webhook', webhooks, webhooksThere, {
      create: (url, terms) => client.createWebhook({ url, ...terms }),
      change: ({ webhook_id }, terms) => client.changeWebhook({ webhook_id, ...terms }),
      remove: ({ webhook_id }) => client.removeWebhook({ webhook_id }),
    }),
  ];
}

/** Does what `plan` says, in its words. */
export async function apply(client: EgressClient, declared: Declared): Promise<string[]> {
  const steps = await plan(client, declared);
  for (const { run } of steps) await run();
  return steps.map(({ does, what }) => `${does} ${what}`);
}

export const destroy = (client: EgressClient, { product_id }: Declared): Promise<string[]> =>
  apply(client, { product_id, users: {}, webhooks: {} });
