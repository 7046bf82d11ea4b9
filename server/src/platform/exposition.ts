/** A metric with a single value, one value per label value, or one per set of labels. */
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

/** Produces a section of `/metrics` in the Prometheus text format. Labels never identify a tenant. */
export type MetricsCollector = () => string | Promise<string>;

/** Renders metrics in the Prometheus text format. */
export function exposition(...metrics: readonly Metric[]): string {
  return metrics.map(sectionOf).join('\n');
}

function sectionOf({ name, type, help, values }: Metric): string {
  const lines = samplesOf(values).map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, labelValue]) => `${label}="${labelValue}"`);
    return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

function samplesOf(values: Metric['values']): readonly Sample[] {
  if (typeof values === 'number') return [{ labels: {}, value: values }];
  if (!('label' in values)) return values;
  return Object.entries(values.of).map(([labelValue, value]) => ({
    labels: { [values.label]: labelValue },
    value,
  }));
}
