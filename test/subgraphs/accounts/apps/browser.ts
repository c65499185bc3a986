// The browser of an owner whom an app has sent to us: it keeps cookies by path, as browsers do, and follows no redirect by itself.

/** What the page of the dashboard does for its reader. */
export interface Answer {
  status: number;
  location: string;
  body: Record<string, unknown>;
}

export class OwnersBrowser {
  readonly #cookies: { name: string; value: string; path: string }[] = [];
  readonly #session: string;

  /** `session`: the cookie of a signed-in owner; empty: nobody is signed in. */
  constructor(session: string) {
    this.#session = session;
  }

  async open(url: string, { accept = 'text/html', ...init }: RequestInit & { accept?: string } = {}): Promise<Answer> {
    const { pathname } = new URL(url);
    const own = this.#cookies.filter(({ path }) => pathname.startsWith(path)).map(({ name, value }) => `${name}=${value}`);
    const headers = { accept, cookie: [...own, this.#session].filter(Boolean).join('; '), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const location = response.headers.get('location') ?? '';
    return {
      status: response.status,
      location: location && new URL(location, url).href,
      body: isJson ? (JSON.parse(text) as Answer['body']) : {},
    };
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split('; ');
    const at = pair.indexOf('=');
    const name = pair.slice(0, at);
    const path = attributes.find((one) => one.toLowerCase().startsWith('path='))?.slice(5) ?? '/';
    const known = this.#cookies.findIndex((one) => one.name === name && one.path === path);
    if (known >= 0) this.#cookies.splice(known, 1);
    if (pair.length > at + 1) this.#cookies.push({ name, value: pair.slice(at + 1), path });
  }

  /** Follows an authorization URL up to the page; returns where the page asks, and what it is told. */
  async arrive(url: string | URL): Promise<{ at: string; page: string; asked: Record<string, unknown> }> {
    const sent = await this.open(String(url));
    const page = await this.open(sent.location);
    const { body } = await this.open(sent.location, { accept: 'application/json' });
    return { at: sent.location, page: page.location, asked: body };
  }

  /** Answers the request as the page does, and returns the address to which the app's redirect leads. */
  async answer(at: string, answer: object): Promise<Answer> {
    const body = JSON.stringify(answer);
    const told = await this.open(at, { method: 'POST', accept: 'application/json', body, headers: { 'content-type': 'application/json' } });
    return typeof told.body['url'] === 'string' ? this.open(told.body['url']) : told;
  }
}
