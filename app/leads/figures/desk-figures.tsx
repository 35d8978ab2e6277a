import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import {
  ATTAINMENT,
  type Attainment,
  attainment,
  type MissedPromise,
  missedPromise,
  missedUrl,
  type PromiseClock,
  type StageFunnel,
  stageFunnel,
  stageFunnelUrl,
} from './attainment.ts'
import type { InsightPeriod } from './lead-insights.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { Card } from '#app/ui/card.tsx'
import { cx } from '#app/ui/class-names.ts'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatValue, minutesText, formatCalendarDay, formatCount } from '#app/leads/lead/format.ts'

/** The stages of the pipeline, and the promises by week. */
export function DeskFigures({ days }: { days: InsightPeriod }) {
  return (
    <>
      <Stages days={days} />
      <Promises />
    </>
  )
}

const card = 'min-w-0 px-4 py-3'
const cell = 'py-1 pl-3 text-right font-mono text-fine tabular-nums'

function Stages({ days }: { days: InsightPeriod }) {
  const funnel = usePageQuery({ ...apiQuery(stageFunnelUrl(days), stageFunnel), placeholderData: keepPreviousData })
  return (
    <Card as="section" aria-label="Stages" pad="none" className={cx(card, funnel.isPlaceholderData && 'opacity-60')}>
      <h3 className="text-small font-semibold">Stages</h3>
      <p className="text-fine text-muted">
        Enquiries of the last {days} days that came at least this far; the values are those of all leads.
      </p>
      {funnel.isPending && (
        <>
          <Loading>Loading stages...</Loading>
          <Skeleton lines={7} className="mt-3" />
        </>
      )}
      {funnel.isError && <Failed error={funnel.error} retry={funnel.refetch} />}
      {funnel.data && <StageTable stages={funnel.data.stages} />}
      {funnel.data && funnel.data.lostReasons.length > 0 && <LostTable funnel={funnel.data} />}
    </Card>
  )
}

function StageTable({ stages }: { stages: StageFunnel['stages'] }) {
  const most = Math.max(1, ...stages.map(({ reached }) => reached))
  const path = stages.filter(({ outcome }) => outcome !== 'lost')
  const conversionOf = (id: number) => {
    const before = path[path.findIndex((stage) => stage.id === id) - 1]
    const stage = path.find((each) => each.id === id)
    return before && stage && before.reached > 0 ? `${Math.round((stage.reached / before.reached) * 100)}%` : ''
  }
  return (
    <div className="mt-2 overflow-x-auto">
      <table className="w-full text-small">
        <Heads first="Stage" others={['Enquiries', 'Conversion', 'Median days', 'Leads now', 'Value']} />
        <tbody>
          {stages.map(({ id, name, reached, medianDays, now }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="max-w-56 min-w-36 py-1 text-left font-normal">
                <Link to={`/leads?stage=${id}`} className="block truncate hover:underline">
                  {name}
                </Link>
                <span aria-hidden="true" className="block h-1 rounded-full bg-sunken">
                  <span className="block h-full rounded-full bg-grain" style={{ width: `${(reached / most) * 100}%` }} />
                </span>
              </th>
              <td className={cell}>{formatCount(reached)}</td>
              <td className={cell}>{conversionOf(id)}</td>
              <td className={cell}>{medianDays === null ? '-' : formatCount(medianDays)}</td>
              <td className={cell}>{formatCount(now.count)}</td>
              <td className={cell}>{now.valueCents > 0 ? formatValue(now.valueCents) : '-'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function LostTable({ funnel: { stages, lostReasons } }: { funnel: StageFunnel }) {
  const lost = stages.find(({ outcome }) => outcome === 'lost')
  return (
    <table aria-label="Lost leads" className="mt-3 w-full text-small">
      <Heads first="Lost because of" others={['Leads', 'Value']} />
      <tbody>
        {lostReasons.map(({ reason, count, valueCents }) => (
          <tr key={reason} className="border-t border-line">
            <th scope="row" className="py-1 text-left font-normal">
              {reason === null ? (
                'No reason given'
              ) : (
                <Link to={`/leads?stage=${lost?.id}&reason=${encodeURIComponent(reason)}`} className="hover:underline">
                  {reason}
                </Link>
              )}
            </th>
            <td className={cell}>{formatCount(count)}</td>
            <td className={cell}>{valueCents > 0 ? formatValue(valueCents) : '-'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The first column has names, the others have numbers. */
function Heads({ first, others }: { first: string; others: readonly string[] }) {
  return (
    <thead className="text-fine text-muted">
      <tr>
        <th scope="col" className="pb-1 text-left font-medium">
          {first}
        </th>
        {others.map((name) => (
          <th key={name} scope="col" className="pb-1 pl-3 text-right font-medium">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

const clockNames: Record<PromiseClock, string> = { acknowledgement: 'Acknowledgement', response: 'Response', proposal: 'Proposal' }

type Asked = { clock: PromiseClock; week: string }

function Promises() {
  const query = usePageQuery(apiQuery(ATTAINMENT, attainment))
  const [asked, setAsked] = useState<Asked>()
  if (query.isPending) {
    return (
      <div>
        <Loading>Loading promises...</Loading>
        <div aria-hidden="true" className="grid animate-pulse grid-cols-1 gap-3 lg:grid-cols-3">
          {[1, 2, 3].map((promise) => (
            <div key={promise} className="h-48 rounded-card border border-line bg-surface" />
          ))}
        </div>
      </div>
    )
  }
  if (query.isError) return <Failed error={query.error} retry={query.refetch} />
  return (
    <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
      {query.data.promises.map((promise) => (
        <PromiseCard key={promise.clock} promise={promise} show={(week) => setAsked({ clock: promise.clock, week })} />
      ))}
      {asked && <MissedDialog asked={asked} close={() => setAsked(undefined)} />}
    </div>
  )
}

type PromiseCardProps = { promise: Attainment['promises'][number]; show: (week: string) => void }

function PromiseCard({ promise: { clock, hours, weeks }, show }: PromiseCardProps) {
  const title = `${clockNames[clock]} within ${hours} h`
  return (
    <Card as="section" aria-label={title} pad="none" className={card}>
      <h3 className="text-small font-semibold">{title}</h3>
      {weeks.length === 0 ? (
        <p className="text-small text-muted">Measured from the first enquiry on.</p>
      ) : (
        <table className="mt-2 w-full text-small">
          <Heads first="Week of" others={['Kept', 'Median', 'p90', 'Missed']} />
          <tbody>
            {weeks.map(({ week, due, kept, medianMinutes, p90Minutes }) => (
              <tr key={week} className="border-t border-line">
                <th scope="row" className="py-1 text-left font-normal whitespace-nowrap">
                  {formatCalendarDay(week)}
                </th>
                <td className={cell}>{Math.round((kept / due) * 100)}%</td>
                <td className={cell}>{medianMinutes === null ? '-' : minutesText(medianMinutes)}</td>
                <td className={cell}>{p90Minutes === null ? '-' : minutesText(p90Minutes)}</td>
                <td className={cell}>
                  {due > kept ? (
                    <button
                      type="button"
                      aria-label={`${due - kept} missed in the week of ${formatCalendarDay(week)}`}
                      onClick={() => show(week)}
                      className="link pointer-coarse:min-h-11 pointer-coarse:min-w-11"
                    >
                      {formatCount(due - kept)}
                    </button>
                  ) : (
                    '0'
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

function MissedDialog({ asked: { clock, week }, close }: { asked: Asked; close: () => void }) {
  const missed = usePageQuery(apiQuery(missedUrl(clock, week), z.array(missedPromise)))
  return (
    <Dialog open onClose={close} title={`Missed: ${clockNames[clock].toLowerCase()}, week of ${formatCalendarDay(week)}`}>
      {missed.isPending && (
        <>
          <Loading>Loading enquiries...</Loading>
          <Skeleton lines={5} />
        </>
      )}
      {missed.isError && <Failed error={missed.error} retry={missed.refetch} />}
      {missed.data?.length === 0 && <p className="text-small text-muted">No enquiry of this week was late.</p>}
      {missed.data && <MissedList missed={missed.data} />}
    </Dialog>
  )
}

function MissedList({ missed }: { missed: MissedPromise[] }) {
  return (
    <ul className="divide-y divide-line text-small">
      {missed.map(({ reference, name, company, isOpen, lateMinutes }) => (
        <li key={reference} className="flex min-h-9 items-center justify-between gap-3">
          <Link to={`/leads/${reference}`} className="min-w-0 truncate hover:underline">
            <span className="font-medium">{name}</span> {company && <span className="text-muted">{company}</span>}
          </Link>
          <span className={cx('shrink-0 text-fine', isOpen ? 'text-alarm' : 'text-muted')}>
            {minutesText(lateMinutes)} late{isOpen && ', still open'}
          </span>
        </li>
      ))}
    </ul>
  )
}
