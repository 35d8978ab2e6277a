/** The remaining quota of a key: the older headers, and the two fields of the IETF draft that replaces them. `reset` is in seconds. */
export function quotaHeaders(used: number, quota: number, now = new Date()): Record<string, string> {
  const left = String(Math.max(0, quota - used))
  const [start, end] = [0, 1].map((months) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  const seconds = String(Math.max(1, Math.ceil(((end ?? 0) - now.getTime()) / 1000)))
  return {
    'ratelimit-limit': String(quota),
    'ratelimit-remaining': left,
    'ratelimit-reset': seconds,
    'ratelimit-policy': `"month";q=${quota};w=${((end ?? 0) - (start ?? 0)) / 1000}`,
    ratelimit: `"month";r=${left};t=${seconds}`,
  }
}
