import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Quarantined, quarantined } from '#app/leads/lead/lead.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { formatDay } from '#app/ui/moment.ts'
import { elapsedText } from '#app/leads/lead/format.ts'
import { withChanges } from '#app/ui/admin/view.ts'
import { useRelease } from '#app/leads/lead/use-lead-actions.tsx'

/** Rows of one page: the server's default. */
const PAGE = 50

/** Doubtful enquiries: stored, but not counted or acknowledged until someone releases them. */
export function QuarantineList() {
  const [params] = useSearchParams()
  const before = params.get('before')
  const path = '/api/contacts/quarantine'
  const list = useQuery(apiQuery(before === null ? path : `${path}?before=${encodeURIComponent(before)}`, z.array(quarantined)))
  const table = useTable({ name: 'quarantine', columns, rows: list.data ?? [] })
  if (list.isPending) {
    return (
      <div>
        <Loading>Loading quarantine...</Loading>
        <RowsSkeleton />
      </div>
    )
  }
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (list.data.length === 0) return <NothingHeld />
  return (
    <div className="grid grid-cols-1 justify-items-stretch gap-3">
      <DataTable
        table={table}
        caption="Quarantine"
        nameOf={({ name }) => name}
        opens={({ id }) => ({ to: withChanges(params, { contact: id }), isBeside: true })}
        renderNarrow={Narrow}
        renderBulk={(rows, clear) => <ReleaseAll rows={rows} clear={clear} />}
      />
      {list.data.length === PAGE && (
        <Link
          to={withChanges(params, { before: list.data.at(-1)?.id })}
          preventScrollReset
          className={buttonLook('quiet', 'small', 'w-fit')}
        >
          Older ones
        </Link>
      )}
    </div>
  )
}

const columns: TableColumn<Quarantined>[] = [
  { key: 'name', head: 'Name', width: '11rem', view: ({ name }) => name },
  { key: 'message', head: 'Message', from: 'medium', view: ({ message }) => <span className="text-muted">{message}</span> },
  { key: 'why', head: 'Why', from: 'medium', view: (contact) => <Reasons contact={contact} /> },
  { key: 'email', head: 'Email', from: 'large', view: ({ email }) => <span title={email}>{email}</span> },
  { key: 'date', head: 'Date', width: '7.5rem', from: 'large', kind: 'data', view: ({ createdAt }) => <Received at={createdAt} /> },
  { key: 'decide', head: 'Decide', width: '7rem', view: (contact) => <Release contact={contact} /> },
]

function Reasons({ contact: { spamReasons } }: { contact: Quarantined }) {
  return (
    <span className="flex gap-1.5" title={spamReasons.map(elapsedText).join(', ')}>
      {spamReasons.map((reason) => (
        <Badge key={reason} look="grain">
          {elapsedText(reason)}
        </Badge>
      ))}
    </span>
  )
}

function Received({ at }: { at: string }) {
  return <time dateTime={at}>{formatDay(at)}</time>
}

function Narrow(contact: Quarantined) {
  return (
    <>
      <span className="w-full truncate">{contact.email}</span>
      <span className="line-clamp-2 w-full">{contact.message}</span>
      <Reasons contact={contact} />
      <Received at={contact.createdAt} />
    </>
  )
}

function NothingHeld() {
  return (
    <Empty title="Nothing in quarantine">
      <p>Enquiries that look like spam appear here for review. None is ever deleted, and releasing one sends its emails.</p>
    </Empty>
  )
}

function Release({ contact: { id } }: { contact: Quarantined }) {
  const release = useRelease([id])
  return (
    <Button type="button" look="quiet" size="small" className="relative z-1" busy={release.isPending} onClick={() => release.mutate()}>
      {release.isPending ? 'Releasing...' : 'Release'}
    </Button>
  )
}

function ReleaseAll({ rows, clear }: { rows: readonly Quarantined[]; clear: () => void }) {
  const release = useRelease(rows.map(({ id }) => id))
  return (
    <Button
      type="button"
      look="quiet"
      size="small"
      busy={release.isPending}
      onClick={() => release.mutate(undefined, { onSuccess: clear })}
    >
      {release.isPending ? 'Releasing...' : 'Release'}
    </Button>
  )
}
