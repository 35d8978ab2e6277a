const UNIT_MS: Record<string, number> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** What the longest duration holds that clients can write: 292 years. */
const MOST_MS = 2 ** 63 / 1e6

/** Milliseconds of a duration such as `300ms`, `-1.5h` or `2h45m`; nothing for what is none. */
export function durationMs(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? []
  if (rest === '0') return 0
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest) || rest.length > 100) return undefined
  const parts = rest.matchAll(/(\d+\.?\d*|\.\d+)([a-zµμ]+)/g)
  const sum = [...parts].reduce((total, [, count, unit = '']) => total + Number(count) * (UNIT_MS[unit] ?? Number.NaN), 0)
  return sum < MOST_MS ? (sign === '-' ? -sum : sum) : undefined
}
