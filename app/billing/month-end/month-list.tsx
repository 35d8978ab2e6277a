import { FileDownIcon } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { billingData } from '#app/billing/admin/desk.ts'
import { money, moneyColumn } from '#app/billing/admin/look.tsx'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { QuestionButton } from '#app/ui/admin/action-button.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { neighborsOf, RecordDrawer, RecordFacts, RecordSection } from '#app/ui/admin/record.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay, formatMonth } from '#app/ui/moment.ts'
import { type ListedMonth, listedMonth, monthFileNames, monthFiles, MONTHS } from './month-end.ts'

const nameOf = ({ id }: ListedMonth) => formatMonth(id)

const closedText = ({ closedAt, closedBy }: ListedMonth) => closedAt && [formatDay(closedAt), closedBy].filter(Boolean).join(' by ')

const look: ListLook<ListedMonth> = {
  name: 'billing-months',
  caption: 'Months',
  one: 'month',
  many: 'months',
  loading: 'Loading months...',
  nameOf,
  columns: [
    { key: 'month', head: 'Month', width: '11rem', view: nameOf },
    { key: 'state', head: 'State', width: '7rem', from: 'medium', view: (row) => <MonthState month={row} /> },
    { key: 'documents', head: 'Documents', width: '7rem', kind: 'number', from: 'medium', view: ({ documents }) => numberText(documents) },
    moneyColumn(({ net }) => net, { key: 'net', head: 'Net' }),
    moneyColumn(({ tax }) => tax, { key: 'tax', head: 'Tax', from: 'small' }),
    {
      key: 'closed',
      head: 'Closed',
      from: 'large',
      view: (row) => <span title={closedText(row) ?? undefined}>{closedText(row) ?? '-'}</span>,
    },
  ],
  renderNarrow: (row) => (
    <>
      <MonthState month={row} />
      {countOf(row.documents, 'document', 'documents')}
    </>
  ),
}

function MonthState({ month: { isCurrent, closedAt } }: { month: ListedMonth }) {
  if (isCurrent) return <Badge look="grain">Current</Badge>
  return closedAt ? <Badge look="leaf">Closed</Badge> : <Badge>Open</Badge>
}

/** The months of the books: each opens with its files for the accountant, and can be closed. */
export function MonthList({ mayWrite }: { mayWrite: boolean }) {
  const list = useQuery(apiQuery(MONTHS, z.array(listedMonth)))
  const { params, change } = useView()
  const id = params.get('month')
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data}
      views="none"
      opens={(row) => ({ to: withChanges(params, { month: row.id }), isBeside: true })}
    >
      {id && (
        <RecordDrawer
          query={{ ...list, data: list.data?.find((row) => row.id === id) }}
          one="month"
          titleOf={nameOf}
          renderState={(row) => <MonthState month={row} />}
          renderActions={(row) => mayWrite && !row.isCurrent && !row.closedAt && <CloseMonth month={row} />}
          neighbors={neighborsOf(list.data, id, (row) => change({ month: row.id }, { replace: true }))}
          close={() => change({ month: undefined })}
        >
          {(row) => <Month month={row} />}
        </RecordDrawer>
      )}
    </ListPage>
  )
}

function Month({ month }: { month: ListedMonth }) {
  const { id, documents, foreign, net, tax } = month
  return (
    <>
      <RecordFacts
        facts={[
          ['Documents', numberText(documents)],
          ['Net', money(net, month)],
          ['Tax', money(tax, month)],
          ['Excluded from the totals', foreign > 0 && `${countOf(foreign, 'document', 'documents')} in another currency`],
          ['Closed', closedText(month)],
        ]}
      />
      <RecordSection title="Files for your accountant">
        <ul className="w-full divide-y divide-line border-y border-line text-small">
          {monthFileNames.map((name) => (
            <li key={name}>
              <a
                href={`${MONTHS}/${id}/${name}`}
                download
                className="flex min-h-9 items-center justify-between gap-3 px-1 hover:bg-sunken pointer-coarse:min-h-11"
              >
                {monthFiles[name]}
                <FileDownIcon aria-hidden="true" className="size-4 shrink-0 text-muted" />
              </a>
            </li>
          ))}
        </ul>
      </RecordSection>
    </>
  )
}

function CloseMonth({ month }: { month: ListedMonth }) {
  const name = nameOf(month)
  const close = {
    send: async () => apiRequest('POST', `${MONTHS}/${month.id}/close`),
    done: `${name} closed`,
    failed: 'Not closed',
    touches: billingData,
  }
  return (
    <QuestionButton
      action={close}
      look="primary"
      label="Close month"
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
  )
}
