/** A metric with one value, with one for each value of a label, or with one for each set of labels. */
export interface Metric {
  readonly name: `vedette_${string}`;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly values:
    | number
    | { readonly label: string; readonly of: Readonly<Record<string, number>> }
    | readonly Sample[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One section of `/metrics`, in the text format of Prometheus. No label ever names a tenant. */
export type MetricsCollector = () => string | Promise<string>;

/** Metrics in the text format of Prometheus. */
export function exposition(...metrics: readonly Metric[]): string {
  return metrics.map(sectionOf).join('\n');
}

function sectionOf({ name, type, help, values }: Metric): string {
  const lines = samplesOf(values).map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

function samplesOf(values: Metric['values']): readonly Sample[] {
  if (typeof values === 'number') return [{ labels: {}, value: values }];
  if (!('label' in values)) return values;
  return Object.entries(values.of).map(([text, value]) => ({ labels: { [values.label]: text }, value }));
}
