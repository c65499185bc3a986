// The state of the form for generation: read from the URL, written to it, and converted to the API's input.
import type { VariablesOf } from '#lib/graphql.ts';
import type { Proxies } from '#lib/ops/proxy.ts';
import type { Plan } from '#lib/ops/residential-plan.ts';
import { lineFormats, schemes, type LineFormat } from './lines.ts';

export type GenerateInput = VariablesOf<typeof Proxies>['input'];

const anywhere = 'Worldwide';

/** Default quantities; one for rotating lines, which are all the same. */
const QUANTITIES = { ROTATING: '1', STICKY: '10' } as const;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value =>
  values.find((value) => value === text) ?? (values[0] as Value);

/** Between names in the URL, since names of countries may have commas. */
const SEPARATOR = '|';
const namesIn = (text: string | null): string[] => (text ? text.split(SEPARATOR) : []);

/** What the form holds, as it stands in the URL. */
export interface Choices {
  pool: string;
  further: readonly string[];
  exclude: readonly string[];
  state: string;
  city: string;
  session: 'ROTATING' | 'STICKY';
  /** Empty for rotating lines, to which it does not apply. */
  minutes: string;
  protocol: keyof typeof schemes;
  quantity: string;
  format: LineFormat;
}

export class GenerateForm {
  /** The name of a pool; the API accepts names for countries, Europe and Worldwide. */
  pool = $state(anywhere);
  /** Names of the countries beside the first one. */
  further = $state<string[]>([]);
  /** Names of the countries that Europe or the world is without. */
  exclude = $state<string[]>([]);
  state = $state('');
  city = $state('');
  #session = $state<'ROTATING' | 'STICKY'>('ROTATING');
  minutes = $state('');
  protocol = $state<keyof typeof schemes>('HTTP');
  quantity = $state<string>(QUANTITIES.ROTATING);
  format = $state<LineFormat>('ip:port:user:pass');

  readonly #durations: readonly string[];

  constructor(plan: Plan, search: URLSearchParams) {
    const durations = plan.product.formSessionMinutes.map(String);
    this.#durations = durations;
    this.pool = search.get('pool') ?? anywhere;
    this.further = namesIn(search.get('further'));
    this.exclude = namesIn(search.get('exclude'));
    this.state = search.get('state') ?? '';
    this.city = search.get('city') ?? '';
    this.#session = oneOf(['ROTATING', 'STICKY'], search.get('session'));
    // 60 is the API's default, and is in every product's list.
    this.minutes = durations.find((value) => value === search.get('minutes')) ?? (durations.includes('60') ? '60' : (durations[0] ?? '60'));
    this.protocol = oneOf(['HTTP', 'SOCKS5', 'HTTPS'], search.get('protocol'));
    this.quantity = search.get('quantity') ?? QUANTITIES[this.#session];
    this.format = oneOf(lineFormats, search.get('format'));
  }

  get session() {
    return this.#session;
  }

  /** The default quantity changes with the kind of session, unless the reader has typed another one. */
  set session(session) {
    if (this.quantity.trim() === QUANTITIES[this.#session]) this.quantity = QUANTITIES[session];
    this.#session = session;
  }

  /** Whether several lines are asked for that will all be the same. */
  get isAlike() {
    return this.#session === 'ROTATING' && (this.input?.quantity ?? 0) > 1;
  }

  get scheme() {
    return schemes[this.protocol];
  }

  /** Null while the quantity is not a whole number; the API checks its range. */
  get input(): GenerateInput | null {
    const quantity = this.quantity.trim();
    return /^\d{1,6}$/.test(quantity) ? this.inputFor(Number(quantity)) : null;
  }

  inputFor(quantity: number): GenerateInput {
    return {
      targeting: {
        pool: [this.pool, ...this.further].join(', '),
        ...(this.exclude.length > 0 && { exclude: this.exclude.join(', ') }),
        ...(this.state && { state: this.state }),
        ...(this.city && { city: this.city }),
      },
      session: this.session,
      sessionMinutes: Number(this.minutes),
      protocol: this.protocol,
      quantity,
    };
  }

  get choices(): Choices {
    return {
      pool: this.pool,
      further: this.further,
      exclude: this.exclude,
      state: this.state,
      city: this.city,
      session: this.session,
      minutes: this.session === 'STICKY' ? this.minutes : '',
      protocol: this.protocol,
      quantity: this.quantity.trim(),
      format: this.format,
    };
  }

  /** A duration that the plan's product does not have is left out. */
  set choices({ pool, further, exclude, state, city, session, minutes, protocol, quantity, format }) {
    this.pool = pool;
    this.further = [...further];
    this.exclude = [...exclude];
    this.state = state;
    this.city = city;
    this.#session = session;
    if (this.#durations.includes(minutes)) this.minutes = minutes;
    this.protocol = protocol;
    this.quantity = quantity;
    this.format = format;
  }

  writeTo(search: URLSearchParams): void {
    const { further, exclude, ...texts } = this.choices;
    const values = { ...texts, further: further.join(SEPARATOR), exclude: exclude.join(SEPARATOR) };
    for (const [name, value] of Object.entries(values)) {
      if (value) search.set(name, value);
      else search.delete(name);
    }
  }
}
