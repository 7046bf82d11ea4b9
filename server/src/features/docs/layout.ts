import { type Html, html } from './html.ts';

/** URLs of the assets. They contain a hash of the content, so that a page never loads a cached asset of another version. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

/** Restricts pages to resources and requests of their own origin, and forbids inserting markup from scripts. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** A page with the given content. It is complete without the script. */
export function layout(title: string, main: Html, { script, style, icon }: Assets): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
}
