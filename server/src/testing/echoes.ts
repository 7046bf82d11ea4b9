/** Encodings in which receivers echo request data in a reply. */
export const echoes: Readonly<Record<string, (sent: string) => string>> = {
  unchanged: (sent) => sent,
  'in JSON': (sent) => JSON.stringify(sent).slice(1, -1),
  'in JSON with slashes and other scripts escaped': (sent) =>
    JSON.stringify(sent)
      .slice(1, -1)
      .replaceAll('/', '\\/')
      .replace(/[<>&'+\u0080-\uffff]/g, unicodeEscape),
  'in JSON within JSON': (sent) => JSON.stringify(JSON.stringify(sent)).slice(3, -3),
  'for a URL': encodeURIComponent,
  'for a URL in lower case': (sent) => encodeURIComponent(sent).replace(/%../g, (code) => code.toLowerCase()),
  'for a form': (sent) => new URLSearchParams({ '': sent }).toString().slice(1),
  'for a URL, each byte': (sent) =>
    Buffer.from(sent)
      .toString('hex')
      .replace(/../g, (digits) => `%${digits}`),
  'for a URL within a URL': (sent) => encodeURIComponent(encodeURIComponent(sent)),
  'for HTML': (sent) =>
    sent
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  'in hex': (sent) => Buffer.from(sent).toString('hex'),
  'in upper-case hex': (sent) => Buffer.from(sent).toString('hex').toUpperCase(),
  'in base64': (sent) => Buffer.from(sent).toString('base64'),
  'in base64 at an offset of one byte': (sent) => Buffer.from(`>${sent}`).toString('base64'),
  'in base64 at an offset of two bytes': (sent) => Buffer.from(`> ${sent}`).toString('base64'),
  'in base64 for URLs': (sent) => Buffer.from(sent).toString('base64url'),
  'in base64 within a URL': (sent) => encodeURIComponent(Buffer.from(sent).toString('base64')),
};

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
