// The state of the generation form: read from the URL, written back to it, and turned into the API's input.
import type { VariablesOf } from '#lib/graphql.ts';
import type { Proxies } from '#lib/ops/proxy.ts';
import type { Plan } from '#lib/ops/residential-plan.ts';
import { lineFormats, type LineFormat } from './lines.ts';

export type GenerateInput = VariablesOf<typeof Proxies>['input'];

const anywhere = 'Worldwide';

/** Rotating lines are all the same. */
const QUANTITIES = { ROTATING: '1', STICKY: '10' } as const;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value =>
  values.find((value) => value === text) ?? (values[0] as Value);

export class GenerateForm {
  /** A pool's name: what the API takes for countries, Europe and Worldwide alike. */
  pool = $state(anywhere);
  state = $state('');
  city = $state('');
  #session = $state<'ROTATING' | 'STICKY'>('ROTATING');
  minutes = $state('');
  protocol = $state<'HTTP' | 'SOCKS5'>('HTTP');
  quantity = $state<string>(QUANTITIES.ROTATING);
  format = $state<LineFormat>('ip:port:user:pass');

  constructor(plan: Plan, search: URLSearchParams) {
    const durations = plan.product.formSessionMinutes.map(String);
    this.pool = search.get('pool') ?? anywhere;
    this.state = search.get('state') ?? '';
    this.city = search.get('city') ?? '';
    this.#session = oneOf(['ROTATING', 'STICKY'], search.get('session'));
    // 60 is the API's own default; every product's list has it.
    this.minutes = durations.find((value) => value === search.get('minutes')) ?? (durations.includes('60') ? '60' : (durations[0] ?? '60'));
    this.protocol = oneOf(['HTTP', 'SOCKS5'], search.get('protocol'));
    this.quantity = search.get('quantity') ?? QUANTITIES[this.#session];
    this.format = oneOf(lineFormats, search.get('format'));
  }

  get session() {
    return this.#session;
  }

  /** A quantity that nobody has typed follows. */
  set session(session) {
    if (this.quantity.trim() === QUANTITIES[this.#session]) this.quantity = QUANTITIES[session];
    this.#session = session;
  }

  /** Several lines that are all the same. */
  get isAlike() {
    return this.#session === 'ROTATING' && (this.input?.quantity ?? 0) > 1;
  }

  get scheme() {
    return this.protocol === 'SOCKS5' ? ('socks5' as const) : ('http' as const);
  }

  /** Null while the quantity is not a whole number; whether it is in range is the API's to say. */
  get input(): GenerateInput | null {
    const quantity = this.quantity.trim();
    return /^\d{1,6}$/.test(quantity) ? this.inputFor(Number(quantity)) : null;
  }

  inputFor(quantity: number): GenerateInput {
    return {
      targeting: { pool: this.pool, ...(this.state && { state: this.state }), ...(this.city && { city: this.city }) },
      session: this.session,
      sessionMinutes: Number(this.minutes),
      protocol: this.protocol,
      quantity,
    };
  }

  writeTo(search: URLSearchParams): void {
    const values = {
      pool: this.pool,
      state: this.state,
      city: this.city,
      session: this.session,
      minutes: this.session === 'STICKY' ? this.minutes : '',
      protocol: this.protocol,
      quantity: this.quantity.trim(),
      format: this.format,
    };
    for (const [name, value] of Object.entries(values)) {
      if (value) search.set(name, value);
      else search.delete(name);
    }
  }
}
