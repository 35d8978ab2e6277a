import { useQuery } from '@tanstack/react-query'
import { ArrowDownIcon, ArrowUpIcon, PencilIcon, PlusIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { bookPath } from '#app/booking/rules/hours.ts'
import { apiRequest } from '#app/platform/browser/api.ts'
import { QuestionDialog } from '#app/ui/admin/action-button.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { useOrder } from '#app/ui/admin/use-order.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type ListedCallType, MOST_CALL_TYPES } from './calendar.ts'
import { CallTypeFacts, CallTypeForm } from './call-type-form.tsx'
import { CALENDAR_DATA, TYPES_URL, typesQuery } from './use-calendar.tsx'

const NEW = 'new'

/** The call types that visitors can book, or the form of the one that the address names. */
export function CallTypePanel() {
  const types = useQuery(typesQuery)
  const { params, change } = useView()
  if (types.isPending) {
    return (
      <>
        <Loading>Loading the call types...</Loading>
        <Skeleton lines={6} />
      </>
    )
  }
  if (types.isError && !types.data) return <Failed error={types.error} retry={types.refetch} />
  const named = params.get('type')
  const type = types.data.find(({ id }) => id === named)
  const open = (id: string | undefined) => change({ type: id })
  if (named !== NEW && !type) return <TypeList types={types.data} open={open} />
  if (type && !type.mayChange) return <CallTypeFacts type={type} />
  return <CallTypeForm key={named} type={type} close={() => open(undefined)} />
}

type ListProps = { types: readonly ListedCallType[]; open: (id: string) => void }

function TypeList({ types, open }: ListProps) {
  const [asked, ask] = useState<ListedCallType>()
  const order = useOrder({
    list: types,
    url: TYPES_URL,
    nameOf: ({ title }) => title,
    meaning: 'Visitors find the first one first.',
    send: async ({ ids }) => apiRequest('PUT', `${TYPES_URL}/order`, { ids }),
    touches: CALENDAR_DATA,
  })
  return (
    <div className="grid max-w-3xl grid-cols-1 gap-4">
      <p className="text-small text-muted">Visitors find the first one at {bookPath(null)}, and a link to each other one there.</p>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface text-small">
        {types.map((type, at) => (
          <TypeRow
            key={type.id}
            type={type}
            ends={{ up: at === 0, down: at === types.length - 1 }}
            open={open}
            move={(step) => order.moveTo(type.id, at + 1 + step)}
            remove={() => ask(type)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {order.said}
      </p>
      <div>
        <Button
          type="button"
          onClick={() => open(NEW)}
          {...(types.length >= MOST_CALL_TYPES && { unavailable: `There are at most ${MOST_CALL_TYPES} call types.` })}
        >
          <PlusIcon aria-hidden="true" className="size-4" />
          New call type
        </Button>
      </div>
      {asked && <RemoveDialog type={asked} close={() => ask(undefined)} />}
    </div>
  )
}

type RowProps = {
  type: ListedCallType
  ends: { up: boolean; down: boolean }
  open: (id: string) => void
  move: (step: 1 | -1) => void
  remove: () => void
}

function TypeRow({ type: { id, slug, title, lengthMinutes, isActive, ahead, mayChange }, ends, open, move, remove }: RowProps) {
  const path = bookPath(slug)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 max-sm:grid-cols-1">
      <div className="grid gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-semibold wrap-anywhere">{title}</span>
          {!isActive && <Badge>Off</Badge>}
        </p>
        <p className="flex flex-wrap gap-x-3 text-fine text-muted">
          <span>{lengthMinutes} minutes</span>
          <a href={path} target="_blank" rel="noopener" className="link wrap-anywhere">
            {path}
          </a>
          {ahead > 0 && <span>{countOf(ahead, 'call', 'calls')} ahead</span>}
        </p>
      </div>
      <div className="flex justify-end">
        <RowButton label={`Move ${title} up`} aria-disabled={ends.up || undefined} onClick={() => !ends.up && move(-1)}>
          <ArrowUpIcon aria-hidden="true" className={ends.up ? 'opacity-30' : undefined} />
        </RowButton>
        <RowButton label={`Move ${title} down`} aria-disabled={ends.down || undefined} onClick={() => !ends.down && move(1)}>
          <ArrowDownIcon aria-hidden="true" className={ends.down ? 'opacity-30' : undefined} />
        </RowButton>
        <RowButton label={`${mayChange ? 'Edit' : 'Show'} ${title}`} onClick={() => open(id)}>
          <PencilIcon aria-hidden="true" />
        </RowButton>
        <RowButton
          label={slug === null ? `${title} cannot be deleted: every button that offers a call leads to it` : `Delete ${title}`}
          aria-disabled={slug === null || undefined}
          onClick={() => slug !== null && remove()}
        >
          <Trash2Icon aria-hidden="true" className={slug === null ? 'opacity-30' : undefined} />
        </RowButton>
      </div>
    </li>
  )
}

function RemoveDialog({ type: { id, slug, title, ahead }, close }: { type: ListedCallType; close: () => void }) {
  const remove = {
    // Only the calls that the question names: with others, the server asks again.
    send: async () => apiRequest('DELETE', `${TYPES_URL}/${id}${ahead > 0 ? '?calls=keep' : ''}`),
    done: 'Call type deleted',
    failed: 'Could not delete the call type',
    touches: CALENDAR_DATA,
  }
  return (
    <QuestionDialog action={remove} close={close} question={`Delete “${title}”?`} confirm="Delete">
      <p>{bookPath(slug)} then says that it is not offered.</p>
      {ahead > 0 && (
        <p className="mt-2 font-medium text-ink">
          {countOf(ahead, 'booked call is', 'booked calls are')} still ahead: they stay booked, with their emails and reminders. To keep the
          type without new calls, switch it off instead.
        </p>
      )}
    </QuestionDialog>
  )
}
