import { parametersOf, refusalsOf } from '../../http/openapi.ts';
import { isContent, isEmpty } from '../../http/reply.ts';
import { type Declaration, functionalityOf } from '../../http/route.ts';
import type { Access } from '../../identity/scope.ts';
import { errorTable } from '../../platform/errors.ts';
import { type Html, html, inline, prose } from './html.ts';
import { type Assets, layout } from './layout.ts';
import { curlOf, describedBodyOf, exampleBodyOf } from './request-example.ts';
import { requestForm } from './request-form.ts';
import { membersOf, type Schema, typeOf } from './schema-view.ts';

const roles: Readonly<Record<Access, string>> = {
  public: 'No authentication required.',
  any: 'Any role, with an access token.',
  read: 'orgAdmin, orgUser, or accountAdmin of the account, with an access token.',
  write: 'orgAdmin, or accountAdmin of the account, with an access token.',
  agent: 'Agents, with an agent access token.',
  session: 'A session of the console.',
};

/** The reference page of one operation. */
export function operationPage(declaration: Declaration, assets: Assets): string {
  const { method, path, summary, description, family } = declaration;
  const { before, after } = curlOf(declaration);
  const main = html`<nav><a href="/api/v2/docs">All operations</a> / ${family.name}</nav>
<h1><b class="${method}">${method}</b> <code>${path}</code></h1>
<p>${summary}.</p>
${prose(description ?? '')}
<dl class="facts">${factsOf(declaration)}</dl>
${parametersView(declaration)}
${bodyView(declaration)}
<h2>Example</h2>
<pre><code>${before}<span id="origin">$URL</span>${after}</code></pre>
${requestForm(declaration, exampleBodyOf(declaration))}
<h2>Responses</h2>
${Object.entries(declaration.replies).map(([status, reply]) => replyView(status, reply))}
<h3>Errors</h3>
<table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${errorsOf(declaration)}</tbody></table>`;
  return layout(`${method} ${path} – Vedette API reference`, main, assets).text;
}

function factsOf(declaration: Declaration): Html[] {
  const { access, org, audit } = declaration;
  const facts: readonly (readonly [string, Html] | undefined)[] = [
    ['Roles', html`${roles[access]}`],
    org
      ? [
          'Organization',
          html`With <code>Org-Access: true</code>, applies to the records of the organization.`,
        ]
      : undefined,
    ['Rate limit', rateOf(declaration)],
    audit === undefined ? undefined : ['Audit log', html`${audit}`],
  ];
  return facts.flatMap((fact) => (fact ? [html`<dt>${fact[0]}</dt><dd>${fact[1]}</dd>`] : []));
}

function rateOf(declaration: Declaration): Html {
  const { rate, access } = declaration;
  const bucket = html`<code>${functionalityOf(declaration)}</code>`;
  if (rate === 'exempt' || access === 'agent') return html`Not limited.`;
  if (rate === 'monitor') return html`Per IP address, sufficient for monitoring.`;
  if (rate === 'credential') return html`Bucket ${bucket}, per owner of the credential.`;
  return html`Bucket ${bucket}, per ${access === 'public' ? 'IP address' : 'user'} and hour.`;
}

function parametersView(declaration: Declaration): Html {
  const parameters = parametersOf(declaration);
  if (parameters.length === 0) return html``;
  const rows = parameters.map(
    ({ name, in: location, required, description = '', schema }) =>
      html`<tr><td><code>${name}</code></td><td>${location}</td><td>${typeOf(schema)}${required ? ', required' : ''}</td><td>${inline(description)}</td></tr>
`,
  );
  return html`<h2>Parameters</h2>
<table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

function bodyView(declaration: Declaration): Html {
  if (declaration.body === 'discarded')
    return html`<h2>Request body</h2>\n<p>Any content; it is discarded.</p>`;
  const schema = describedBodyOf(declaration);
  if (!schema) return html``;
  const type = declaration.body === 'records' ? 'records as NDJSON or as a JSON array' : typeOf(schema);
  return html`<h2>Request body</h2>
<p>${type}. ${inline(schema.description ?? '')}</p>
${membersOf(schema)}`;
}

function replyView(status: string, reply: Declaration['replies'][number]): Html {
  if (isEmpty(reply)) return html`<h3>${status}</h3>\n<p>${inline(reply.description)}</p>`;
  if (isContent(reply))
    return html`<h3>${status}</h3>\n<p><code>${reply.type}</code>: ${inline(reply.description)}</p>`;
  const schema = reply as Schema;
  return html`<h3>${status}</h3>
<p><code>application/json</code>: ${typeOf(schema)}. ${inline(schema.description ?? '')}</p>
${membersOf(schema)}`;
}

function errorsOf(declaration: Declaration): Html[] {
  const codes = [...refusalsOf(declaration)].sort(
    (one, other) => errorTable[one].status - errorTable[other].status,
  );
  return codes.map((code) => {
    const { status, meaning } = errorTable[code];
    return html`<tr><td>${status}</td><td><code>${code}</code></td><td>${inline(meaning)}</td></tr>
`;
  });
}
