// The pages of the mail box: the list, and one message with its links, text and HTML.
import { html } from 'hono/html';
import { page } from '../page.ts';
import type { Markup } from '../page.ts';
import type { MailMessage } from './message.ts';

const VENDOR = 'Sandbox mail box';

const toTime = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** The list, newest first. A script reloads it when a mail has arrived. */
export function inboxPage(messages: readonly MailMessage[], vendors: Markup): Markup {
  const rows = messages.map(
    (message) =>
      html`<li>
        <a href="/${message.id}">${message.subject || '(no subject)'}</a>
        <div class="quiet">To ${message.to.join(', ')} · ${toTime(message.receivedAt)}</div>
      </li>`,
  );
  const body = html`
    ${
      rows.length === 0
        ? html`<p>No mail yet. What the service sends appears here by itself.</p>`
        : html`<ul class="rows" data-newest="${messages[0]?.id}">
            ${rows}
          </ul>`
    }
    ${vendors}
  `;
  return page({ vendor: VENDOR, title: 'Inbox', body, script: '/inbox.js' });
}

export function messagePage(message: MailMessage): Markup {
  const body = html`
    <p class="quiet">From ${message.from} · To ${message.to.join(', ')} · ${toTime(message.receivedAt)}</p>
    ${
      (message.attachments ?? []).length === 0
        ? ''
        : html`<h2>Attachments</h2>
            <ul class="rows">
              ${(message.attachments ?? []).map(
                ({ name, type, bytes }, index) =>
                  html`<li>
                    <a href="/${message.id}/attachments/${index}">${name}</a> <span class="quiet">${type}, ${bytes} bytes</span>
                  </li>`,
              )}
            </ul>`
    }
    ${
      message.links.length === 0
        ? ''
        : html`<h2>Links</h2>
            <ul class="rows">
              ${message.links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}
            </ul>`
    }
    ${
      message.html === ''
        ? ''
        : html`<h2>HTML</h2>
            <iframe
              title="The message as HTML"
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              srcdoc="${`<base target="_blank">${message.html}`}"
            ></iframe>`
    }
    ${
      message.text === ''
        ? ''
        : html`<h2>Text</h2>
            <pre>${message.text}</pre>`
    }
    <p><a href="/${message.id}/raw">Source</a> · <a href="/">Back to the inbox</a></p>
  `;
  return page({ vendor: VENDOR, title: message.subject || '(no subject)', body });
}

export const noMessagePage = (): Markup =>
  page({ vendor: VENDOR, title: 'No such message', body: html`<p>It may have been deleted. <a href="/">Back to the inbox</a></p>` });

/** Asks for the newest message every second, and reloads the list when it has changed. */
export const INBOX_SCRIPT = `
const shown = () => document.querySelector('[data-newest]')?.dataset.newest ?? null;
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch('/messages?limit=1').catch(() => null);
  if (!answer?.ok) return;
  const { messages } = await answer.json();
  if ((messages[0]?.id ?? null) !== shown()) location.reload();
}, 1000);
`;
