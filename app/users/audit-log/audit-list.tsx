import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import { CursorPager } from '#app/ui/admin/cursor-pager.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { urlOf, viewText, withChanges } from '#app/ui/admin/view.ts'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { SearchField } from '#app/ui/admin/search-field.tsx'
import { AUDIT, type AuditEvent, auditPage } from './audit-log.ts'

const choiceKeys = ['action', 'person', 'from', 'to']

/** The audit log, newest first, filtered by action, person and day, with a CSV export. */
export function AuditList() {
  const { params, change } = useView()
  const list = useQuery({ ...apiQuery(urlOf(AUDIT, params, [...choiceKeys, 'cursor']), auditPage), placeholderData: keepPreviousData })
  const clear = () => change(Object.fromEntries([...choiceKeys, 'cursor'].map((key) => [key, undefined])))
  return (
    <div className="grid grid-cols-1 gap-4">
      <AuditFilter actions={list.data?.actions ?? []} exportUrl={urlOf(`${AUDIT}.csv`, params, choiceKeys)} />
      {list.isPending && (
        <div>
          <Loading>Loading the audit log...</Loading>
          <Skeleton lines={8} />
        </div>
      )}
      {list.isError && <Failed error={list.error} retry={list.refetch} />}
      {list.data?.events.length === 0 && (
        <Empty
          title="No matches"
          action={
            <Button type="button" look="quiet" onClick={clear}>
              Show all
            </Button>
          }
        >
          <p>No matching events.</p>
        </Empty>
      )}
      {list.data && list.data.events.length > 0 && (
        <>
          <Events events={list.data.events} />
          <CursorPager nextCursor={list.data.nextCursor} />
        </>
      )}
    </div>
  )
}

/** On a narrow screen the action, time and person are stacked. */
function Events({ events }: { events: AuditEvent[] }) {
  return (
    <Table caption="Audit log">
      <thead>
        <tr>
          <HeadCell className="max-lg:hidden">When</HeadCell>
          <HeadCell>What</HeadCell>
          <HeadCell className="max-lg:hidden">By</HeadCell>
          <HeadCell className="max-lg:hidden">About</HeadCell>
          <HeadCell className="max-lg:hidden">More</HeadCell>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} />
        ))}
      </tbody>
    </Table>
  )
}

function EventRow({ event: { action, actor, subject, address, detail, createdAt } }: { event: AuditEvent }) {
  const at = <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
  const about = subject?.id === actor?.id ? <span className="text-muted">themselves</span> : <Someone person={subject} />
  const more = [address, ...factsOf(detail)].filter(Boolean).join(' · ')
  return (
    <TableRow>
      <Cell kind="data" className="max-lg:hidden">
        {at}
      </Cell>
      <Cell className="font-medium">
        {viewText(action)}
        <span className="mt-1 grid gap-1 font-normal break-words lg:hidden">
          <span className="font-mono text-fine text-muted">{at}</span>
          <span>
            By <Someone person={actor} />, about {about}
          </span>
          {more && <span className="font-mono text-fine text-muted">{more}</span>}
        </span>
      </Cell>
      <Cell className="break-words max-lg:hidden">
        <Someone person={actor} />
      </Cell>
      <Cell className="break-words max-lg:hidden">{about}</Cell>
      <Cell className="min-w-48 font-mono text-fine break-words text-muted max-lg:hidden">{more}</Cell>
    </TableRow>
  )
}

/** A deleted account, or an enquiry, has only an id. */
function Someone({ person }: { person: AuditEvent['actor'] }) {
  const { params } = useView()
  if (!person) return <span className="text-muted">-</span>
  if (!person.email) return <span className="font-mono text-fine text-muted">{person.id.slice(-12)}</span>
  return (
    <Link to={withChanges(params, { user: person.id })} preventScrollReset className="link">
      {person.email}
    </Link>
  )
}

function factsOf(detail: Record<string, unknown>): string[] {
  return Object.entries(detail).map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
}

/** The filters above the audit log, and its export. */
function AuditFilter({ actions, exportUrl }: { actions: string[]; exportUrl: string }) {
  const { params, change } = useView()
  const action = params.get('action') ?? ''
  return (
    <div className="grid grid-cols-1 items-end gap-x-4 gap-y-3 sm:grid-cols-2 lg:flex">
      <div className="min-w-0 grow basis-48">
        <SearchField name="person" label="Person" placeholder="Search by name or email" />
      </div>
      <div className="min-w-0 lg:min-w-48">
        <Field label="Action" name="action" tool>
          <Select key={action} defaultValue={action} onChange={({ target }) => change({ action: target.value })}>
            <option value="">All actions</option>
            {[...new Set([...actions, ...(action ? [action] : [])])].map((name) => (
              <option key={name} value={name}>
                {viewText(name)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Day name="from" label="From" />
      <Day name="to" label="To" />
      <a href={exportUrl} download title={GUARD_NOTE} className={buttonLook('quiet', 'regular', 'justify-self-start')}>
        Export CSV
      </a>
    </div>
  )
}

function Day({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { params, change } = useView()
  const value = params.get(name) ?? ''
  return (
    <div>
      <Field label={label} name={name} tool>
        <Input key={value} type="date" defaultValue={value} onChange={({ target }) => change({ [name]: target.value })} />
      </Field>
    </div>
  )
}
