// A member of support at the desk, with only the room accounts running, for the test files that call `openDesk`.
import { afterAll, beforeAll } from 'vitest';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import { type AccountsWorld, dataOf, startAccounts } from '../world.ts';
import { CALLER, ISSUE } from './desk-questions.ts';
import { actsOf } from '../../../kit/tables.ts';

export let world: AccountsWorld;
export let staff: Viewer;
export let staffId: string;
/** Starts the world before the tests of the calling file, and closes it after them. */
export function openDesk(): void {
  beforeAll(async () => {
    world = await startAccounts();
    ({ viewer: staff, id: staffId } = await world.account('support@egress.example', 'STAFF'));
  });
  afterAll(() => world.close());
}
export { ISSUE } from './desk-questions.ts';

export const ROTATE =
  'mutation ($id: ID!, $overlapHours: Int) { supportApiKeyRotate(id: $id, overlapHours: $overlapHours) { key apiKey { id kind scopes allowedAddresses status } } }';

export const REQUEST = 'mutation ($input: KeyRequestInput!) { apiKeyRequest(input: $input) { id kind scopes allowedAddresses status } }';
export const ROTATION =
  'mutation ($id: ID!, $overlapHours: Int!) { apiKeyRequestRotation(id: $id, overlapHours: $overlapHours) { id replaces overlapHours status } }';

export const KEYS = '{ me { apiKeys { id status requestsLast30Days } } }';
export interface Issued {
  key: string;
  apiKey: { id: string; scopes: string[]; status: string };
}

export const issue = async (accountId: string, more: Record<string, unknown> = {}) =>
  dataOf<Issued>(await world.ask(staff, ISSUE, { input: { accountId, kind: 'STANDARD', ...more } }), 'supportApiKeyIssue');

export const callerOf = (key: string, address = '192.0.2.7') =>
  world.ask({ ...systemViewer('gateway', 'req_test'), address }, CALLER, { key });
export const activityOf = (accountId: string) => actsOf(world.query, accountId);
