import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'react-router'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { RowsSkeleton } from '#app/ui/skeleton.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ChooseColumns, DataTable, TableToolbar } from '#app/ui/admin/data-table.tsx'
import { SavedViews } from '#app/ui/admin/saved-views.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
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
  const list = usePageQuery({ ...apiQuery(urlOf(AUDIT, params, [...choiceKeys, 'cursor']), auditPage), placeholderData: keepPreviousData })
  const table = useTable({ name: 'audit', columns, rows: list.data?.events ?? [] })
  const clear = () => change(Object.fromEntries([...choiceKeys, 'cursor'].map((key) => [key, undefined])))
  return (
    <div className="grid grid-cols-1 gap-3">
      <TableToolbar>
        <AuditFilter actions={list.data?.actions ?? []} />
        <SavedViews name="audit" keys={choiceKeys} />
        <ChooseColumns table={table} />
        <a href={urlOf(`${AUDIT}.csv`, params, choiceKeys)} download title={GUARD_NOTE} className={buttonLook('quiet')}>
          Export CSV
        </a>
        <a href={urlOf(`${AUDIT}.csv?format=xlsx`, params, choiceKeys)} download className={buttonLook('quiet')}>
          Export Excel
        </a>
      </TableToolbar>
      {list.isPending && (
        <div>
          <Loading>Loading the audit log...</Loading>
          <RowsSkeleton />
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
          <DataTable
            table={table}
            caption="Audit log"
            nameOf={({ action }) => viewText(action)}
            renderNarrow={Narrow}
            isBusy={list.isPlaceholderData}
          />
          <CursorPager nextCursor={list.data.nextCursor} />
        </>
      )}
    </div>
  )
}

/** Of the table's width, so that the details get what is left of a wide one. */
const people = 'clamp(9rem, 18cqw, 14rem)'

const columns: TableColumn<AuditEvent>[] = [
  { key: 'what', head: 'What', width: '11rem', view: ({ action }) => <span className="font-medium">{viewText(action)}</span> },
  { key: 'by', head: 'By', width: people, from: 'medium', view: ({ actor }) => <Someone person={actor} /> },
  { key: 'about', head: 'About', width: people, from: 'medium', view: (event) => <About event={event} /> },
  { key: 'more', head: 'More', from: 'large', kind: 'data', view: (event) => <span title={moreOf(event)}>{moreOf(event)}</span> },
  { key: 'when', head: 'When', width: '11rem', from: 'medium', kind: 'data', view: ({ createdAt }) => <At at={createdAt} /> },
]

function About({ event: { actor, subject } }: { event: AuditEvent }) {
  return subject?.id === actor?.id ? <span className="text-muted">themselves</span> : <Someone person={subject} />
}

function At({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(at)}</time>
}

/** The facts that no other column shows. */
function moreOf({ address, facts, subject }: AuditEvent): string {
  const others = Object.entries(facts).filter(([, value]) => value !== subject?.name)
  return [address, ...others.map(([name, value]) => `${inWords(name)}: ${factText(value)}`)].filter(Boolean).join(' · ')
}

/** `starts at`, of `startsAt`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
}

/** The whole text of a moment in UTC. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function factText(value: unknown): string {
  if (Array.isArray(value)) return value.map(factText).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return MOMENT.test(value) ? formatMoment(value) : value
}

/** On a narrow screen the time, the people and the details stand below the action. */
function Narrow(event: AuditEvent) {
  return (
    <>
      <At at={event.createdAt} />
      <span>
        By <Someone person={event.actor} />, about <About event={event} />
      </span>
      <span className="w-full wrap-anywhere">{moreOf(event)}</span>
    </>
  )
}

/** The server itself, for example where it publishes the first datasets. */
const SYSTEM = /^0{8}-/

function Someone({ person }: { person: AuditEvent['actor'] }) {
  const { params } = useView()
  if (!person) return <span className="text-muted">-</span>
  if (SYSTEM.test(person.id)) return <span className="text-muted">The server</span>
  if (!person.email) return person.name ?? <span className="text-muted">Deleted</span>
  return (
    <Link to={withChanges(params, { user: person.id })} preventScrollReset className="link">
      {person.email}
    </Link>
  )
}

function AuditFilter({ actions }: { actions: string[] }) {
  const { params, change } = useView()
  const action = params.get('action') ?? ''
  return (
    <>
      <SearchField name="person" label="Person" placeholder="Name or email" className="basis-40" />
      <Field label="Action" name="action" tool>
        <Select key={action} className="max-w-36" defaultValue={action} onChange={({ target }) => change({ action: target.value })}>
          <option value="">All actions</option>
          {[...new Set([...actions, ...(action ? [action] : [])])].map((name) => (
            <option key={name} value={name}>
              {viewText(name)}
            </option>
          ))}
        </Select>
      </Field>
      <span className="flex flex-wrap gap-x-3 gap-y-2">
        <DayFilter name="from" label="From" />
        <DayFilter name="to" label="To" />
      </span>
    </>
  )
}

function DayFilter({ name, label }: { name: 'from' | 'to'; label: string }) {
  const { params, change } = useView()
  const value = params.get(name) ?? ''
  return (
    <Field label={label} name={name} tool>
      <Input
        key={value}
        type="date"
        className="max-w-34"
        defaultValue={value}
        onChange={({ target }) => change({ [name]: target.value })}
      />
    </Field>
  )
}
