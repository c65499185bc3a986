// A managed server's user may create roles and is no superuser. From PostgreSQL 16 on it administers the roles that it creates without being a member.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '#platform/migrate.ts';
import { ROLES } from '#platform/schema-roles.ts';
import { openEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { databaseUrl } from '../kit/postgres.ts';

async function on<Row extends object>(url: string, ...statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query<Row>(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

describe('on a server that has never seen the platform', () => {
  let folder: string;
  let server: Awaited<ReturnType<typeof openEmbeddedPostgres>>;
  let url: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'egress-roles-'));
    chmodSync(folder, 0o711);
    server = await openEmbeddedPostgres(folder);
    await on(server.url, `create role tenant login createrole password 'x'`, 'create database shop owner tenant');
    const tenant = new URL(databaseUrl(server.url, 'shop'));
    tenant.username = 'tenant';
    tenant.password = 'x';
    url = tenant.href;
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const canBeEach = async () => {
    for (const role of ROLES) await on(url, `set role ${role}`, 'select from platform.event');
  };

  test('a user that may create roles and is no superuser can migrate, and becomes a member of each role', async () => {
    expect(await migrate(url)).not.toEqual([]);
    await canBeEach();
    expect(await migrate(url)).toEqual([]);
  });

  test('roles that another user has created are reported', async () => {
    await on(server.url, ...ROLES.map((role) => `create role ${role} nologin`));
    await expect(migrate(url)).rejects.toThrow(
      /^The user tenant of the database may not make or be the roles egress_accounts, .*\. As a superuser: .* grant egress_accounts, .* to tenant\.$/,
    );
    await on(server.url, `grant ${ROLES.join(', ')} to tenant`);
    await migrate(url);
    await canBeEach();
  });
});
