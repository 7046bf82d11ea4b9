import type { ReportCloud, ReportSubject } from './report.ts';

type Members = Readonly<Record<string, (subject: ReportSubject) => string>>;

/** The members that name what a report is about. Clients of Google Cloud expect `n/a` for an unknown organization. */
const membersByCloud: Readonly<Record<ReportCloud, Members>> = {
  AWS: { accountId: ({ id }) => id, accountAlias: ({ name }) => name },
  Azure: {
    tenantId: ({ parent }) => parent?.id ?? '',
    tenantName: ({ parent }) => parent?.name ?? '',
    subscriptionId: ({ id }) => id,
    subscriptionName: ({ name }) => name,
  },
  GCP: {
    organizationId: ({ parent }) => parent?.id ?? 'n/a',
    organizationName: ({ parent }) => parent?.name || 'n/a',
    projectId: ({ id }) => id,
    projectName: ({ name }) => name,
  },
  K8s: { clusterId: ({ id }) => id, clusterName: ({ name }) => name },
};

/** The names of the members by cloud. */
export const subjectMemberNames = Object.entries(membersByCloud).map(([cloud, members]) => ({
  cloud: cloud as ReportCloud,
  names: Object.keys(members),
}));

export function subjectMembers(subject: ReportSubject): [name: string, value: string][] {
  return Object.entries(membersByCloud[subject.cloud]).map(([name, read]) => [name, read(subject)]);
}

/** The name of the same member in recommendations. */
export function columnName(member: string): string {
  return member.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
