import { html } from 'hono/html';
import { page, table } from '../page.ts';
import type { Markup } from '../page.ts';
import type { ChatPerson } from './person.ts';

const VENDOR = 'Sandbox chat platform';

export const peoplePage = (people: readonly ChatPerson[], vendors: Markup): Markup =>
  page({
    vendor: VENDOR,
    title: 'People',
    body: html`
      ${
        people.length === 0
          ? html`<p>Nobody has signed in with this platform yet.</p>`
          : table({ columns: ['Username', 'E-mail', 'Id'], rows: people.map(({ username, email, id }) => [username, email ?? '', id]) })
      }
      ${vendors}
    `,
  });

/** Log-in and consent on one page: the person enters a username. */
export function consentPage(people: readonly ChatPerson[], error?: string): Markup {
  const body = html`
    ${error === undefined ? '' : html`<p class="alert" role="alert">${error}</p>`}
    <p>The shop wants to know who you are here: your id and your username.</p>
    <form method="post" autocomplete="off">
      <div class="field">
        <label for="username">Username</label>
        <input id="username" name="username" required maxlength="32" value="${people.at(-1)?.username ?? 'ada'}" />
      </div>
      <div class="field"><label for="email">E-mail (optional)</label><input id="email" name="email" type="email" maxlength="254" /></div>
      <button class="primary" name="action" value="allow">Allow</button>
      <button name="action" value="deny" formnovalidate>Deny</button>
    </form>
  `;
  return page({ vendor: VENDOR, title: 'Continue to the shop', body }, 'narrow');
}

export const refusalPage = (sentence: string): Markup =>
  page({ vendor: VENDOR, title: 'This cannot go on', body: html`<p>${sentence}</p>` }, 'narrow');
