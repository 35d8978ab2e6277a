/** `atLeast`: the key of the filter that begins the range which this one ends. */
export type RangeEnd = { atLeast?: string }

type Known = { key: string; label: string; type?: string } & RangeEnd

/** Why nothing can match a filter: its range ends before it begins. */
export function findReversed(
  { key, atLeast, type }: Known,
  filters: readonly Known[],
  valueOf: (key: string) => string | null | undefined,
): string | undefined {
  const begin = filters.find((other) => other.key === atLeast)
  const [from, to] = [begin && valueOf(begin.key), valueOf(key)]
  if (!begin || !from || !to) return undefined
  if (type === 'amount') return Number(to) < Number(from) ? `This amount is less than “${begin.label}”.` : undefined
  return to < from ? `This day is before “${begin.label}”.` : undefined
}
