// One connection for one piece of work, without a pool: for commands, and before a pool exists.
import { Client } from 'pg';

/** Closes the connection when `work` ends, also when it fails. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
