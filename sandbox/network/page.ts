// A page on which a person generates traffic as a customer of the proxy network, with the state of the reports.
import { html } from 'hono/html';
import { page, table } from '../page.ts';
import type { Markup } from '../page.ts';
import { BYTES_PER_MB } from './traffic.ts';

export interface SentReport {
  id: string;
  username: string;
  bytes: number;
  /** An instant, ISO 8601. */
  at: string;
  acknowledged: boolean;
}

export interface NetworkPage {
  /** What is wrong with the form that was sent; empty when nothing is. */
  errors: string[];
  /** The user of the last traffic, filled in again for more. */
  username: string;
  /** Newest first. */
  reports: SentReport[];
  vendors: Markup;
}

const VENDOR = 'Sandbox proxy network';

export function networkPage({ errors, username, reports, vendors }: NetworkPage): Markup {
  const field = (name: string, label: string, attributes: Markup): Markup =>
    html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes} /></div>`;
  const body = html`
    <p>Traffic that goes through this network is reported to the service, as a foreign network would.</p>
    ${errors.length === 0 ? '' : html`<p class="alert" role="alert">${errors.join(' ')}</p>`}
    <form method="post" action="/" autocomplete="off">
      ${field('username', 'Proxy username', html`required maxlength="255" value="${username}"`)}
      <div class="pair">
        ${field('up_mb', 'Uploaded, MB', html`type="number" min="0" step="any" value="1" required`)}
        ${field('down_mb', 'Downloaded, MB', html`type="number" min="0" step="any" value="10" required`)}
      </div>
      <div class="pair">
        ${field('country', 'Country (optional)', html`maxlength="2" placeholder="de"`)}
        ${field('host', 'Target host (optional)', html`maxlength="253" placeholder="example.com"`)}
      </div>
      <button class="primary">Send traffic</button>
    </form>
    <h2>Reports</h2>
    ${reports.length === 0 ? html`<p class="quiet">None yet.</p>` : reportTable(reports)} ${vendors}
  `;
  return page({ vendor: VENDOR, title: 'Traffic', body });
}

const reportTable = (reports: SentReport[]): Markup =>
  table({
    columns: ['Username', 'State', 'MB'],
    rows: reports.map((report) => [
      report.username,
      report.acknowledged ? html`<span class="good">acknowledged</span>` : 'under way',
      report.bytes / BYTES_PER_MB,
    ]),
  });
