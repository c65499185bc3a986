// What the contracts say of who may ask for a field is what the code of the subgraphs enforces; the gateway and the public schemas go by the contracts.
import { buildSchema, isObjectType, lexicographicSortSchema, printSchema, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { SCOPES } from '#platform/identity.ts';
import { type FieldAccess, accessRulesOf } from '../../gateway/graph/access-rules.ts';
import { TIERS, publicSdl } from '../../schema/public-sdl.ts';
import { apiSdl, contractOf, supergraphSdl } from '../../schema/contracts.ts';
import { declaredFields } from '../../schema/declared-fields.ts';
import { SUBGRAPHS } from '../../schema/subgraphs.ts';
import { SCHEMAS, hiddenFields } from './subgraphs.ts';

type Scopes = { account?: string; key?: string; staff?: string; session?: true } | ((...given: never[]) => unknown);

/** In words, as the contracts' directives: `@requiresScopes(plans)`, `@session`, `@staff(refund)`. */
function saidByCode(scopes: Scopes | undefined): string {
  if (!scopes || typeof scopes === 'function') return '';
  if (scopes.account ?? scopes.key) return `scopes ${scopes.account ?? scopes.key}`;
  if (scopes.staff) return 'staff';
  return scopes.session ? 'session' : '';
}

function saidByContract(rule: FieldAccess | undefined): string {
  if (rule?.scopes) return `scopes ${rule.scopes.map((all) => all.join('+')).join('|')}`;
  if (rule?.staff) return 'staff';
  return rule?.session ? 'session' : '';
}

/** The contract shows these to staff alone, since they say nothing to anybody else: to others their code answers with nothing, or its own rule refuses. */
const SHOWN_TO_STAFF = [
  'Account.creditPayable',
  'Account.impersonatedUntil',
  'Account.staffPermissions',
  'Account.staffRoles',
  'Mutation.setUpCheck',
  'Mutation.setUpFinish',
  'Mutation.staffEnrolmentAccept',
  'Order.disputes',
  'Order.review',
  'Order.taxRecord',
  'Query.setUpOpen',
];

test.each(SUBGRAPHS)('%s: each field that its code keeps from some callers says so in the contract, with the same words', (name) => {
  const rules = accessRulesOf(declaredFields(contractOf(name)));
  const hidden = hiddenFields(name);
  const wrong = Object.values(SCHEMAS[name].getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('_')
      ? Object.values(type.getFields()).flatMap((field) => {
          const id = `${type.name}.${field.name}`;
          if (field.name.startsWith('_') || hidden.has(id) || SHOWN_TO_STAFF.includes(id)) return [];
          const code = saidByCode((field.extensions['pothosOptions'] as { authScopes?: Scopes } | undefined)?.authScopes);
          const contract = saidByContract(rules.get(id));
          return code === contract ? [] : [`${id}: code "${code}", contract "${contract}"`];
        })
      : [],
  );
  expect(wrong, 'add @requiresScopes(scopes: [["..."]]), @session or @staff(permission: "...") to the contract').toEqual([]);
});

test('what is shown to staff alone without a permission is listed here', () => {
  const listed = [...accessRulesOf(declaredFields(supergraphSdl()))].filter(([, { staff }]) => staff).map(([id]) => id);
  const bare = listed.filter((id) => SHOWN_TO_STAFF.includes(id)).toSorted();
  expect(bare).toEqual(SHOWN_TO_STAFF);
});

test('scopes are those that keys can have', () => {
  const named = [...accessRulesOf(declaredFields(supergraphSdl())).values()].flatMap(({ scopes = [] }) => scopes.flat());
  expect(new Set(named)).toEqual(new Set(SCOPES));
});

describe('the schema as its readers see it', () => {
  const schemas = Object.fromEntries(TIERS.map((tier) => [tier, buildSchema(publicSdl(supergraphSdl(), tier))]));

  test.each(TIERS)('is valid for a %s', (tier) => {
    expect(validateSchema(schemas[tier] as never)).toEqual([]);
  });

  test('is the whole API for staff', () => {
    const types = (sdl: string) =>
      printSchema(lexicographicSortSchema(buildSchema(sdl))).replaceAll(/(?:"""[^"]*"""\n)?^directive .*$\n*/gm, '');
    expect(types(publicSdl(supergraphSdl(), 'staff'))).toBe(types(apiSdl()));
  });

  test('has nothing of the desk for customers and partners, and for partners only what a key may ask for', () => {
    for (const tier of ['customer', 'partner']) {
      const schema = schemas[tier];
      const roots = [schema?.getQueryType(), schema?.getMutationType(), schema?.getSubscriptionType()];
      const names = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
      expect(names.filter((name) => /^(support|staff|setUp)/.test(name))).toEqual([]);
      expect(
        Object.keys(schema?.getTypeMap() ?? {}).filter((name) => /^(Support|Staff|Finance|Edge|Gateway|Hypervisor)/.test(name)),
      ).toEqual([]);
    }
    const mutations = schemas['partner']?.getMutationType()?.getFields() ?? {};
    expect(Object.keys(mutations)).toContain('vpsReboot');
    expect(Object.keys(mutations)).not.toContain('orderPlace');
    const account = schemas['partner']?.getType('Account');
    const fields = isObjectType(account) ? Object.keys(account.getFields()) : [];
    expect([fields.includes('credit'), fields.includes('email')]).toEqual([true, false]);
  });

  test('says which scope a key needs, what fields weigh and what is deprecated', () => {
    const text = publicSdl(supergraphSdl(), 'partner');
    expect(text).toMatch(/ {2}servers: \[Server!\]!? .*@requiresScopes\(scopes: \[\["servers"\]\]\)/);
    expect(text).toContain('directive @requiresScopes(scopes: [[String!]!]!) on FIELD_DEFINITION');
    expect(text).toMatch(/residentialProxies\(.*\): ProxyBatch!? .*@cost\(weight: "0.1"\)/);
    expect(text).not.toMatch(/join__|inaccessible/);
  });
});
