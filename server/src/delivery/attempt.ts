import type { AlertMessage } from '../alerts/alert-message.ts';
import type { IntegrationCatalogue } from '../integrations/catalogue.ts';
import type { IntegrationData } from '../integrations/declaration.ts';
import { dataOf, type IntegrationRow, secretsOf } from '../integrations/record.ts';
import { lacksSecret } from '../integrations/secrets.ts';
import { type Outbound, OutboundError } from '../outbound/outbound.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/errors.ts';
import type { Keyring } from '../platform/keyring.ts';
import type { Log } from '../platform/log.ts';
import { ReportUnavailable } from '../reports/scheduled/composed-report.ts';
import type { ReportComposer } from '../reports/scheduled/composer.ts';
import type { ReportMessage } from '../reports/scheduled/report-message.ts';
import { truncate } from './bounded-string.ts';
import { type Channel, DeliveryError, type External, type Transports } from './channel.ts';
import { channelOf } from './channels.ts';
import { redactedExternal, redacting, redactionOf } from './redaction.ts';

export interface AttemptDeps {
  readonly catalogue: IntegrationCatalogue;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly transports: Transports;
  readonly clock: Clock;
  readonly log: Log;
}

/** Why a message was not delivered; safe to show. */
export interface Problem {
  readonly message: string;
  readonly isFinal: boolean;
  /** Nothing was sent, so the channel itself did not fail. */
  readonly isUntried?: boolean;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
}

export type Outcome =
  | { readonly problem: undefined; readonly external: External | undefined }
  | { readonly problem: Problem };

const maxProblemLength = 1_000;

/** Sends one message about an alert to one channel; returns errors as an outcome. */
export function attempt(
  channel: IntegrationRow,
  message: AlertMessage,
  earlier: External | undefined,
  deps: AttemptDeps,
): Promise<Outcome> {
  const { transports, clock } = deps;
  return attemptWith(channel, deps, (sender, data, outbound) =>
    sender.send({ message, data, earlier, outbound, transports, clock }),
  );
}

/** Sends one report to one channel. */
export function attemptReport(
  channel: IntegrationRow,
  message: ReportMessage,
  deps: AttemptDeps & { readonly reports: Pick<ReportComposer, 'compose'> },
): Promise<Outcome> {
  const { transports, reports } = deps;
  const { deliveryId } = message;
  return attemptWith(channel, deps, async (sender, data) => {
    if (!sender.sendReport)
      throw new DeliveryError(`Channels of type ${channel.type} do not send reports.`, { isFinal: true });
    const report = await reports.compose(message);
    try {
      return await sender.sendReport({ deliveryId, report, data, transports });
    } finally {
      report.release();
    }
  });
}

async function attemptWith(
  channel: IntegrationRow,
  deps: AttemptDeps,
  send: (sender: Channel, data: IntegrationData, outbound: Outbound) => Promise<External | undefined>,
): Promise<Outcome> {
  const { keyring, outbound, log } = deps;
  let redaction = redactionOf({});
  try {
    const secrets = secretsOf(channel, keyring);
    redaction = redactionOf(secrets);
    const { data: form } = deps.catalogue.get('AlertChannels', channel.type, channel.subtype);
    if (lacksSecret(form, JSON.parse(channel.data), secrets))
      throw new DeliveryError('The channel lacks a secret: set it.', { isFinal: true });
    const sender = await channelOf(channel.type);
    const external = await send(sender, dataOf(channel, keyring), redacting(outbound, redaction));
    return { problem: undefined, external: external && redactedExternal(external, redaction) };
  } catch (error) {
    const shown = (text: string) => truncate(redaction.apply(text), maxProblemLength);
    if (error instanceof DeliveryError || error instanceof OutboundError) {
      const { isFinal, status, retryAfter } = error as DeliveryError;
      return { problem: { message: shown(error.message), isFinal, status, retryAfter } };
    }
    if (error instanceof ReportUnavailable)
      return { problem: { message: shown(error.message), isFinal: error.isFinal, isUntried: true } };
    if (error instanceof Refusal)
      return { problem: { message: shown(error.message), isFinal: error.status < 500, isUntried: true } };
    log.error({ channel: channel.id, error: shown(String(error)) }, 'a channel failed');
    return {
      problem: { message: `${channel.type} failed: see the log of the service.`, isFinal: false },
    };
  }
}
