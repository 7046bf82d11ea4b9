import { familiesOf, introduction, operationIdOf } from '../../http/openapi.ts';
import type { Declaration } from '../../http/route.ts';
import { type Html, html, inline, prose } from './html.ts';
import { type Assets, layout } from './layout.ts';

export const pageOf = (declaration: Declaration) =>
  `/api/v2/docs/operations/${operationIdOf(declaration)}` as const;

/** All operations by family. Families are collapsed; a search expands those with a match. */
export function listPage(declarations: readonly Declaration[], version: string, assets: Assets): string {
  const families = familiesOf(declarations).map(({ name, description }) => {
    const operations = declarations.filter(({ family }) => family.name === name);
    return html`<details class="family">
<summary><h2>${name}</h2> <span>${operations.length}</span></summary>
<p>${inline(description)}</p>
<ul>${operations.map(entryOf)}</ul>
</details>
`;
  });
  const main = html`<header>
<h1>Vedette API reference</h1>
<p>Version ${version}, ${declarations.length} operations. For tools: <a href="/api/v2/openapi.json">OpenAPI document</a>.</p>
</header>
<details>
<summary>How the interface works</summary>
${prose(introduction)}
</details>
<search id="search" hidden>
<label for="words">Search operations</label>
<input id="words" type="search" placeholder="Method, path or summary" autocomplete="off">
<p id="matches" role="status"></p>
</search>
${families}`;
  return layout('Vedette API reference', main, assets).text;
}

function entryOf(declaration: Declaration): Html {
  const { method, path, summary } = declaration;
  return html`<li><a href="${pageOf(declaration)}"><b class="${method}">${method}</b> <code>${path}</code></a> ${summary}</li>
`;
}
