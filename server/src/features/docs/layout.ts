import { type Html, html } from './html.ts';

/** Addresses of what the pages load; they change with the content, so that no page meets a script of another version. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
}

/** Nothing from elsewhere is loaded or asked, and no string becomes a script: the pages write text only. */
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

/** A page around its main part. It is whole without the script, which only adds to it. */
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
