// The options of all payment processors of the sandbox.
import type { Clock } from '#platform/clock.ts';
import type { VendorUrls } from './page.ts';
import type { Random } from './random.ts';
import type { Retry } from './sender.ts';

export interface ProcessorOptions {
  host: string;
  port: number;
  dataDir: string | undefined;
  clock: Clock;
  random: Random;
  retry: Retry;
  apiKey: string;
  webhookSecret: string;
  webhookUrl: () => string;
  vendors: () => VendorUrls;
}
