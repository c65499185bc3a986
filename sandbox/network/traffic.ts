// Reads traffic from JSON or from the page's form, and says what is wrong with it.
import { z } from 'zod';

const bytes = z.number().int().min(0).max(1e15);
const word = z.string().trim().min(1).max(255).optional();

const trafficShape = z.strictObject({
  username: z.string().trim().min(1).max(255),
  up_bytes: bytes,
  down_bytes: bytes,
  country: word,
  host: word,
  session: word,
  client: word,
});

export type Traffic = z.infer<typeof trafficShape>;

/** The traffic in `value`, or sentences about what is wrong. */
export function readTraffic(value: unknown): { traffic: Traffic } | { errors: string[] } {
  const result = trafficShape.safeParse(value);
  if (result.success) return { traffic: result.data };
  return { errors: result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`) };
}

/** Decisions, Units: 1 MB = 10^6 bytes. */
export const BYTES_PER_MB = 1_000_000;

/** Reads the form's fields: megabytes become bytes, empty fields are left out. */
export function readTrafficForm(form: FormData): ReturnType<typeof readTraffic> {
  const field = (name: string): string | undefined => String(form.get(name) ?? '').trim() || undefined;
  const toBytes = (name: string): number => Math.round(Number(field(name) ?? 0) * BYTES_PER_MB);
  return readTraffic({
    username: field('username') ?? '',
    up_bytes: toBytes('up_mb'),
    down_bytes: toBytes('down_mb'),
    country: field('country'),
    host: field('host'),
  });
}
