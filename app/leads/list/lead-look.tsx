import { StarIcon } from 'lucide-react'
import { z } from 'zod/mini'
import { waitedSince } from '#app/leads/lead/format.ts'
import type { ListFilter } from '#app/ui/admin/list-filters.tsx'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import type { TableColumn } from '#app/ui/admin/use-table.ts'
import { Badge } from '#app/ui/badge.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { type DeskColumn, deskColumns, type DeskLead, type LeadPipeline, nextStepFilters } from '#app/leads/lead/desk.ts'
import { type FactKind, factOf, factText, filteredFacts, type LeadFactName } from '#app/leads/lead/lead-facts.ts'
import { isPast, leadFormLabels } from '#app/leads/lead/lead-format.ts'
import { isCellFact, LeadCell, OwnerMenu } from './lead-cell.tsx'
import { numberText } from '#app/platform/text/english-number.ts'
import { typedAmount, WRONG_AMOUNT } from '#app/leads/lead/written-amount.ts'
import { StageMenu } from './stage-menu.tsx'

/** The list of leads: its columns, filters and words. */
export function leadLook(chosen: readonly string[], pipeline: LeadPipeline): ListLook<DeskLead> {
  return {
    name: 'leads',
    caption: 'Leads',
    one: 'lead',
    many: 'leads',
    loading: 'Loading leads...',
    none: 'No leads match this search and these filters.',
    nameOf: ({ name }) => name,
    filters: filtersOf(pipeline),
    columns: leadTableColumns(chosen, pipeline),
    renderNarrow: (lead) => (
      <>
        <StageMenu lead={lead} pipeline={pipeline} /> {lead.company}
      </>
    ),
  }
}

const choicesOf = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

function filtersOf({ stages, owners, lostReasons }: LeadPipeline): ListFilter[] {
  const me = [
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'No owner' },
  ]
  return [
    { key: 'q', label: 'Search', placeholder: 'Search leads' },
    { key: 'owner', label: 'Owner', isRare: true, options: [...me, ...owners.map(({ id, name }) => ({ value: id, label: name }))] },
    { key: 'next', label: 'Next step', isRare: true, options: choicesOf(nextStepFilters) },
    {
      key: 'stage',
      label: 'Stage',
      isRare: true,
      isMany: true,
      options: stages.map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { key: 'answered', label: 'Answered', isRare: true, options: choicesOf({ yes: 'Answered', no: 'Not answered' }) },
    { key: 'starred', label: 'Starred', isRare: true, options: choicesOf({ yes: 'Starred' }) },
    { key: 'least', label: 'Value from, USD', ...dollars },
    { key: 'most', label: 'Value up to, USD', ...dollars, atLeast: 'least' },
    { key: 'from', label: 'Received from', ...day },
    { key: 'until', label: 'Received until', ...day, atLeast: 'from' },
    { key: 'form', label: 'Source', isRare: true, options: choicesOf(leadFormLabels) },
    { key: 'tag', label: 'Tag', isRare: true, type: 'text' },
    ...filteredFacts.map(({ key, label }) => ({ key, label, isRare: true, type: 'text' }) as const),
    { key: 'reason', label: 'Lost because of', isRare: true, options: lostReasons.map((reason) => ({ value: reason, label: reason })) },
  ]
}

const isEmpty = (text: string) => text.trim() === ''

const dollars = {
  isRare: true,
  type: 'amount',
  show: (value: string) => (Number.isNaN(Number(value)) ? value : numberText(Number(value))),
  given: z.pipe(
    z.string().check(z.refine((text) => isEmpty(text) || typedAmount(text) !== undefined, WRONG_AMOUNT)),
    z.transform((text) => (isEmpty(text) ? '' : String(typedAmount(text)))),
  ),
} as const

// An address may hold what is no day.
const day = { isRare: true, type: 'date', show: (value: string) => (Number.isNaN(Date.parse(value)) ? value : formatDay(value)) } as const

type View = (lead: DeskLead, pipeline: LeadPipeline) => React.ReactNode

/** The columns that are no facts. */
const otherViews = new Map<string, View>([
  ['stageSince', ({ stageSince }) => formatDay(stageSince)],
  [
    'answered',
    ({ answeredAt, withdrawnAt, promisedFrom, stageId }, { stages }) => {
      if (answeredAt) return formatDay(answeredAt)
      const isClosed = stages.some(({ id, outcome }) => id === stageId && outcome !== 'open')
      return withdrawnAt || isClosed ? '-' : <Badge look="grain">Waiting {waitedSince(promisedFrom)}</Badge>
    },
  ],
  ['created', ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>],
])

/** A fact of a lead in a cell. */
function FactCell({ name, lead, pipeline }: { name: LeadFactName; lead: DeskLead; pipeline: LeadPipeline }) {
  const fact = factOf(name)
  const value = lead[name]
  if (fact.kind === 'stage') return <StageMenu lead={lead} pipeline={pipeline} />
  if (fact.kind === 'owner') return <OwnerMenu lead={lead} pipeline={pipeline} />
  if (isCellFact(name)) return <LeadCell lead={lead} fact={name} />
  if (fact.kind === 'moment') return <Due at={typeof value === 'string' ? value : null} />
  const text = factText(fact, value)
  return text === '' ? '-' : <span title={text}>{text}</span>
}

const cellKinds: Partial<Record<FactKind, 'number' | 'data'>> = { money: 'number', moment: 'data' }

function Due({ at }: { at: string | null }) {
  if (!at) return '-'
  const isLate = isPast(at)
  return (
    <time dateTime={at} title={formatMoment(at)} className={isLate ? 'font-medium text-alarm' : undefined}>
      {formatDay(at)}
      {isLate && <span className="sr-only">, overdue</span>}
    </time>
  )
}

const froms = ['medium', 'medium', 'medium', 'large', 'wide', 'wide', 'wide'] as const

/** The columns that the person has chosen, in their order; the later ones are hidden where the table is narrow. */
export function leadTableColumns(chosen: readonly string[], pipeline: LeadPipeline): TableColumn<DeskLead>[] {
  return [
    { key: 'lead', head: 'Lead', sort: 'name', width: '14rem', view: LeadName, mark: Withdrawn },
    ...chosen.flatMap((key, at) => {
      const column = deskColumns.find((each) => each.key === key)
      return column ? [{ ...lookOf(column, pipeline), from: froms[at] ?? ('huge' as const) }] : []
    }),
  ]
}

function lookOf({ key, label, name, width, sort }: DeskColumn, pipeline: LeadPipeline): TableColumn<DeskLead> {
  const other = otherViews.get(key)
  const kind = name ? cellKinds[factOf(name).kind] : other && key !== 'answered' ? ('data' as const) : undefined
  return {
    key,
    head: label,
    ...(kind && { kind }),
    ...(width && { width }),
    ...(sort && { sort }),
    view: (lead) => (name ? <FactCell name={name} lead={lead} pipeline={pipeline} /> : other?.(lead, pipeline)),
  }
}

function LeadName({ name, isStarred }: DeskLead) {
  return (
    <>
      {isStarred && <StarIcon role="img" aria-label="Starred" className="mr-1.5 inline size-3.5 fill-grain align-text-bottom text-grain" />}
      <span title={name}>{name}</span>
    </>
  )
}

function Withdrawn({ withdrawnAt }: DeskLead) {
  return withdrawnAt && <Badge>Withdrawn</Badge>
}
