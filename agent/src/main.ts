import { helpText, parseCommandLine } from './command-line.ts';
import { ConfigurationError, readConfiguration } from './configuration.ts';
import { dryRun } from './dry-run.ts';
import { install, uninstall } from './install/installation.ts';
import { runAgent } from './run-agent.ts';
import { version } from './version.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
// Started by a server, it ends with that.
process.once('disconnect', () => stop.abort());
process.channel?.unref();
const log = (message: string) => process.stderr.write(`${message}\n`);

try {
  const { options, file, isDryRun, wants, command, root } = parseCommandLine(process.argv.slice(2));
  if (wants === 'help') process.stdout.write(helpText());
  else if (wants === 'version') process.stdout.write(`${version}\n`);
  else if (command === 'install') log(await install({ settings: options, root }));
  else if (command === 'uninstall') log(await uninstall(root));
  else if (process.platform !== 'linux') {
    log('The agent runs on Linux only.');
    process.exitCode = 1;
  } else if (isDryRun) {
    const configuration = readConfiguration({
      options: { server: 'http://localhost', token: '-', ...options },
      environment: process.env,
      file,
    });
    await dryRun(configuration, {
      signal: stop.signal,
      print: (line) => process.stdout.write(`${line}\n`),
      log,
    });
  } else {
    await runAgent(readConfiguration({ options, environment: process.env, file }), {
      signal: stop.signal,
      log,
    });
  }
} catch (error) {
  const isExpected = error instanceof ConfigurationError;
  log(isExpected ? error.message : ((error as Error).stack ?? String(error)));
  process.exitCode = 1;
}
// What was being observed when the agent was stopped is not waited for.
if (stop.signal.aborted) process.exit();
