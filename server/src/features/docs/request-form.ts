import { parametersOf } from '../../http/openapi.ts';
import type { Declaration } from '../../http/route.ts';
import { type Html, html } from './html.ts';
import type { ExampleBody } from './request-example.ts';

/** A form that sends a request. It is hidden until the script is loaded. */
export function requestForm(declaration: Declaration, body: ExampleBody | undefined): Html {
  const { method, path, access } = declaration;
  const fields = parametersOf(declaration).map(
    ({ name, in: location, required }) =>
      html`<label>${name} <input name="${name}" data-in="${location}" autocomplete="off"${required ? html` required` : ''}></label>
`,
  );
  const token = html`<label>Token <input id="token" type="password" autocomplete="off"></label>
`;
  const bodyField =
    body &&
    html`<label>Body <textarea id="body" rows="10" spellcheck="false">${body.text}</textarea></label>
`;
  return html`<form id="try" hidden data-method="${method}" data-path="${path}" data-type="${body?.type}">
<h2>Try it</h2>
${access === 'public' ? '' : token}${fields}${bodyField}<button>Send request</button>
<div role="status" id="outcome"></div>
<pre id="answer" tabindex="0" hidden></pre>
</form>`;
}
