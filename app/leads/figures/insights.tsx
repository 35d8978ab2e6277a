import { keepPreviousData } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { later } from '#app/platform/process/later.ts'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Failed } from '#app/ui/failed.tsx'
import { leadFormLabels } from '#app/leads/lead/lead-format.ts'
import { promises } from '#app/leads/lead/promises.ts'
import { type InsightPeriod, insightsUrl, type LeadInsights, leadInsights } from './lead-insights.ts'
import { minutesText, formatCount } from '#app/leads/lead/format.ts'

/** The progress of the enquiries of a period: their funnel, the reply times, their sources and countries. */
export function Insights({ days }: { days: InsightPeriod }) {
  const insights = usePageQuery({ ...apiQuery(insightsUrl(days), leadInsights), placeholderData: keepPreviousData })
  if (insights.isPending) return <WaitingPanels />
  if (insights.isError) return <Failed error={insights.error} retry={insights.refetch} />
  const { funnel, replies, sources, countries } = insights.data
  return (
    <div className={cx(panels, insights.isPlaceholderData && 'opacity-60')}>
      <Funnel funnel={funnel} days={days} />
      <Replies replies={replies} />
      <Shares title="Sources" rows={sources.map(({ name, count }) => ({ name: leadFormLabels[name] ?? name, count }))} />
      <Shares title="Countries" rows={countries.map(({ name, count }) => ({ name: countryName(name), count }))} />
    </div>
  )
}

const panels = 'grid grid-cols-1 gap-3 transition-opacity md:grid-cols-2 xl:grid-cols-4'

/** The panels in the height of the longest one, so that nothing below them moves. */
function WaitingPanels() {
  const rows = Array.from({ length: 5 }, (_row, at) => ({ name: '\u00a0'.repeat(at + 1), count: 0 }))
  return (
    <div aria-busy="true" className={panels}>
      <p role="status" className="sr-only">
        Loading figures...
      </p>
      {['Funnel', 'Reply time', 'Sources', 'Countries'].map((title) => (
        <Panel key={title} title={title} note={'\u00a0'}>
          <div className="invisible">
            <Bars rows={rows} most={0} />
          </div>
        </Panel>
      ))}
    </div>
  )
}

const regions = later(() => new Intl.DisplayNames('en', { type: 'region' }))

/** Countries that were typed by hand have no code. */
function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions().of(code) ?? code) : code
}

function Funnel({ funnel: { received, replied, proposed, consulted }, days }: { funnel: LeadInsights['funnel']; days: number }) {
  const rows = [
    { name: 'Enquiries', count: received },
    { name: 'Replied', count: replied },
    { name: 'Proposal sent', count: proposed },
    { name: 'Call agreed', count: consulted },
  ]
  return (
    <Panel title="Funnel" note={`Enquiries of the last ${days} days`}>
      <Bars rows={rows} most={received} shareOf={received} />
    </Panel>
  )
}

function Replies({ replies: { inTime, total, open, medianMinutes, times } }: { replies: LeadInsights['replies'] }) {
  const share = total === 0 ? 'No replies yet' : `${Math.round((inTime / total) * 100)}% within ${promises.readHours} h`
  const median = medianMinutes === null ? '' : `, median ${minutesText(medianMinutes)}`
  return (
    <Panel title="Reply time" note={`${share}${median}${open > 0 ? `, ${formatCount(open)} open` : ''}`}>
      <Bars rows={times} most={Math.max(...times.map(({ count }) => count))} />
    </Panel>
  )
}

function Shares({ title, rows }: { title: string; rows: { name: string; count: number }[] }) {
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <p className="text-small text-muted">Counted from the first enquiry of the period.</p>
      ) : (
        <Bars rows={rows} most={rows[0]?.count ?? 0} />
      )}
    </Panel>
  )
}

function Panel({ title, note, children }: { title: string; note?: string; children: React.ReactNode }) {
  return (
    <Card as="section" aria-label={title} pad="none" className="min-w-0 px-4 py-3">
      <h3 className="text-small font-semibold">{title}</h3>
      {note && <p className="text-fine text-muted">{note}</p>}
      <div className="mt-2">{children}</div>
    </Card>
  )
}

type BarsProps = {
  rows: { name: string; count: number }[]
  most: number
  /** The whole of which each row also says its percentage. */
  shareOf?: number
}

/** Each bar is text as well. */
function Bars({ rows, most, shareOf }: BarsProps) {
  return (
    <ul className="grid gap-1.5">
      {rows.map(({ name, count }) => (
        <li key={name} className="grid gap-0.5">
          <span className="flex items-baseline justify-between gap-3 text-fine">
            <span className="min-w-0 truncate">{name}</span>
            <span className="font-mono text-muted tabular-nums">
              {formatCount(count)}
              {shareOf !== undefined && shareOf > 0 && ` · ${Math.round((count / shareOf) * 100)}%`}
            </span>
          </span>
          <span aria-hidden="true" className="h-1 rounded-full bg-sunken">
            <span className="block h-full rounded-full bg-grain" style={{ width: `${most > 0 ? (count / most) * 100 : 0}%` }} />
          </span>
        </li>
      ))}
    </ul>
  )
}
