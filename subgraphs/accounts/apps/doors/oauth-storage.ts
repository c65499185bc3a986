// Where the authorization server keeps its records: in accounts, over the graph, so that each of several processes can answer any step of a sign-in.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Ask } from '#platform/ask.ts';
import { newId } from '#platform/ids.ts';
import type { Clock } from '#platform/clock.ts';
import { type Viewer, systemViewer } from '#platform/identity.ts';

const FIND =
  'query oauthRecord($kind: String!, $id: String, $uid: String) { found: oauthRecord(kind: $kind, id: $id, uid: $uid) { payload consumed } }';
const STORE = 'mutation oauthRecordStore($input: OAuthRecordInput!) { stored: oauthRecordStore(input: $input) }';
const CONSUME = 'mutation oauthRecordConsume($kind: String!, $id: String!) { consumed: oauthRecordConsume(kind: $kind, id: $id) }';
const REMOVE = 'mutation oauthRecordRemove($kind: String!, $id: String!) { removed: oauthRecordRemove(kind: $kind, id: $id) }';

/** What ends with a grant; a sign-in under way names a grant too, but may outlive it. */
const OF_A_GRANT: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

type Record = { payload: string; consumed: boolean } | null;

/** The storage of one kind of record, in the terms of oidc-provider. `kind`: the name of its model, such as AccessToken. */
export function createStorage(ask: Ask, clock: Clock): (kind: string) => Adapter {
  const viewer = (): Viewer => systemViewer('oauth', newId('req', clock));

  return (kind) => {
    async function find(by: { id: string } | { uid: string }): Promise<AdapterPayload | undefined> {
      const { found } = await ask<{ found: Record }>(FIND, { kind, ...by }, viewer());
      if (!found) return undefined;
      const payload = JSON.parse(found.payload) as AdapterPayload;
      return found.consumed ? { ...payload, consumed: true } : payload;
    }

    return {
      find: (id) => find({ id }),
      findByUid: (uid) => find({ uid }),
      // Only the flow for devices has these codes, which is not offered.
      findByUserCode: async () => undefined,
      async upsert(id, payload, expiresInSeconds) {
        const { uid, grantId } = payload;
        const input = {
          kind,
          id,
          payload: JSON.stringify(payload),
          expiresInSeconds: expiresInSeconds || null,
          uid: kind === 'Session' ? uid : null,
          grantId: OF_A_GRANT.has(kind) ? grantId : null,
        };
        await ask(STORE, { input }, viewer());
      },
      async consume(id) {
        const { consumed } = await ask<{ consumed: boolean }>(CONSUME, { kind, id }, viewer());
        // Two processes were given the same code or token at the same time: one of them wins.
        if (!consumed) throw new errors.InvalidGrant('used before');
      },
      async destroy(id) {
        await ask(REMOVE, { kind, id }, viewer());
      },
      async revokeByGrantId(grantId) {
        await ask(REMOVE, { kind: 'Grant', id: grantId }, viewer());
      },
    };
  };
}
