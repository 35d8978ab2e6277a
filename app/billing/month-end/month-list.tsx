import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { billingData } from '#app/billing/admin/desk.ts'
import { money } from '#app/billing/admin/look.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { type ListedMonth, listedMonth, monthFileNames, monthFiles, MONTHS } from './month-end.ts'

/** The months of the books: their files, and closing them. */
export function MonthList({ mayWrite }: { mayWrite: boolean }) {
  const months = useQuery(apiQuery(MONTHS, z.array(listedMonth)))
  if (months.isPending) return <Loading>Loading months...</Loading>
  if (months.isError) return <Failed as="h2" error={months.error} retry={months.refetch} />
  return (
    <ul className="grid grid-cols-1 gap-3 pt-4" aria-label="Months">
      {months.data.map((month) => (
        <li key={month.month}>
          <Month month={month} mayWrite={mayWrite} />
        </li>
      ))}
    </ul>
  )
}

/** As `November 2026`, in every zone of a reader. */
const nameOf = (month: string) => new Date(`${month}-01`).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Month({ month: row, mayWrite }: { month: ListedMonth; mayWrite: boolean }) {
  const { month, documents, net, tax, isCurrent, closedAt, closedBy } = row
  const name = nameOf(month)
  const close = {
    send: async () => apiRequest('POST', `${MONTHS}/${month}/close`),
    done: `${name} closed`,
    failed: 'Not closed',
    touches: billingData,
  }
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex flex-wrap items-center gap-3 text-h3">
          {name}
          {isCurrent ? <Badge look="grain">Current</Badge> : closedAt ? <Badge look="leaf">Closed</Badge> : <Badge>Open</Badge>}
        </h2>
        {mayWrite && !isCurrent && !closedAt && (
          <QuestionButton
            action={close}
            label="Close month"
            aria-label={`Close month: ${name}`}
            question={`Close ${name}?`}
            confirm="Close the month"
            confirmLook="primary"
            pending="Closing..."
          >
            <p>
              {name} and earlier months are closed for bookings. Corrections and late events are booked into the open month. This cannot be
              undone.
            </p>
          </QuestionButton>
        )}
      </div>
      <p className="text-small text-muted">
        {countOf(documents, 'document', 'documents')}, {money(net, row)} net and {money(tax, row)} tax
        {closedAt && `. Closed ${formatDay(closedAt)}${closedBy ? ` by ${closedBy}` : ''}`}
      </p>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 pt-2 text-small">
        {monthFileNames.map((name) => (
          <li key={name}>
            <a href={`${MONTHS}/${month}/${name}`} download className="link inline-flex min-h-8 items-center pointer-coarse:min-h-11">
              {monthFiles[name]}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
