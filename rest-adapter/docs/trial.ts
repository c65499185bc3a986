// A form on the page of an operation that makes its call with the reader's own key, from the reader's browser: `trial.js` runs it.
import { readFileSync } from 'node:fs';
import { escapeHtml } from '#platform/markup.ts';

export interface TrialInput {
  /** As REST names it. */
  name: string;
  in: 'path' | 'query' | 'header' | 'body';
  required: boolean;
  /** The words of its JSON Schema, such as `string`, `integer`; empty: it depends. */
  type: string;
  /** Values to choose from; empty: any. */
  values: readonly string[];
  example: string;
}

export interface Trial {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  inputs: readonly TrialInput[];
}

export const TRIAL_SCRIPT_PATH = '/docs/trial.js';
export const TRIAL_SCRIPT = readFileSync(new URL('trial.js', import.meta.url), 'utf8');

function inputHtml({ name, in: place, required, type, values, example }: TrialInput): string {
  const attributes = `name="${escapeHtml(name)}" data-in="${place}" data-type="${escapeHtml(type)}"${required ? ' required' : ''}`;
  const choices = ['', ...values].map((value) => `<option>${escapeHtml(value)}</option>`).join('');
  const field =
    values.length > 0
      ? `<select ${attributes}>${choices}</select>`
      : `<input ${attributes} placeholder="${escapeHtml(example)}" autocomplete="off" spellcheck="false">`;
  return `<label><span><code>${escapeHtml(name)}</code>${required ? '' : ' (optional)'}</span>${field}</label>`;
}

/** Hidden until its script runs. */
export const trialForm = ({ method, path, inputs }: Trial): string =>
  `<form class="trial" hidden data-method="${method}" data-path="${escapeHtml(path)}">
<label><span>API key</span><input type="password" data-key required autocomplete="off" spellcheck="false"></label>
${inputs.map(inputHtml).join('\n')}
<p class="note">${method === 'GET' ? 'This asks the API itself.' : 'This is the call itself: what it does is done.'} The key stays in this tab.</p>
<button>${method} <code>${escapeHtml(path)}</code></button>
<div aria-live="polite"><p class="answer-line"></p><pre class="answer" tabindex="0" hidden></pre></div>
</form>`;
