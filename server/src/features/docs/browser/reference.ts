/** Adds a search box to the list of operations, and a form that sends a request to the page of each. */

/** Emails of an answer that are shown; browsers become slow with more in one element. */
const mostShown = 200_000;
/** For this tab only, so that the token is not typed again on every page. */
const tokenName = 'vedette-reference-token';

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind | null;

const origin = element('origin');
if (origin) origin.textContent = location.origin;
const search = element('search');
if (search) startSearch(search);
const form = element<HTMLFormElement>('try');
if (form) startTrying(form);

function startSearch(place: HTMLElement): void {
  const words = element<HTMLInputElement>('words');
  const matches = element('matches');
  if (!words || !matches) return;
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
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { family, text, entries } of families) {
      let within = 0;
      for (const { entry, text: own } of entries) {
        const matching = wanted.every((word) => own.includes(word) || text.includes(word));
        entry.hidden = !matching;
        if (matching) within++;
      }
      family.hidden = within === 0;
      family.open = wanted.length > 0 && within > 0;
      found += within;
    }
    matches.textContent = wanted.length > 0 ? `${found} of ${total} operations` : '';
  };
  words.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    words.focus();
  });
  place.hidden = false;
  // Browsers fill the box in again when somebody comes back.
  if (words.value) filter();
}

function startTrying(channelTest: HTMLFormElement): void {
  const token = element<HTMLInputElement>('token');
  const body = element<HTMLTextAreaElement>('body');
  const [outcome, answer] = [element('outcome'), element('answer')];
  if (!outcome || !answer) return;
  if (token) token.value = sessionStorage.getItem(tokenName) ?? '';
  channelTest.addEventListener('submit', (event) => {
    event.preventDefault();
    if (token) sessionStorage.setItem(tokenName, token.value);
    outcome.textContent = 'Sending…';
    answer.hidden = true;
    send(channelTest, token?.value, body?.value).then(
      ({ line, text }) => {
        outcome.textContent = line;
        answer.textContent = text;
        answer.hidden = text === '';
      },
      (error: unknown) => {
        outcome.textContent = `No response: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  });
  channelTest.hidden = false;
}

async function send(channelTest: HTMLFormElement, token: string | undefined, body: string | undefined) {
  const { method = 'GET', path = '/', type } = channelTest.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let address = path;
  for (const { name, value, dataset } of channelTest.querySelectorAll<HTMLInputElement>('input[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.append(name, value);
    else headers.set(name, value);
  }
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (body && type) headers.set('content-type', type);
  const since = performance.now();
  const response = await fetch(query.size > 0 ? `${address}?${query}` : address, {
    ...{ method, headers, redirect: 'manual', cache: 'no-store', credentials: 'omit' },
    ...(body ? { body } : {}),
  });
  const text = await response.text();
  const milliseconds = Math.round(performance.now() - since);
  const status = response.type === 'opaqueredirect' ? 'a redirect' : response.status;
  return { line: `Status ${status} after ${milliseconds} ms`, text: shown(text) };
}

function shown(text: string): string {
  if (text.length > mostShown) return `${text.slice(0, mostShown)}…`;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
