// The frame of all pages of the sandbox: simple HTML without external assets, light and dark, readable at a width of 390 px.
import { html, raw } from 'hono/html';

/** Markup that is already escaped; `html` escapes every value put into it. */
export type Markup = ReturnType<typeof html>;

export interface PageOptions {
  /** The vendor's name: "Sandbox card processor". */
  vendor: string;
  title: string;
  body: Markup;
  /** The path of a script of the same origin. */
  script?: string;
}

/** The colours have a contrast of WCAG AA on their background, in both schemes. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1b1f24; --quiet: #57606a; --paper: #fff; --panel: #f6f8fa; --line: #d0d7de;
  --accent: #0b57d0; --on-accent: #fff; --bad: #b3261e; --good: #116329;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf3; --quiet: #9da7b3; --paper: #0d1117; --panel: #161b22; --line: #3d444d;
    --accent: #8ab4f8; --on-accent: #0d1117; --bad: #ff8d85; --good: #56d364;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { border-bottom: 1px solid var(--line); background: var(--panel); padding: .75rem 1rem; font-size: .875rem }
header strong { display: block }
main { max-width: 44rem; margin: 0 auto; padding: 1rem }
main.narrow { max-width: 28rem }
h1 { font-size: 1.375rem; margin: .5rem 0 1rem }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
a { color: var(--accent) }
details, nav { margin-top: 1rem }
.quiet { color: var(--quiet); font-size: .875rem }
.good { color: var(--good) }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th { overflow-wrap: normal }
caption { text-align: left }
th, td { text-align: left; padding: .375rem .5rem .375rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td.number, th.number { text-align: right; padding-right: 0; white-space: nowrap; font-variant-numeric: tabular-nums }
tfoot td { font-weight: 600; border-bottom: 0 }
.alert {
  border: 1px solid var(--bad); border-left-width: 4px; border-radius: 6px;
  color: var(--bad); padding: .625rem .75rem; margin: 0 0 1rem;
}
.field { margin-bottom: .75rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem }
label { display: block; font-size: .875rem; margin-bottom: .25rem }
input, button, a.button { width: 100%; min-height: 44px; font: inherit; border: 1px solid var(--quiet); border-radius: 6px }
input { color: inherit; background: var(--paper); padding: .5rem .625rem }
button, a.button {
  display: block; margin-top: .5rem; padding: .5rem 1rem; font-weight: 600; text-align: center; text-decoration: none;
  background: var(--panel); color: var(--ink); cursor: pointer;
}
button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
ul.rows { list-style: none; padding: 0; margin: 0 }
ul.rows > li { border-bottom: 1px solid var(--line); padding: .625rem 0 }
iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; color-scheme: light }
pre, code { font-size: .875em }
pre { white-space: pre-wrap; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .75rem }
`;

/** A whole page, to be sent with `pageHeaders`. */
export function page(options: PageOptions, size: 'wide' | 'narrow' = 'wide'): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>${options.title} · ${options.vendor}</title>
        <style>
          ${raw(STYLE)}
        </style>
        ${options.script === undefined ? '' : html`<script src="${options.script}" defer></script>`}
      </head>
      <body>
        <header><strong>${options.vendor}</strong>A stand-in for development and tests. Nothing here is real.</header>
        <main class="${size}">
          <h1>${options.title}</h1>
          ${options.body}
        </main>
      </body>
    </html>`;
}

/** Only the page's own styles and scripts may run. `form-action` is not restricted, since a paid form redirects to the shop. */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'",
    "img-src data:; frame-ancestors 'none'; base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** The URLs of the vendors' pages, which link to each other. */
export interface VendorUrls {
  card: string;
  mail: string;
  network: string;
  chat: string;
  crypto: string;
  hypervisor: string;
  vienna?: string;
  redfish?: string;
  names?: string;
  router?: string;
  paypal?: string;
  push?: string;
}

export const vendorLinks = (urls: VendorUrls): Markup =>
  html`<nav class="quiet" aria-label="Sandbox">
    <a href="${urls.card}/">Card processor</a> · <a href="${urls.mail}/">Mail box</a> · <a href="${urls.network}/">Proxy network</a> ·
    <a href="${urls.chat}/">Chat platform</a> · <a href="${urls.crypto}/">Crypto processor</a> ·
    <a href="${urls.hypervisor}/">Hypervisor</a>${urls.vienna ? html` · <a href="${urls.vienna}/">Hypervisor in Vienna</a>` : ''}
    ${urls.paypal ? html` · <a href="${urls.paypal}/">PayPal</a>` : ''}${urls.redfish ? html` · <a href="${urls.redfish}/">Datacenter</a>` : ''}${urls.names ? html` · <a href="${urls.names}/">Name server</a>` : ''}${urls.push ? html` · <a href="${urls.push}/">Push service</a>` : ''}${urls.router ? html` · <a href="${urls.router}/">Router</a>` : ''}
  </nav>`;

export interface Table {
  caption?: string;
  /** The last column is for numbers and is aligned to the right. */
  columns: string[];
  rows: unknown[][];
  foot?: unknown[];
}

/** A table that scrolls on narrow screens. Cells are escaped, except markup made with `html`. */
export function table({ caption, columns, rows, foot }: Table): Markup {
  const kind = (index: number): string => (index === columns.length - 1 ? 'number' : '');
  const line = (cells: unknown[]): Markup =>
    html`<tr>
      ${cells.map((cell, index) => html`<td class="${kind(index)}">${cell}</td>`)}
    </tr>`;
  return html`<div class="scroll">
    <table>
      ${
        caption === undefined
          ? ''
          : html`<caption class="quiet">
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${columns.map((column, index) => html`<th scope="col" class="${kind(index)}">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(line)}
      </tbody>
      ${
        foot === undefined
          ? ''
          : html`<tfoot>
              ${line(foot)}
            </tfoot>`
      }
    </table>
  </div>`;
}
