import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { stageFunnel, stageFunnelUrl } from './attainment.ts'
import { type InsightPeriod, insightsUrl, type LeadInsights, leadInsights } from './lead-insights.ts'
import type { LeadSummary } from '#app/leads/list/lead-summary.ts'
import { formatCount, formatValue } from '#app/leads/lead/format.ts'

/** What the leads are worth: all that are open, the same by the probability of their stages, and those that are won. */
export function LeadValues({ days }: { days: InsightPeriod }) {
  const funnel = useQuery({ ...apiQuery(stageFunnelUrl(days), stageFunnel), placeholderData: keepPreviousData }).data
  const sum = (outcome: 'open' | 'won', share: (percent: number) => number) =>
    funnel?.stages
      .filter((stage) => stage.outcome === outcome)
      .reduce((total, { now, probability }) => total + now.valueCents * share(probability), 0)
  const values = [
    ['Open value', sum('open', () => 1)],
    ['Weighted by probability', sum('open', (percent) => percent / 100)],
    ['Won', sum('won', () => 1)],
  ] as const
  return (
    <dl className="flex flex-wrap items-baseline gap-x-8 gap-y-1 max-sm:grid max-sm:grid-cols-3 max-sm:items-end max-sm:gap-x-3">
      {values.map(([label, cents]) => (
        <div key={label} className="flex items-baseline gap-2 max-sm:grid max-sm:gap-0">
          <dt className="text-fine font-semibold text-muted">{label}</dt>
          <dd className="min-w-8 font-mono text-body font-medium tabular-nums">
            {cents === undefined ? '…' : formatValue(Math.round(cents / 100) * 100)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The four main figures of staff: all time, each with the trend of the chosen period. */
export function StatCards({ summary, days }: { summary: LeadSummary; days: InsightPeriod }) {
  const { contacts, consultations, total, conversionRate } = summary
  const { data } = useQuery(apiQuery(insightsUrl(days), leadInsights))
  const both = data && together(data)
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Total Contacts" value={formatCount(contacts)} trend={data?.contacts} days={days}>
        Lead inquiries
      </Stat>
      <Stat label="Consultations" value={formatCount(consultations)} trend={data?.consultations} days={days}>
        Booking requests
      </Stat>
      <Stat label="Total Leads" value={formatCount(total)} trend={both} days={days}>
        Contacts and consultations
      </Stat>
      <Stat label="Conversion Rate" value={`${conversionRate}%`} days={days}>
        Consultations per 100 contacts, all time
      </Stat>
    </dl>
  )
}

type Trend = LeadInsights['contacts']

function together({ contacts, consultations }: LeadInsights): Trend {
  return {
    count: contacts.count + consultations.count,
    before: contacts.before + consultations.before,
    line: contacts.line.map((count, at) => count + (consultations.line[at] ?? 0)),
  }
}

type StatProps = { label: string; value: string; trend?: Trend | undefined; days: number; children: React.ReactNode }

function Stat({ label, value, trend, days, children }: StatProps) {
  return (
    <Card pad="none" className="@container relative grid content-start gap-0.5 px-4 py-2.5">
      <dt className="text-fine font-semibold text-muted">{label}</dt>
      <dd className="grid gap-0.5">
        <span className="font-mono text-h3 leading-tight font-medium tracking-tight tabular-nums">{value}</span>
        <span className="min-h-[2lh] text-fine text-muted lg:min-h-0">{trend ? <Change trend={trend} days={days} /> : children}</span>
        {trend && <span className="sr-only">{children}</span>}
      </dd>
      {trend && <Sparkline line={trend.line} className="absolute top-2.5 right-4 h-8 w-24 @max-[12rem]:hidden" />}
    </Card>
  )
}

/** The count of the period, and its difference to the one before. */
function Change({ trend: { count, before }, days }: { trend: Trend; days: number }) {
  const difference = count - before
  return (
    <>
      {formatCount(count)} in {days} days,{' '}
      <span className={cx('font-medium', difference > 0 && 'text-leaf', difference < 0 && 'text-alarm')}>
        {difference === 0 ? 'as before' : `${difference > 0 ? '+' : '−'}${formatCount(Math.abs(difference))}`}
      </span>
      <span className="sr-only"> against the {days} days before</span>
    </>
  )
}

/** A line without axes. The figures beside it say the same. */
export function Sparkline({ line, className }: { line: number[]; className: string }) {
  const most = Math.max(1, ...line)
  const points = line.map((count, at) => `${(at / Math.max(1, line.length - 1)) * 100},${30 - (count / most) * 28}`)
  return (
    <svg viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true" className={className}>
      <polyline
        points={points.join(' ')}
        className="fill-none stroke-grain stroke-2"
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
    </svg>
  )
}
