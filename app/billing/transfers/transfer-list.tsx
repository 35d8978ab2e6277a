import { money } from '#app/billing/admin/look.tsx'
import { ImportDialog } from '#app/ui/admin/import-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { neighborsOf, RecordDrawer } from '#app/ui/admin/record.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { statementNoun } from './import-noun.tsx'
import { type Transfer, transferPage, TRANSFERS } from './transfer.ts'
import { StatementLine } from './statement-line.tsx'

const states = { open: 'To decide', booked: 'Booked', ignored: 'Ignored' }

const look: ListLook<Transfer> = {
  name: 'billing-transfers',
  caption: 'Lines of bank statements',
  one: 'payment',
  many: 'payments',
  loading: 'Loading bank statements...',
  empty: {
    title: 'Nothing to decide',
    text: 'Import a bank statement. Payments whose reference and amount fit are booked; the others are listed here with proposals.',
  },
  none: 'No payment matches this search and this state.',
  nameOf: (row) => `${money(row.amount, row)} of ${row.payer || 'an unnamed payer'}`,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Name or purpose' },
    {
      key: 'state',
      label: 'State',
      usual: 'open',
      options: Object.entries(states).map(([value, label]) => ({ value, label })),
    },
  ],
  columns: [
    {
      key: 'payer',
      head: 'From',
      width: 'clamp(9rem, 30cqw, 16rem)',
      view: ({ payer }) => <span title={payer}>{payer || 'No name'}</span>,
    },
    { key: 'amount', head: 'Amount', width: '8.5rem', kind: 'number', view: (row) => money(row.amount, row) },
    { key: 'day', head: 'Booked', width: '7.5rem', kind: 'data', from: 'small', view: ({ bookedOn }) => formatDay(bookedOn) },
    { key: 'purpose', head: 'Purpose', from: 'medium', view: ({ purpose }) => <span title={purpose}>{purpose}</span> },
    { key: 'reason', head: 'Why it is asked', from: 'large', view: ({ reason }) => <span title={reason}>{reason}</span> },
  ],
  renderNarrow: ({ reason, purpose }) => <span className="w-full wrap-anywhere">{reason || purpose}</span>,
}

/** The lines of bank statements that staff decide, with proposals; also what was booked and ignored. */
export function TransferList({ mayWrite }: { mayWrite: boolean }) {
  const { params, change } = useView()
  const list = useListQuery(TRANSFERS, transferPage, look.filters)
  const open = ({ id }: Transfer) => change({ line: id }, { replace: true })
  const id = params.get('line')
  const row = list.data?.transfers.find((each) => each.id === id)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.transfers}
      place={{ next: list.data?.nextCursor }}
      opens={(each) => ({ to: withChanges(params, { line: each.id }), isBeside: true })}
      emptyAction={mayWrite && <ImportButton />}
    >
      {id && (
        <RecordDrawer
          query={{ ...list, data: row }}
          one="payment"
          titleOf={look.nameOf}
          renderState={({ state }) => (
            <Badge look={state === 'open' ? 'grain' : state === 'booked' ? 'leaf' : 'plain'}>{states[state]}</Badge>
          )}
          neighbors={neighborsOf(list.data?.transfers, id, open)}
          close={() => change({ line: undefined })}
        >
          {(transfer) => <StatementLine transfer={transfer} mayWrite={mayWrite} />}
        </RecordDrawer>
      )}
      {mayWrite && params.get('import') === 'open' && <ImportDialog noun={statementNoun} onClose={() => change({ import: undefined })} />}
    </ListPage>
  )
}

/** Opens the import of a bank statement. */
export function ImportButton() {
  const { change } = useView()
  return (
    <Button type="button" onClick={() => change({ import: 'open' })}>
      Import statement
    </Button>
  )
}
