// One connection for one piece of work beside the pools: of commands, and before there is a pool.
import { Client } from 'pg';

/** Closed when `work` ends, however it does. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
