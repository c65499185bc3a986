// Reports of the external network to the product: lines of traffic with an id, signed over the raw body.
import { createHmac } from 'node:crypto';

export interface UsageLine {
  line: number;
  /** The proxy username of a plan, or the whole user name of a proxy line. */
  username: string;
  up_bytes: number;
  down_bytes: number;
  /** An instant, ISO 8601. */
  at: string;
  country?: string;
  session?: string;
  host?: string;
  client?: string;
}

export interface UsageReport {
  source: string;
  report_id: string;
  lines: UsageLine[];
}

/** `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">` */
export function signReport(body: string, secret: string, unixSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${signature}`;
}
