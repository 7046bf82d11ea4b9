/** Severities of alerts: the number in rules and other products, and the name in records. */
export const severityNames = { 1: 'Critical', 2: 'High', 3: 'Medium', 4: 'Low', 5: 'Info' } as const;

export type Severity = (typeof severityNames)[keyof typeof severityNames];

export const severities = Object.values(severityNames) as [Severity, ...Severity[]];
