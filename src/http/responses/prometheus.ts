/** One number of a metric; `suffix` is what a histogram adds to the name: `_bucket`, `_sum`, `_count`. */
export interface Sample {
  suffix?: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** A metric: its name, what it is, and its numbers. */
export interface Metric {
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  samples: readonly Sample[]
}

/** The media type of the format. */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Metrics in Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/). Those without a number
 * are left out.
 */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .flatMap(({ name, type, help, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
      `# TYPE ${name} ${type}\n`,
      ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`),
    ])
    .join('')
}

function labelsText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
