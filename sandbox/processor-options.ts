// The options of payment processors of the sandbox that sign with a shared secret.
import type { NotifierOptions } from './notifier.ts';

export interface ProcessorOptions extends NotifierOptions {
  apiKey: string;
  webhookSecret: string;
  webhookUrl: () => string;
}
