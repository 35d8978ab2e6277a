import { ChevronLeftIcon, ChevronRightIcon } from 'lucide-react'
import { Fragment, useEffect, useEffectEvent, useRef } from 'react'
import { ApiError } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { isTyping } from './undo.tsx'

type RecordQuery<Row> = { data?: Row | undefined; isPending: boolean; isError: boolean; error: Error | null; refetch: () => unknown }

/** The steps to the records beside one, in the list that it was opened from. Without them it was opened from elsewhere. */
export type Neighbors = { previous: (() => void) | undefined; next: (() => void) | undefined } | undefined

type RecordProps<Row extends { id: string }> = {
  /** The record, from the cache or on its way. It is gone where the server has none, or where it came without. */
  query: RecordQuery<Row>
  /** `account`, in its states and its buttons. */
  one: string
  titleOf: (row: Row) => string
  /** Its badges. */
  renderState: (row: Row) => React.ReactNode
  /** Buttons; the last one is the main action. */
  renderActions?: (row: Row) => React.ReactNode
  neighbors?: Neighbors
  /** Why there may be no such record. */
  missing?: string
  close: () => void
  children: (row: Row) => React.ReactNode
}

/**
 * A record beside its list: its state, the record before and after it (also by the keys k and j), what `children` shows of it, and its actions
 * in the footer.
 *
 * ```tsx
 * <RecordDrawer query={user} one="account" titleOf={nameOf} renderState={(row) => <RoleBadge user={row} />} neighbors={neighbors} close={close}>
 *   {(row) => <UserDetail user={row} />}
 * </RecordDrawer>
 * ```
 */
export function RecordDrawer<Row extends { id: string }>(props: RecordProps<Row>) {
  const { query, one, titleOf, renderState, renderActions, neighbors, close, children } = props
  const { data } = query
  return (
    <Dialog
      open
      side
      onClose={close}
      title={data ? titleOf(data) : one.replace(/^./, (letter) => letter.toUpperCase())}
      actions={data && renderActions?.(data)}
    >
      <div className="grid grid-cols-1 gap-5">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 empty:hidden">
          {data && <p className="flex flex-wrap gap-2 empty:hidden">{renderState(data)}</p>}
          <Steps one={one} neighbors={neighbors} />
        </div>
        {/* Another record starts anew: nothing typed for the one before stays. */}
        {data ? <Fragment key={data.id}>{children(data)}</Fragment> : <NoRecord {...props} />}
      </div>
    </Dialog>
  )
}

/** A record in place of its list: a head with its name, state and actions, and its parts below. */
export function RecordPage<Row extends { id: string }>(
  props: RecordProps<Row> & { /** Of what is there when it did not load. */ failed?: string },
) {
  const { query, one, titleOf, renderState, renderActions, neighbors, children } = props
  const { data } = query
  if (!data) return <NoRecord {...props} />
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-2">
          <h2 className="text-h3 wrap-anywhere">{titleOf(data)}</h2>
          {renderState(data)}
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {renderActions?.(data)}
          <Steps one={one} neighbors={neighbors} />
        </div>
      </div>
      <Fragment key={data.id}>{children(data)}</Fragment>
    </div>
  )
}

function NoRecord<Row extends { id: string }>({ query, one, missing, close, failed }: RecordProps<Row> & { failed?: string }) {
  const { isPending, isError, error, refetch } = query
  if (isPending) {
    return (
      <div>
        <Loading>{`Loading the ${one}...`}</Loading>
        <Skeleton lines={8} />
      </div>
    )
  }
  const isMissing = error instanceof ApiError && error.status === 404
  if (isError && error && !isMissing) return <Failed error={error} retry={refetch} {...(failed && { title: failed })} />
  return (
    <Empty
      title={`No such ${one}`}
      action={
        <Button type="button" look="quiet" onClick={close}>
          Back to the list
        </Button>
      }
    >
      <p>{missing ?? 'It was deleted, or the link is incomplete.'}</p>
    </Empty>
  )
}

/** The records before and after one, as its list shows them. `open` opens a row in place of it. */
export function neighborsOf<Row extends { id: string }>(rows: readonly Row[] | undefined, id: string, open: (row: Row) => void): Neighbors {
  const at = rows?.findIndex((row) => row.id === id) ?? -1
  if (!rows || at < 0 || rows.length < 2) return undefined
  const step = (row: Row | undefined) => row && (() => open(row))
  return { previous: step(rows[at - 1]), next: step(rows[at + 1]) }
}

function Steps({ one, neighbors }: { one: string; neighbors: Neighbors }) {
  const place = useRef<HTMLElement>(null)
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target) || !isOnTop(place.current)) return
    if (target instanceof Element && target.closest('[role=menu], [role=listbox]')) return
    const step = key === 'k' ? neighbors?.previous : key === 'j' ? neighbors?.next : undefined
    if (!step) return
    event.preventDefault()
    step()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => hear(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  if (!neighbors) return null
  const { previous, next } = neighbors
  return (
    <nav ref={place} aria-label={`Other ${one}s`} className="ml-auto flex gap-2">
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-keyshortcuts="k"
        onClick={previous}
        {...(!previous && { unavailable: `This is the first ${one} of the page.` })}
      >
        <ChevronLeftIcon aria-hidden="true" className="size-4" />
        Previous
      </Button>
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-keyshortcuts="j"
        onClick={next}
        {...(!next && { unavailable: `This is the last ${one} of the page.` })}
      >
        Next
        <ChevronRightIcon aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  )
}

/** Whether no dialog is open above it: a question has the keys for itself. */
function isOnTop(element: HTMLElement | null): boolean {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1)
  return element !== null && (!top || top === element.closest('dialog'))
}

/** Label and value of each fact that there is. */
export function RecordFacts({ facts }: { facts: readonly (readonly [label: string, value: React.ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-small">
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** A part of a record below its facts. */
export function RecordSection({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid justify-items-start gap-3 border-t border-line pt-5">
      <h3>{title}</h3>
      {children}
    </section>
  )
}
