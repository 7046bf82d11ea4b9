import { describe, expect, test } from 'vitest';
import { helpText, type ParsedCommand, parseCommandLine } from './arguments.ts';
import type { Command } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { backupCommands } from './commands/backup.ts';
import { checkCommands } from './commands/check.ts';
import { keyCommands } from './commands/key.ts';
import { secretKeyCommands } from './commands/secret-key.ts';
import { simulateCommands } from './commands/simulate.ts';
import { userCommands } from './commands/user.ts';
import { UsageError } from './usage-error.ts';

const commands = [
  ...accountCommands,
  ...userCommands,
  ...keyCommands,
  ...backupCommands,
  ...secretKeyCommands,
  ...simulateCommands,
];
const parse = (line: string) => parseCommandLine(commands, line.split(' ')) as ParsedCommand;
const helpFor = (line: string) =>
  (parseCommandLine(commands, line.split(' ')) as { help: readonly Command[] }).help.map(({ words }) =>
    words.join(' '),
  );

describe('the command line', () => {
  test('parses a command, its options and --json in any order', () => {
    const parsed = parse('key create --rate-limit 7 --json --user a@example.com');
    expect(parsed.command.words).toEqual(['key', 'create']);
    expect({ ...parsed.options }).toEqual({ 'rate-limit': '7', user: 'a@example.com' });
    expect(parsed.json).toBe(true);
    expect(parse('--json account delete x')).toMatchObject({ json: true, positionals: ['x'] });
    expect(parse('backup --with-key file')).toMatchObject({ json: false, positionals: ['file'] });
  });

  test.each(['help', '--help', '-h', 'no-such-command --help'])('requests the full help with %s', (line) => {
    expect(helpFor(line)).toEqual(commands.map(({ words }) => words.join(' ')));
  });

  test.each([
    ['account --help', ['account create', 'account list', 'account delete']],
    ['help account', ['account create', 'account list', 'account delete']],
    ['account create --help', ['account create']],
    ['key list -h', ['key list']],
    ['restore file --help', ['restore']],
  ])('requests the help of some commands with %s', (line, names) => {
    expect(helpFor(line)).toEqual(names);
  });

  test('collects repeated options, and accepts short ones', () => {
    const line = 'check aws --policy a -o - --policy b --json';
    const parsed = parseCommandLine(checkCommands, line.split(' ')) as ParsedCommand;
    expect(parsed).toMatchObject({ lists: { policy: ['a', 'b'] }, json: true });
    expect({ ...parsed.options }).toEqual({ output: '-' });
    const [aws] = checkCommands;
    const help = helpText(aws ? [aws] : []);
    expect(help).toContain('[-o|--output FILE]');
    expect(help).toContain('[--policy ID]…');
    expect(help).toMatch(/^ {6}Exit status: 0 /m);
  });

  test('requests the version', () => {
    expect(parse('--version')).toEqual({ version: true });
  });

  test('accepts --yes only for destructive commands', () => {
    expect(parse('account delete x --yes').options.yes).toBe(true);
    expect(() => parse('account create x --yes')).toThrow('--yes');
    expect(parse('account delete x').command.destroys?.(parse('account delete x') as never)).toBe(
      'This deletes the account x, the access of its users and all its data.',
    );
  });

  test.each([
    ['account', "'account' is not a command"],
    ['account destroy x', 'see vedette help'],
    ['account create', 'Usage: vedette account create NAME'],
    ['account create one two', 'Usage: vedette account create NAME'],
    ['account list --colour', '--colour'],
    ['account list extra', 'Usage: vedette account list'],
    ['key create', '--user is required'],
    ['key create --user', '--user'],
    ['user create --email a@example.com', '--role is required'],
    ['backup', 'Usage: vedette backup FILE [--with-key] [--without-telemetry] [--yes]'],
  ])('rejects %s with a message that names the fix', (line, help) => {
    expect(() => parse(line)).toThrow(UsageError);
    expect(() => parse(line)).toThrow(help);
  });
});

test('the help explains every command and every option', () => {
  const help = helpText(commands);
  for (const { words, summary, options } of commands) {
    expect(help).toContain(`vedette ${words.join(' ')}`);
    expect(help).toContain(summary);
    for (const [name, { description }] of Object.entries(options))
      expect(help).toContain(`--${name}: ${description}`);
  }
});
