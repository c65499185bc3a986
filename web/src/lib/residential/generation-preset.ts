// What the account keeps of the form for generation, and the form.
import type { Choices } from './generate-form.svelte.ts';
import type { LineFormat } from './lines.ts';
import type { Preset } from '#lib/ops/generation-preset.ts';

/** The names of the API's formats. */
export const presetFormats = {
  'ip:port:user:pass': 'HOST_FIRST',
  'user:pass@ip:port': 'CREDENTIALS_FIRST',
  url: 'URL',
} as const satisfies Record<LineFormat, Preset['format']>;

const formatOf = (wanted: Preset['format']): LineFormat =>
  (Object.keys(presetFormats) as LineFormat[]).find((format) => presetFormats[format] === wanted) ?? 'ip:port:user:pass';

/** The choices of a preset; `nameOf` gives the name of a pool by its code. */
export function choicesOf(preset: Preset, nameOf: (code: string) => string): Choices {
  const names = (codes: string | null) => (codes ? codes.split('_').map(nameOf) : []);
  const [pool = '', ...further] = names(preset.country);
  return {
    pool,
    further,
    exclude: names(preset.exclude),
    state: preset.state ?? '',
    city: preset.city ?? '',
    session: preset.session,
    minutes: preset.session === 'STICKY' ? String(preset.sessionMinutes) : '',
    protocol: preset.protocol,
    quantity: String(preset.quantity),
    format: formatOf(preset.format),
  };
}
