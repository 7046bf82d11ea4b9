import { countsOf } from './counts.ts';
import type {
  ComplianceReport,
  Recommendation,
  ReportCloud,
  ReportControl,
  ReportedViolation,
  ReportSection,
  ReportStatus,
  ReportSubject,
  TrendPoint,
} from './report.ts';

export interface SampleOptions {
  /** Violations, spread over the non-compliant recommendations. */
  readonly findings?: number;
  readonly sections?: number;
  readonly controlsPerSection?: number;
  /** Names as an attacker would choose them. */
  readonly isHostile?: boolean;
  readonly cloud?: ReportCloud;
  readonly trend?: number;
}

const day = 86_400_000;
const evaluatedAt = Date.UTC(2026, 10, 16, 9, 30);

/** Markup, formulas, escapes, control and bidirectional characters, scripts without glyphs, and no place to break. */
export const hostileNames: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</style></table><h1>owned',
  '=HYPERLINK("http://evil.example","click")',
  "@SUM(1+1)*cmd|' /C calc'!A0",
  '-2+3',
  '+1',
  '\tleading tab',
  'line one\nline two\r\nline three',
  'comma, "quote" and \\backslash)(endobj',
  'nul\u0000 bell\u0007 escape\u001b[31m',
  'right-to-left \u202eexe.gpj',
  'lone surrogate \ud83d here',
  'emoji 🔐🚀 and 日本語のリソース名',
  'Ελληνικά, кириллица, Ærøskøbing, Łódź',
  `arn:aws:s3:::${'x'.repeat(300)}`,
  '&amp; &lt;b&gt; &#0; %s %n {{7*7}}',
];

const statuses: readonly ReportStatus[] = [
  'NonCompliant',
  'Compliant',
  'NonCompliant',
  'Compliant',
  'RequiresManualAssessment',
  'Compliant',
  'CouldNotAssess',
  'NonCompliant',
  'Suppressed',
  'Compliant',
  'CouldNotAssess',
];

const subjects: Readonly<Record<ReportCloud, ReportSubject>> = {
  AWS: { cloud: 'AWS', id: '123456789012', name: 'amberwood-production' },
  Azure: {
    ...{ cloud: 'Azure', id: '7B6DF8A4-0F5B-4B7A-9C33-6F6D6E9A1F10', name: 'Production' },
    parent: { id: '0C4A1B77-3F0E-4E0B-8F6E-2B1C6D0B1A55', name: 'Amberwood' },
  },
  GCP: {
    ...{ cloud: 'GCP', id: 'amberwood-shop', name: 'Amberwood shop' },
    parent: { id: '998877665544', name: 'amberwood.example' },
  },
  K8s: { cloud: 'K8s', id: 'arn:aws:eks:eu-west-1:123456789012:cluster/shop', name: 'shop' },
};

const topics = [
  ['S3 bucket allows public access', 'aws:s3', 'Its content can be read from the internet.'],
  ['Security group opens SSH to the internet', 'aws:ec2', 'Scanners find the port within minutes.'],
  ['Access key is older than 90 days', 'aws:iam', 'A leaked key stays usable until somebody notices it.'],
  ['Database is not encrypted at rest', 'aws:rds', 'A copied snapshot can be read by whoever holds it.'],
  ['Trail does not validate log files', 'aws:cloudtrail', 'Changes of the log would remain unnoticed.'],
] as const;

/** A report of any size, the same for the same options. */
export function sampleReport(options: SampleOptions = {}): ComplianceReport {
  const { findings = 40, sections: count = 5, controlsPerSection = 5, cloud = 'AWS', trend = 8 } = options;
  const recommendations = recommendationsOf(count * controlsPerSection, findings, options);
  const sections = Array.from({ length: count }, (_, at): ReportSection => {
    const title = ['Identity and access', 'Storage', 'Logging', 'Monitoring', 'Networking'][at % 5] as string;
    const own = recommendations.slice(at * controlsPerSection, (at + 1) * controlsPerSection);
    return {
      ...{ id: `${at + 1}`, title },
      controls: own.map((one, index): ReportControl => {
        // The second control of a section also needs the first recommendation of all: it counts once.
        const shared = at > 0 && index === 1 ? recommendations.slice(0, 1) : [];
        return { id: `${at + 1}.${index + 1}`, recommendations: [one, ...shared] };
      }),
    };
  });
  return {
    ...{ reportType: 'AWS_CIS_14', title: 'CIS Amazon Web Services Foundations Benchmark v1.4.0' },
    subject: options.isHostile ? { ...subjects[cloud], name: hostileNames[1] as string } : subjects[cloud],
    ...{ evaluatedAt, sections, counts: countsOf(sections) },
    trend: Array.from({ length: trend }, (_, index): TrendPoint => {
      const compliant = 5 + ((index * 7) % 5) + Math.floor(index / 2);
      return { at: evaluatedAt - (trend - index) * day, compliant, nonCompliant: 12 - Math.floor(index / 2) };
    }),
  };
}

function recommendationsOf(count: number, findings: number, options: SampleOptions): Recommendation[] {
  const wanted = Array.from({ length: count }, (_, index) => statuses[index % statuses.length]);
  let left = wanted.filter((status) => status === 'NonCompliant').length;
  let remaining = findings;
  return wanted.map((status, number) => {
    const share = status === 'NonCompliant' ? Math.ceil(remaining / left--) : 0;
    remaining -= share;
    return recommendation(number, share, options);
  });
}

function recommendation(number: number, violations: number, { isHostile }: SampleOptions): Recommendation {
  const wanted = statuses[number % statuses.length] as ReportStatus;
  // Without violations there is nothing to report.
  const status = wanted === 'NonCompliant' && violations === 0 ? 'Compliant' : wanted;
  const [title, service, why] = topics[number % topics.length] as (typeof topics)[number];
  const isManual = status === 'RequiresManualAssessment';
  const isWithoutCheck = status === 'CouldNotAssess' && number % 2 === 0;
  const isUnread = status === 'CouldNotAssess' && !isWithoutCheck;
  const name = (index: number) =>
    isHostile
      ? `${hostileNames[index % hostileNames.length]}${index < hostileNames.length ? '' : index}`
      : `arn:aws:${service.slice(4)}:eu-west-1:123456789012:${service.slice(4)}/amberwood-${number}-${index}`;
  const exceptions = status === 'Suppressed' ? 2 : status === 'NonCompliant' && number % 2 === 0 ? 1 : 0;
  const assessed = status === 'Compliant' ? 12 : status === 'NonCompliant' ? violations + 5 : 0;
  const gaps = isUnread ? 2 : 0;
  return {
    id: isWithoutCheck ? `control-${number}` : `lacework-global-${1_000 + number}`,
    title: `${title}${number < topics.length ? '' : ` (${number})`}`,
    service,
    severity: ((number % 5) + 1) as Recommendation['severity'],
    status,
    reason: reasonOf(status, isWithoutCheck),
    infoLink: '',
    description: isWithoutCheck ? '' : `${title}. ${why}`,
    ...(!isWithoutCheck && { remediation: remediationOf(isManual) }),
    assessed,
    resources: assessed + exceptions + gaps,
    violations: Array.from(
      { length: violations },
      (_, index): ReportedViolation => ({
        ...{ resource: name(index), region: index % 9 === 8 ? '' : 'eu-west-1' },
        reason: isHostile ? name(index + 3) : `${title}: seen in its current configuration.`,
        since: evaluatedAt - (index % 30) * day,
      }),
    ),
    exceptions: Array.from({ length: exceptions }, (_, index) => ({
      ...{ resource: name(index + 500), region: 'eu-west-1', exceptionId: `EX-${number}-${index}` },
      ...{ description: 'Accepted until the migration ends', grantedBy: 'ada@amberwood.example' },
      ...(index === 0 && { until: evaluatedAt + 60 * day }),
    })),
    violated: violations,
    exempt: exceptions,
    unread: gaps,
    gaps: Array.from({ length: gaps }, (_, index) => ({
      ...{ resource: `${service}:*`, region: `eu-west-${index + 1}` },
      reason: 'AccessDenied: the role may not list them.',
    })),
  };
}

function reasonOf(status: ReportStatus, isWithoutCheck: boolean): string {
  if (isWithoutCheck) return 'This release has no check for it.';
  if (status === 'CouldNotAssess') return 'The role of the integration may not read these resources.';
  return status === 'Suppressed' ? 'Exceptions cover every violating resource.' : '';
}

function remediationOf(isManual: boolean): Recommendation['remediation'] & {} {
  if (isManual) return 'Ask the owner of the account for the current record, and keep it with this report.';
  return {
    console:
      '1. Open the service and select the resource.\n2. Change the setting, preferably for the whole account.\n3. Wait ' +
      'for the next evaluation.',
    cli: 'aws s3api put-public-access-block --bucket BUCKET --public-access-block-configuration \\\n  BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true',
    terraform:
      'resource "aws_s3_bucket_public_access_block" "private" {\n  bucket            = aws_s3_bucket.this.id\n  block_public_acls = true\n}',
  };
}
