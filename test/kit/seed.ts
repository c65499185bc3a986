// Creates a test's initial data: `const buyer = await seed.account()`, `await buyer.residentialPlan({ gigabytes: 5 })`, `await buyer.apiKey()`.
import { randomBytes } from 'node:crypto';
import { GB } from '#platform/data-size.ts';
import type { Scope, Viewer } from '#platform/identity.ts';
import type { Egress } from '../../egress.ts';
import { createSession } from '../../subgraphs/accounts/identity/services/log-in.ts';
import { ApiKey } from '../../subgraphs/accounts/keys/entities/api-key.ts';
import { checkTerms } from '../../subgraphs/accounts/keys/domain/api-key-terms.ts';
import { issueApiKey } from '../../subgraphs/accounts/keys/services/issue-api-key.ts';
import { createAccount } from '../../subgraphs/accounts/identity/services/sign-up.ts';
import { inTransaction } from '#platform/database.ts';
import { plansById } from '../../subgraphs/residential/plans/entities/plan.ts';
import { grantPlan } from '../../subgraphs/residential/plans/services/grant-plan.ts';

type ProductCode = 'PREMIUM' | 'PRIVATE_RESIDENTIAL' | 'MOBILE' | 'ALT_RESIDENTIAL';

export interface SeededAccount {
  id: string;
  email: string;
  password: string;
  /** Issues a key: its id, and a value for the Authorization header. Without `scopes` it has those of a key that support issues. */
  apiKey(options?: { expiresAt?: Date; scopes?: readonly Scope[] }): Promise<{ id: string; key: string; authorization: string }>;
  residentialPlan(options?: { product?: ProductCode; gigabytes?: number }): Promise<{ id: string; username: string }>;
  /** Logs in, and returns the value of a Cookie header. */
  cookie(): Promise<string>;
}

export interface Seed {
  account(options?: { role?: 'CUSTOMER' | 'STAFF'; email?: string }): Promise<SeededAccount>;
}

const anybody: Viewer = { kind: 'anonymous', address: '127.0.0.1', userAgent: 'seed', requestId: 'req_seed' };

export function createSeed({ subgraphs: { accounts, residential } }: Pick<Egress, 'subgraphs'>): Seed {
  return {
    async account({ role = 'CUSTOMER', email = `person-${randomBytes(5).toString('hex')}@customer.example` } = {}) {
      const password = `pass ${randomBytes(8).toString('hex')}`;
      const ctx = accounts.systemContext('seed');
      const passwordHash = await ctx.providers.passwords.hash(password);
      const id = await inTransaction(ctx, (tx) => createAccount(tx, { email, passwordHash, role }));
      return {
        id,
        email,
        password,
        async apiKey({ expiresAt, scopes } = {}) {
          const ctx = accounts.systemContext('seed');
          const { key, row } = await issueApiKey(ctx, {
            accountId: id,
            expiresAt: null,
            ...(scopes && { terms: checkTerms({ kind: 'PARTNER', scopes }) }),
          });
          // Set in the database, as the product issues no key that has already expired.
          if (expiresAt) await ctx.em.nativeUpdate(ApiKey, { id: row.id }, { expiresAt });
          return { id: row.id, key, authorization: `Bearer ${key}` };
        },
        async residentialPlan({ product = 'PREMIUM', gigabytes = 10 } = {}) {
          const ctx = residential.systemContext('seed');
          const { planId } = await grantPlan(ctx, { accountId: id, product, bytes: BigInt(gigabytes) * GB });
          const [plan] = await plansById(ctx.em, [planId], ctx.clock.now());
          return { id: planId, username: plan?.username ?? '' };
        },
        async cookie() {
          const { token } = await createSession(accounts.context(anybody), { email, password });
          return `egress_session=${token}`;
        },
      };
    },
  };
}
