// Makes the call of an operation's page. Nothing is sent but to this host; the key is kept for this tab alone.
(() => {
  const KEPT = 'docs-api-key';
  const form = document.querySelector('form.trial');
  if (!form) return;
  const key = form.querySelector('[data-key]');
  const line = form.querySelector('.answer-line');
  const answer = form.querySelector('.answer');
  try {
    key.value = sessionStorage.getItem(KEPT) ?? '';
  } catch {
    // Private windows may refuse storage.
  }
  form.hidden = false;

  /** The value as JSON has it: text as it is where text is meant, else what it reads as. */
  const valueOf = ({ value, dataset }) => {
    if (dataset.type === 'string') return value;
    try {
      return JSON.parse(value);
    } catch {
      return value;
    }
  };

  const requestOf = () => {
    const headers = { Authorization: `Bearer ${key.value.trim()}` };
    const query = new URLSearchParams();
    const body = {};
    let { path } = form.dataset;
    for (const input of form.querySelectorAll('[data-in]')) {
      if (input.value === '') continue;
      if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
      if (input.dataset.in === 'query') query.set(input.name, input.value);
      if (input.dataset.in === 'header') headers[input.name] = input.value;
      if (input.dataset.in === 'body') body[input.name] = valueOf(input);
    }
    const hasBody = Object.keys(body).length > 0;
    if (hasBody) headers['Content-Type'] = 'application/json';
    return [
      query.size > 0 ? `${path}?${query}` : path,
      { method: form.dataset.method, headers, ...(hasBody && { body: JSON.stringify(body) }), credentials: 'omit' },
    ];
  };

  const show = (told, text) => {
    line.textContent = told;
    answer.textContent = text;
    answer.hidden = text === '';
  };

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      sessionStorage.setItem(KEPT, key.value.trim());
    } catch {
      // As above.
    }
    show('…', '');
    const [url, request] = requestOf();
    const began = performance.now();
    try {
      const reply = await fetch(url, request);
      const text = await reply.text();
      const told = `${reply.status} in ${Math.round(performance.now() - began)} ms, ${reply.headers.get('RateLimit-Remaining') ?? '?'} requests left`;
      show(told, JSON.stringify(JSON.parse(text), null, 2));
    } catch (error) {
      show(`No answer: ${error.message}`, '');
    }
  });
})();
