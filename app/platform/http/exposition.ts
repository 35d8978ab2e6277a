/** A metric in Prometheus' text format: its name, its meaning, and its values, each with labels. */
export type Metric = { name: string; type: 'counter' | 'gauge' | 'histogram'; help: string; samples: Sample[] }

/** `suffix` distinguishes the parts of a histogram. */
export type Sample = { labels?: Readonly<Record<string, string | number>>; value: number; suffix?: string }

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function expose(metrics: readonly Metric[]): string {
  return metrics.map(exposeOne).join('')
}

function exposeOne({ name, type, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value, suffix = '' }) => `${name}${suffix}${exposeLabels(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function exposeLabels(labels: NonNullable<Sample['labels']>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(String(value))}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
}

type Series = { labels: NonNullable<Sample['labels']>; counts: number[]; sum: number }

/** Counts values below each bound, separately for each combination of labels. */
export class HistogramMetric {
  #bounds: readonly number[]
  #series = new Map<string, Series>()

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
  }

  observe(labels: Series['labels'], value: number) {
    const key = Object.values(labels).join('\n')
    let series = this.#series.get(key)
    if (!series) this.#series.set(key, (series = { labels, counts: Array.from({ length: this.#bounds.length + 1 }, () => 0), sum: 0 }))
    const bucket = this.#bounds.findIndex((bound) => value <= bound)
    const index = bucket === -1 ? this.#bounds.length : bucket
    series.counts[index] = (series.counts[index] ?? 0) + 1
    series.sum += value
  }

  samples(): Sample[] {
    return [...this.#series.values()].flatMap(({ labels, counts, sum }) => {
      let total = 0
      const buckets = counts.map((count, index) => {
        total += count
        return { suffix: '_bucket', labels: { ...labels, le: this.#bounds[index] ?? '+Inf' }, value: total }
      })
      return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }]
    })
  }
}
