import { parseArgs } from 'node:util';
import {
  ConfigurationError,
  defaultFile,
  optionOf,
  type SettingName,
  settings,
  variableOf,
} from './configuration.ts';

export interface CommandLine {
  /** By the name of the setting. */
  readonly options: Readonly<Partial<Record<SettingName, string>>>;
  readonly file: string | undefined;
  /** Prints what would be sent, once, and sends nothing. */
  readonly isDryRun: boolean;
  readonly wants: 'help' | 'version' | undefined;
  /** To do something else than to run. */
  readonly command: 'install' | 'uninstall' | undefined;
  /** Directory of another system, which gets the agent. */
  readonly root: string | undefined;
}

const names = Object.keys(settings) as SettingName[];

export function parseCommandLine(words: readonly string[]): CommandLine {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(names.map((name) => [optionOf(name), text])),
        ...{ config: text, root: text, 'dry-run': flag, help: flag, version: flag },
      },
    });
    const [command, surplus] = positionals;
    if (surplus !== undefined || (command !== undefined && command !== 'install' && command !== 'uninstall'))
      throw new Error(`Unexpected argument '${surplus ?? command}'`);
    const given = values as Readonly<Record<string, string | boolean | undefined>>;
    const options = names.flatMap((name) => {
      const value = given[optionOf(name)];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    return {
      options: Object.fromEntries(options),
      file: typeof given.config === 'string' ? given.config : undefined,
      isDryRun: given['dry-run'] === true,
      wants: given.help ? 'help' : given.version ? 'version' : undefined,
      command,
      root: typeof given.root === 'string' ? given.root : undefined,
    };
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('. ');
    throw new ConfigurationError(`${reason}. The options are printed by --help.`);
  }
}

export function helpText(): string {
  const rows = [
    ...names.map((name) => [`--${optionOf(name)}`, `${settings[name]} (${variableOf(name)})`] as const),
    ['--config', `file with these settings as JSON (default ${defaultFile})`] as const,
    ['--dry-run', 'prints what would be sent, and sends nothing'] as const,
    ['install', 'makes it a service of systemd with these settings; --root DIR: in an image'] as const,
    ['uninstall', 'removes that service'] as const,
  ];
  const width = Math.max(...rows.map(([option]) => option.length));
  const lines = rows.map(([option, description]) => `  ${option.padEnd(width)}  ${description}`);
  return `Reports this host to a Vedette server.\n\n${lines.join('\n')}\n`;
}
