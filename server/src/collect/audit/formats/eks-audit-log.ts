import { k8sAudit } from '../../../telemetry/datasets/LW_ACT_K8S_AUDIT.ts';
import { commandOf } from './kubernetes-command.ts';
import { LogFault } from './log-fault.ts';
import type { LogFormat } from './log-format.ts';
import { defined, type Members, membersOf, nonEmpty } from './members.ts';

/** What CloudWatch Logs sends to Firehose at once, uncompressed, with a margin. */
const maxLength = 8 * 1024 * 1024;
const clusterOf = /^\/aws\/eks\/(.+)\/cluster$/;

/** Payloads of a subscription to the log group of a cluster, one after the other, as Firehose writes them. */
export const eksAuditLog: LogFormat = {
  dataset: k8sAudit,
  arrayIn: () => undefined,
  maxLength,
  records(value) {
    const { messageType, logGroup, logStream, logEvents } = membersOf(JSON.parse(value));
    if (messageType === 'CONTROL_MESSAGE') return [];
    if (messageType !== 'DATA_MESSAGE' || !Array.isArray(logEvents))
      throw new LogFault('is not the payload of a subscription to a log group');
    // The log group has the logs of the other parts of the control plane too.
    if (!String(logStream).startsWith('kube-apiserver-audit')) return [];
    const clusterId = clusterOf.exec(String(logGroup))?.[1];
    return logEvents.map((each) => recordOf(String(membersOf(each).message), clusterId));
  },
};

function recordOf(message: string, clusterId: string | undefined): string {
  const event = parsed(message);
  const additions = defined({
    clusterId,
    clusterType: 'EKS',
    cloudUser: cloudUserOf(event),
    command: commandOf(event.requestURI),
  });
  return JSON.stringify({ ...event, ...additions });
}

/** Not JSON: the record is refused like any other that lacks its members. */
function parsed(message: string): Members {
  try {
    return membersOf(JSON.parse(message));
  } catch {
    return {};
  }
}

function cloudUserOf({ user }: Members): string | undefined {
  const { arn, canonicalArn } = membersOf(membersOf(user).extra);
  return [arn, canonicalArn].flat().map(nonEmpty).find(Boolean);
}
