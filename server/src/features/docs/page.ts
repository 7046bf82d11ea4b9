const configuration = {
  url: '/api/v2/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'token' },
  defaultOpenAllTags: true,
};

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vedette API reference</title>
</head>
<body>
<noscript>The machine-readable reference is at <a href="/api/v2/openapi.json">/api/v2/openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-url="/api/v2/openapi.json" data-configuration="${escapeAttribute(JSON.stringify(configuration))}"></script>
<script src="/api/v2/docs/reference.js"></script>
</body>
</html>
`;

/** Nothing from elsewhere is loaded or asked: the page works on a machine without any other network. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
