import { useState } from 'react'
import { Link } from 'react-router'
import { BILLING, billingData } from '#app/billing/admin/desk.ts'
import { money, paymentPath } from '#app/billing/admin/look.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { ImportDialog } from '#app/ui/admin/import-dialog.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { neighborsOf, RecordDrawer, RecordFacts, RecordSection } from '#app/ui/admin/record.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { statementNoun } from './import-noun.tsx'
import { payBody, type Transfer, transferPage, TRANSFERS } from './transfer.ts'

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
    { key: 'q', label: 'Search', placeholder: 'Name, purpose or account' },
    {
      key: 'state',
      label: 'State',
      usual: 'open',
      options: Object.entries(states).map(([value, label]) => ({ value, label })),
    },
  ],
  columns: [
    { key: 'payer', head: 'From', width: '16rem', view: ({ payer }) => <span title={payer}>{payer || 'No name'}</span> },
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
          {(transfer) => <Detail transfer={transfer} mayWrite={mayWrite} />}
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

function Detail({ transfer, mayWrite }: { transfer: Transfer; mayWrite: boolean }) {
  const { bookedOn, payer, payerAccount, purpose, instructed, fee, file, paymentId, reason, state } = transfer
  const facts = [
    ['Booked', formatDay(bookedOn)],
    ['From', payer],
    ['Account', payerAccount],
    ['Purpose', purpose],
    ['Ordered', instructed && money(instructed.amount, instructed)],
    ['Charges', fee > 0 && money(fee, transfer)],
    ['File', file],
    [
      'Payment',
      paymentId && (
        <Link key="payment" to={paymentPath(paymentId)} className="link">
          Open the payment
        </Link>
      ),
    ],
  ] as const
  return (
    <>
      {reason && <p className="rounded-control border border-line bg-grain-wash px-4 py-3 text-small">{reason}</p>}
      <RecordFacts facts={facts} />
      {mayWrite && state !== 'booked' && <Decide transfer={transfer} />}
    </>
  )
}

function Decide({ transfer: { id, state, proposals, amount } }: { transfer: Transfer }) {
  const [isNaming, setNaming] = useState(false)
  const url = `${TRANSFERS}/${id}`
  const post = (path: string, body?: object) => async () => apiRequest('POST', `${url}/${path}`, body)
  const failed = 'Not changed'
  if (state === 'ignored') {
    const reopen = { send: post('reopen'), done: 'To decide again', failed, touches: billingData }
    return <ActionButton action={reopen}>Decide it after all</ActionButton>
  }
  const ignore = { send: post('ignore'), undo: () => post('reopen'), done: 'Ignored', failed, touches: billingData }
  return (
    <RecordSection title="What is it?">
      {proposals.map(({ key, text }) => (
        <ActionButton
          key={key}
          action={{ send: post('decide', { key, text }), done: 'Booked', failed: 'Not booked', touches: billingData }}
          pending="Booking..."
          className="max-w-full text-left whitespace-normal"
        >
          {text}
        </ActionButton>
      ))}
      <div className="flex flex-wrap gap-2">
        {amount > 0 && (
          <Button type="button" look="quiet" onClick={() => setNaming(true)}>
            Another order...
          </Button>
        )}
        <ActionButton action={ignore}>Not a payment of a customer</ActionButton>
      </div>
      {isNaming && <NameDialog url={url} close={() => setNaming(false)} />}
    </RecordSection>
  )
}

function NameDialog({ url, close }: { url: string; close: () => void }) {
  const form = useForm({
    schema: payBody,
    send: async (body) => apiRequest('POST', `${url}/pay`, body),
    done: (_answer, { order }) => `Booked for ${order}`,
    failed: 'Not booked',
    touches: [BILLING],
    onDone: close,
  })
  return (
    <FormDialog form={form} onClose={close} title="Book for another order" submit="Book" pending="Booking...">
      <Field label="Order or invoice" name="order" hint="Its reference or number. What it does not need stays as a credit of the customer.">
        <Input autoComplete="off" />
      </Field>
    </FormDialog>
  )
}
