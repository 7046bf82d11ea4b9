/** Escapes control characters, so that values cannot control the terminal. */
export function escapeControls(string: string): string {
  return string.replace(/[\p{Control}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu, (character) => {
    const escaped = JSON.stringify(character).slice(1, -1);
    return escaped === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : escaped;
  });
}
