import type { Column, Filter } from '#app/datasets/catalog/column.ts'

export type Bar = NonNullable<Column['histogram']>[number]

/** More bars would be too narrow to tap. */
const MOST_BARS = 12

/** Merges neighboring bars until there are few enough. */
export function mergeBars(bars: readonly Bar[]): Bar[] {
  const group = Math.ceil(bars.length / MOST_BARS)
  const starts = bars.filter((_bar, at) => at % group === 0)
  return starts.map((first, index) => {
    const members = bars.slice(index * group, (index + 1) * group)
    return { from: first.from, to: members.at(-1)?.to ?? first.to, count: members.reduce((sum, { count }) => sum + count, 0) }
  })
}

/** The rows of a bar: from its start up to the next one's; the last one includes its end. */
export function barFilters(column: string, { from, to }: Bar, isLast: boolean): Filter[] {
  return [
    { column, operator: 'gte', value: from },
    { column, operator: isLast ? 'lte' : 'lt', value: to },
  ]
}

export function valueFilters(column: string, value: string): Filter[] {
  return [{ column, operator: 'eq', value }]
}
