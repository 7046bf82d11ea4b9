import { ConfigurationError as AgentConfigurationError } from '@vedette/agent/configuration';
import { SecretKeyError } from '@vedette/server/control/secret-key';
import { ConfigurationError } from '@vedette/server/platform/configuration';
import { Refusal } from '@vedette/server/platform/errors';
import { version } from '@vedette/server/platform/version';
import { helpText, parseCommandLine } from './arguments.ts';
import { accountCommands } from './commands/account.ts';
import { agentCommands } from './commands/agent.ts';
import { backupCommands } from './commands/backup.ts';
import { checkCommands } from './commands/check.ts';
import { collectCommands } from './commands/collect.ts';
import { deliveryCommands } from './commands/deliveries.ts';
import { evaluationCommands } from './commands/evaluations.ts';
import { exportCommands } from './commands/exports.ts';
import { importCommands } from './commands/import.ts';
import { keyCommands } from './commands/key.ts';
import { permissionCommands } from './commands/permissions.ts';
import { queryCommands } from './commands/query.ts';
import { reportCommands } from './commands/report.ts';
import { secretKeyCommands } from './commands/secret-key.ts';
import { signInLinkCommands } from './commands/sign-in-link.ts';
import { simulateCommands } from './commands/simulate.ts';
import { tokenCommands } from './commands/token.ts';
import { userCommands } from './commands/user.ts';
import { verifyCommands } from './commands/verify.ts';
import { confirm } from './confirmation.ts';
import { CommandContext } from './context.ts';
import { UsageError } from './usage-error.ts';

const commands = [
  ...accountCommands,
  ...userCommands,
  ...keyCommands,
  ...signInLinkCommands,
  ...backupCommands,
  ...verifyCommands,
  ...secretKeyCommands,
  ...simulateCommands,
  ...collectCommands,
  ...importCommands,
  ...checkCommands,
  ...permissionCommands,
  ...tokenCommands,
  ...agentCommands,
  ...queryCommands,
  ...reportCommands,
  ...deliveryCommands,
  ...exportCommands,
  ...evaluationCommands,
];

/** Returns what is left to print. */
async function run(words: readonly string[]): Promise<string> {
  const parsed = parseCommandLine(commands, words);
  if ('version' in parsed) return `${version}\n`;
  if ('help' in parsed) return helpText(parsed.help);
  const { command, positionals, options, lists, json } = parsed;
  const context = new CommandContext(process.env);
  try {
    const invocation = { positionals, options, lists, json, context };
    const loss = options.yes ? undefined : command.destroys?.(invocation);
    if (loss) await confirm(loss);
    const result = await command.run(invocation);
    if (result.exitCode !== undefined) process.exitCode = result.exitCode;
    if (!('text' in result)) return '';
    return `${json ? (result.json ?? JSON.stringify(result.data, undefined, 2)) : result.text}\n`;
  } finally {
    await context.close();
  }
}

// A closed pipe, as with `| head`, is not a failure.
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  const expected = [UsageError, Refusal, ConfigurationError, AgentConfigurationError, SecretKeyError].some(
    (kind) => error instanceof kind,
  );
  const message = expected ? (error as Error).message : ((error as Error).stack ?? String(error));
  process.stderr.write(process.argv.includes('--json') ? `${JSON.stringify({ message })}\n` : `${message}\n`);
  process.exitCode = 1;
}
