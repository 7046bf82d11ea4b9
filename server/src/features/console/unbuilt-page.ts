/** Shown instead of the console if it was not built. */
export const unbuiltPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Console not built - Vedette</title>
<link rel="icon" type="image/svg+xml" href="./favicon.svg">
</head>
<body>
<main>
<h1>The console is not built</h1>
<p>Run <code>npm ci &amp;&amp; npm run build</code> in the directory of the service, then restart it.</p>
<p>The API works without the console: see the <a href="./api/v2/docs">reference</a>.</p>
</main>
</body>
</html>
`;
