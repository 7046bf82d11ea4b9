/** Adds a search box to the list of operations and a request form to the page of each operation. */

/** Characters of a response; browsers become slow with more in one element. */
const maxDisplayed = 200_000;
/** The token is kept for this tab only, so that it need not be entered on every page. */
const tokenKey = 'vedette-reference-token';

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind | null;

const origin = element('origin');
if (origin) origin.textContent = location.origin;
const search = element('search');
if (search) enableSearch(search);
const requestForm = element<HTMLFormElement>('try');
if (requestForm) enableRequestForm(requestForm);

function enableSearch(container: HTMLElement): void {
  const input = element<HTMLInputElement>('words');
  const matches = element('matches');
  if (!input || !matches) return;
  const families = [...document.querySelectorAll<HTMLDetailsElement>('details.family')].map((family) => ({
    family,
    text: (family.querySelector('summary')?.textContent ?? '').toLowerCase(),
    entries: [...family.querySelectorAll('li')].map((entry) => ({
      entry,
      text: (entry.textContent ?? '').toLowerCase(),
    })),
  }));
  const total = families.reduce((sum, { entries }) => sum + entries.length, 0);
  const filter = () => {
    const terms = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let matched = 0;
    for (const { family, text, entries } of families) {
      let visible = 0;
      for (const { entry, text: summary } of entries) {
        const matching = terms.every((term) => summary.includes(term) || text.includes(term));
        entry.hidden = !matching;
        if (matching) visible++;
      }
      family.hidden = visible === 0;
      family.open = terms.length > 0 && visible > 0;
      matched += visible;
    }
    matches.textContent = terms.length > 0 ? `${matched} of ${total} operations` : '';
  };
  input.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
  container.hidden = false;
  // Browsers restore the value of the box after back navigation.
  if (input.value) filter();
}

function enableRequestForm(form: HTMLFormElement): void {
  const token = element<HTMLInputElement>('token');
  const body = element<HTMLTextAreaElement>('body');
  const [outcome, output] = [element('outcome'), element('answer')];
  if (!outcome || !output) return;
  if (token) token.value = sessionStorage.getItem(tokenKey) ?? '';
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (token) sessionStorage.setItem(tokenKey, token.value);
    outcome.textContent = 'Sending…';
    output.hidden = true;
    send(form, token?.value, body?.value).then(
      ({ line, text }) => {
        outcome.textContent = line;
        output.textContent = text;
        output.hidden = text === '';
      },
      (error: unknown) => {
        outcome.textContent = `No response: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  });
  form.hidden = false;
}

async function send(form: HTMLFormElement, token: string | undefined, body: string | undefined) {
  const { method = 'GET', path = '/', type } = form.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let url = path;
  for (const { name, value, dataset } of form.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') url = url.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.append(name, value);
    else headers.set(name, value);
  }
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (body && type) headers.set('content-type', type);
  const since = performance.now();
  const response = await fetch(query.size > 0 ? `${url}?${query}` : url, {
    ...{ method, headers, redirect: 'manual', cache: 'no-store', credentials: 'omit' },
    ...(body ? { body } : {}),
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - since);
  const status = response.type === 'opaqueredirect' ? 'a redirect' : response.status;
  return { line: `Status ${status} after ${milliseconds} ms`, text: displayed(text) };
}

function displayed(text: string): string {
  if (text.length > maxDisplayed) return `${text.slice(0, maxDisplayed)}…`;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
