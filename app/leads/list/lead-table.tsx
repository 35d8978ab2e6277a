import { StarIcon } from 'lucide-react'
import { Link } from 'react-router'
import { waitedSince } from '#app/leads/lead/format.ts'
import { DataTable, rowLink } from '#app/ui/admin/data-table.tsx'
import { type TableColumn, useTable } from '#app/ui/admin/use-table.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { type DeskColumn, deskColumns, type DeskLead, type LeadPipeline } from '#app/leads/lead/desk.ts'
import { type FactKind, factOf, factText, type LeadFactName } from '#app/leads/lead/lead-facts.ts'
import { isPast } from '#app/leads/lead/lead-format.ts'
import { isCellFact, LeadCell, moveInCells, OwnerMenu } from './lead-cell.tsx'
import { StageMenu } from './stage-menu.tsx'

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
    { key: 'lead', head: 'Lead', sort: 'name', view: (lead) => <LeadName lead={lead} /> },
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

function LeadName({ lead: { reference, name, isStarred, withdrawnAt } }: { lead: DeskLead }) {
  return (
    <>
      {isStarred && <StarIcon role="img" aria-label="Starred" className="mr-1.5 inline size-3.5 fill-grain align-text-bottom text-grain" />}
      <Link to={`/leads/${reference}`} className={rowLink}>
        {name}
      </Link>
      {withdrawnAt && (
        <>
          {' '}
          <Badge>Withdrawn</Badge>
        </>
      )}
    </>
  )
}

export type LeadAction = 'stage' | 'owner' | 'tag' | 'untag' | 'delete'

type DeskTableProps = {
  table: ReturnType<typeof useTable<DeskLead>>
  pipeline: LeadPipeline
  isBusy: boolean
  /** All that match on all pages, where that is more than the selected page: their number, and whether they are chosen in place of the page. */
  whole: { count: string; isChosen: boolean; choose: (isChosen: boolean) => void } | undefined
  /** Acts on one lead, or on the chosen ones. */
  act: (action: LeadAction, lead?: DeskLead) => void
  addNote: (lead: DeskLead) => void
  exportChosen: (format?: 'xlsx') => void
}

/** The table of leads, with its row menus and its bulk bar. */
export function DeskTable({ table, pipeline, isBusy, whole, act, addNote, exportChosen }: DeskTableProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The keys come from the cells in it.
    <div onKeyDown={moveInCells}>
      <DataTable
        table={table}
        caption="Leads"
        nameOf={({ name }) => name}
        isBusy={isBusy}
        renderNarrow={(lead) => (
          <>
            <StageMenu lead={lead} pipeline={pipeline} /> {lead.company}
          </>
        )}
        menuOf={(lead) => [
          { label: 'Change stage…', act: () => act('stage', lead) },
          { label: 'Assign…', act: () => act('owner', lead) },
          { label: 'Add note…', act: () => addNote(lead) },
          { label: 'Add tag…', act: () => act('tag', lead) },
          { label: 'Delete…', isDanger: true, startsGroup: true, act: () => act('delete', lead) },
        ]}
        bulkText={whole?.isChosen ? `All ${whole.count} that match` : undefined}
        renderBulk={(rows) => (
          <>
            {whole && (
              <Button type="button" look="quiet" size="small" onClick={() => whole.choose(!whole.isChosen)}>
                {whole.isChosen ? `Only these ${rows.length}` : `Select all ${whole.count} that match`}
              </Button>
            )}
            {bulkButtons.map(({ name, action, format }) => (
              <Button key={name} type="button" look="quiet" size="small" onClick={() => (action ? act(action) : exportChosen(format))}>
                {name}
              </Button>
            ))}
          </>
        )}
      />
    </div>
  )
}

const bulkButtons: { name: string; action?: LeadAction; format?: 'xlsx' }[] = [
  { name: 'Stage', action: 'stage' },
  { name: 'Assign', action: 'owner' },
  { name: 'Tag', action: 'tag' },
  { name: 'Untag', action: 'untag' },
  { name: 'Export' },
  { name: 'Export Excel', format: 'xlsx' },
  { name: 'Delete', action: 'delete' },
]
