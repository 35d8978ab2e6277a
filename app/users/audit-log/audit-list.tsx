import { Link } from 'react-router'
import { moneyText } from '#app/platform/text/money.ts'
import type { ListFilter } from '#app/ui/admin/list-filters.tsx'
import { type ListLook, ListPage } from '#app/ui/admin/list-page.tsx'
import { useListQuery } from '#app/ui/admin/use-list-query.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { viewText, withChanges } from '#app/ui/admin/view.ts'
import { formatMoment } from '#app/ui/moment.ts'
import { AUDIT, type AuditEvent, auditPage } from './audit-log.ts'

/** Of the table's width, so that the details get what is left of a wide one. */
const people = 'clamp(9rem, 18cqw, 14rem)'

const look: ListLook<AuditEvent> = {
  name: 'audit',
  caption: 'Audit log',
  one: 'event',
  many: 'events',
  loading: 'Loading the audit log...',
  none: 'No matching events.',
  nameOf: ({ action }) => viewText(action),
  columns: [
    { key: 'what', head: 'What', width: '11rem', view: ({ action }) => <span className="font-medium">{viewText(action)}</span> },
    { key: 'by', head: 'By', width: people, from: 'medium', view: ({ actor }) => <Someone person={actor} /> },
    { key: 'about', head: 'About', width: people, from: 'medium', view: (event) => <About event={event} /> },
    { key: 'more', head: 'More', from: 'large', kind: 'data', view: (event) => <span title={moreOf(event)}>{moreOf(event)}</span> },
    { key: 'when', head: 'When', width: '11rem', from: 'medium', kind: 'data', view: ({ createdAt }) => <At at={createdAt} /> },
  ],
  // On a narrow screen the time, the people and the details stand below the action.
  renderNarrow: (event) => (
    <>
      <At at={event.createdAt} />
      <span>
        {event.actor ? (
          <>
            By <Someone person={event.actor} />, about
          </>
        ) : (
          'About'
        )}{' '}
        <About event={event} />
      </span>
      <span className="w-full wrap-anywhere">{moreOf(event)}</span>
    </>
  ),
}

const filterKeys = [{ key: 'person' }, { key: 'action' }, { key: 'from' }, { key: 'to' }]

/** The audit log, newest first, filtered by person, action and day, and taken away as a file. */
export function AuditList() {
  const { params } = useView()
  const list = useListQuery(AUDIT, auditPage, filterKeys)
  const chosen = params.get('action')
  const actions = [...new Set([...(list.data?.actions ?? []), ...(chosen ? [chosen] : [])])]
  const filters: ListFilter[] = [
    { key: 'person', label: 'Person', placeholder: 'Name or email' },
    {
      key: 'action',
      label: 'Action',
      options: [{ value: '', label: 'All actions' }, ...actions.map((value) => ({ value, label: viewText(value) }))],
    },
    { key: 'from', label: 'From', isDay: true },
    { key: 'to', label: 'To', isDay: true, atLeast: 'from' },
  ]
  return <ListPage {...look} filters={filters} list={list} rows={list.data?.events} place={{ next: list.data?.nextCursor }} files={AUDIT} />
}

function About({ event: { actor, subject } }: { event: AuditEvent }) {
  return subject?.id === actor?.id ? <span className="text-muted">themselves</span> : <Someone person={subject} />
}

function At({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(at)}</time>
}

/** The facts that no other column shows. */
function moreOf({ address, facts, subject }: AuditEvent): string {
  const { amount, currency, ...rest } = facts
  const isMoney = typeof amount === 'number' && typeof currency === 'string'
  const shown = isMoney ? { ...rest, amount: moneyText(amount, currency) } : facts
  const others = Object.entries(shown).filter(([, value]) => value !== subject?.name)
  return [address, ...others.map(([name, value]) => `${inWords(name)}: ${factText(value)}`)].filter(Boolean).join(' · ')
}

/** `starts at`, of `startsAt`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')
}

/** The whole text of a moment in UTC. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const NAME_OF_FIELD = /^[a-z]+([A-Z][a-z]+)+$/

function factText(value: unknown): string {
  if (Array.isArray(value)) return value.map(factText).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (MOMENT.test(value)) return formatMoment(value)
  return NAME_OF_FIELD.test(value) ? inWords(value) : value
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
