import { expect, test } from 'vitest';
import { helpText, parseCommandLine } from './command-line.ts';

test('settings are given by their names', () => {
  expect(
    parseCommandLine(['--server', 'https://a', '--token-file=/t', '--dry-run', '--config', '/c']),
  ).toEqual({
    ...{ options: { server: 'https://a', tokenFile: '/t' }, file: '/c', isDryRun: true, wants: undefined },
  });
  expect(parseCommandLine(['--help']).wants).toBe('help');
  expect(parseCommandLine(['--version']).wants).toBe('version');
});

test.each([
  [['--sever', 'x'], "Unknown option '--sever'. The options are printed by --help."],
  [['extra'], "Unexpected argument 'extra'"],
  [['--token'], "Option '--token <value>' argument missing"],
])('%j is refused', (words, message) => {
  expect(() => parseCommandLine(words)).toThrow(message);
});

test('the help names every option and its variable', () => {
  expect(helpText()).toContain(
    '--token-file             file with the agent access token (VEDETTE_AGENT_TOKEN_FILE)',
  );
});
