import { apiRequest } from '#app/platform/browser/api.ts'
import { numberText, percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Badge, type BadgeLook } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { discountPage, DISCOUNTS, type ListedDiscount } from './discount.ts'
import { DiscountDialog } from './discount-dialog.tsx'
import { dayColumn, NarrowRow } from './look.tsx'

const states: Record<ListedDiscount['state'], { label: string; badge: BadgeLook }> = {
  usable: { label: 'Usable', badge: 'leaf' },
  ended: { label: 'Ended', badge: 'plain' },
  archived: { label: 'Archived', badge: 'plain' },
}

function offText({ share, amount, currency }: ListedDiscount): string {
  return amount !== null && currency !== null ? moneyText(amount, currency) : percentText(share ?? 0)
}

function usesText({ uses, mostUses }: ListedDiscount): string {
  return mostUses === null ? numberText(uses) : `${numberText(uses)} of ${numberText(mostUses)}`
}

const look: ListLook<ListedDiscount> = {
  name: 'billing-discounts',
  caption: 'Discount codes',
  one: 'code',
  many: 'codes',
  loading: 'Loading discount codes...',
  empty: {
    title: 'No discount codes',
    text: 'A code takes a percentage or an amount off the price of a dataset, once for each organization.',
  },
  none: 'No code matches this search and this state.',
  nameOf: ({ code }) => code,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Code or dataset' },
    {
      key: 'state',
      label: 'State',
      usual: 'usable',
      options: Object.entries(states).map(([value, { label }]) => ({ value, label })),
    },
  ],
  columns: [
    { key: 'code', head: 'Code', width: '12rem', kind: 'data', sort: 'code', view: ({ code }) => code },
    { key: 'off', head: 'Takes off', width: '8rem', kind: 'number', from: 'small', view: offText },
    {
      key: 'product',
      head: 'Dataset',
      from: 'medium',
      view: ({ product }) => <span title={product ?? undefined}>{product ?? 'All datasets'}</span>,
    },
    {
      key: 'lastDay',
      head: 'Last day',
      width: '7.5rem',
      kind: 'data',
      from: 'large',
      view: ({ lastDay }) => (lastDay ? formatDay(lastDay) : '-'),
    },
    { key: 'uses', head: 'Used', width: '7rem', kind: 'number', from: 'small', view: usesText },
    {
      key: 'state',
      head: 'State',
      width: '7rem',
      from: 'medium',
      view: ({ state }) => <Badge look={states[state].badge}>{states[state].label}</Badge>,
    },
    dayColumn(({ createdAt }) => createdAt, { key: 'created', head: 'Created', from: 'wide' }),
  ],
  renderNarrow: (row) => (
    <NarrowRow lines={[row.product ?? 'All datasets']}>
      <span className="font-mono text-fine">{offText(row)}</span>
      <Badge look={states[row.state].badge}>{states[row.state].label}</Badge>
      <span className="text-fine">used {usesText(row)}</span>
    </NarrowRow>
  ),
}

/** Discount codes, newest first. */
export function DiscountList() {
  const { params, change } = useView()
  const list = useListQuery(DISCOUNTS, discountPage, look.filters)
  const set = async ({ id }: ListedDiscount, archived: boolean) => apiRequest('PUT', `${DISCOUNTS}/${id}/archived`, { archived })
  const { mutate } = useAction({
    send: async (row: ListedDiscount) => set(row, row.state !== 'archived'),
    done: (_answer, { code, state }) => (state === 'archived' ? `${code} can be used again` : `${code} archived`),
    undo: (_answer, row) => async () => set(row, row.state === 'archived'),
    failed: ({ code }) => `${code} not changed`,
    touches: [DISCOUNTS],
  })
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.discounts}
      place={{ next: list.data?.nextCursor }}
      emptyAction={<NewDiscountButton />}
      menuOf={(row) => [{ label: row.state === 'archived' ? 'Use again' : 'Archive', act: () => mutate(row) }]}
    >
      {params.get('new') === 'code' && <DiscountDialog close={() => change({ new: undefined })} />}
    </ListPage>
  )
}

/** Opens the form of a new code. */
export function NewDiscountButton() {
  const { change } = useView()
  return (
    <Button type="button" onClick={() => change({ new: 'code' })}>
      New discount code
    </Button>
  )
}
