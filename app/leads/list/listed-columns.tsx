import { factOf, headOf, type LeadFactName } from '#app/leads/lead/lead-facts.ts'
import type { ListPlace } from '#app/ui/admin/list-pager.tsx'
import type { TableColumn } from '#app/ui/admin/use-table.ts'
import { formatDay } from '#app/ui/moment.ts'
import type { LeadPage } from './lead-query.ts'

type Facts = Partial<Record<LeadFactName, string | null>>

/** The column of a fact in the lists of the dashboard, under the head of its files. */
export function factColumn<Row extends Facts>(name: LeadFactName & keyof Row, look: Partial<TableColumn<Row>>): TableColumn<Row> {
  const fact = factOf(name)
  return { key: name, head: headOf(fact), view: (row) => row[name] || fact.missing || '-', ...look }
}

/** The day on which a row came. */
export const dayColumn = {
  key: 'date',
  head: 'Date',
  width: '8rem',
  kind: 'data',
  from: 'medium',
  view: Day,
} satisfies TableColumn<{ createdAt: string }>

export function Day({ createdAt }: { createdAt: string }) {
  return <time dateTime={createdAt}>{formatDay(createdAt)}</time>
}

export const placeOf = (page: LeadPage<unknown> | undefined): ListPlace | undefined =>
  page && { next: page.nextCursor, previous: page.previousCursor, count: page.total, isExact: page.isTotalExact }
