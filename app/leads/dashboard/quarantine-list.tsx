import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { type Quarantined, quarantined } from '#app/leads/inbox/lead.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Cell, TableRow } from '#app/ui/table.tsx'
import { formatDay } from '#app/ui/moment.ts'
import { elapsedText } from './format.ts'
import { type LeadColumn, LeadTable } from './lead-table.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { OpenContact } from './open-contact.tsx'
import { useRelease } from './use-lead-actions.tsx'

const columns: LeadColumn[] = [
  { label: 'Name', width: '15%' },
  { label: 'Message', width: '24%' },
  { label: 'Why', width: '18%' },
  { label: 'Decide', width: '11%' },
  { label: 'Email', width: '20%' },
  { label: 'Date', width: '12%' },
]

/** Rows of one page: the server's default. */
const PAGE = 50

/** Doubtful enquiries: stored, but not counted or acknowledged until someone releases them. */
export function QuarantineList() {
  const [params] = useSearchParams()
  const before = params.get('before')
  const path = '/api/contacts/quarantine'
  const list = useQuery(apiQuery(before === null ? path : `${path}?before=${encodeURIComponent(before)}`, z.array(quarantined)))
  if (list.isPending) return <Loading>Loading quarantine...</Loading>
  if (list.isError) return <Failed error={list.error} retry={list.refetch} />
  if (list.data.length === 0) return <NothingHeld />
  return (
    <div className="grid grid-cols-1 justify-items-stretch gap-4">
      <LeadTable caption="Quarantine" columns={columns}>
        {list.data.map((contact) => (
          <QuarantinedRow key={contact.id} contact={contact} />
        ))}
      </LeadTable>
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

function NothingHeld() {
  return (
    <Empty title="Nothing in quarantine">
      <p>Enquiries that look like spam appear here for review. None is ever deleted, and releasing one sends its emails.</p>
    </Empty>
  )
}

function QuarantinedRow({ contact: { id, name, email, message, spamReasons, createdAt } }: { contact: Quarantined }) {
  const release = useRelease(id)
  return (
    <TableRow className="relative hover:bg-sunken">
      <Cell className="font-semibold">
        <OpenContact id={id}>{name}</OpenContact>
      </Cell>
      <Cell className="text-muted">{message}</Cell>
      <Cell className="whole">
        <span className="flex flex-wrap gap-1.5">
          {spamReasons.map((reason) => (
            <Badge key={reason}>{elapsedText(reason)}</Badge>
          ))}
        </span>
      </Cell>
      <Cell className="act">
        <Button type="button" look="quiet" size="small" className="relative" busy={release.isPending} onClick={() => release.mutate()}>
          {release.isPending ? 'Releasing...' : 'Release'}
        </Button>
      </Cell>
      <Cell>{email}</Cell>
      <Cell kind="data">
        <time dateTime={createdAt}>{formatDay(createdAt)}</time>
      </Cell>
    </TableRow>
  )
}
