import { Link } from 'react-router'
import { formatValue } from '#app/leads/lead/format.ts'
import type { DeskCounts, LeadPipeline } from '#app/leads/lead/desk.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { Loading } from '#app/ui/loading.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { valuesIn, withChanges } from '#app/ui/admin/view.ts'

type StageStripProps = { pipeline: LeadPipeline | undefined; counts: DeskCounts | undefined }

/** The matches of each stage with their value, also of those that a filter leaves out. A click filters by it, a second one no longer. */
export function StageStrip({ pipeline, counts }: StageStripProps) {
  const { params } = useView()
  const chosen = valuesIn(params, { key: 'stage', isMany: true })
  if (!pipeline) return <StripSkeleton />
  const of = (stageId: number) => counts?.stages.find(({ id }) => id === stageId)
  const without = (stage: string) => chosen.filter((other) => other !== stage).join(',')
  return (
    <nav aria-label="Stages" className="flex gap-2 overflow-x-auto pb-1">
      {pipeline.stages.map(({ id, name }) => {
        const isChosen = chosen.includes(String(id))
        return (
          <Link
            key={id}
            to={withChanges(params, { stage: isChosen ? without(String(id)) : String(id) })}
            preventScrollReset
            aria-current={isChosen ? 'true' : undefined}
            className="flex shrink-0 grow items-center gap-2 rounded-card border border-line bg-surface px-3 py-1.5 sm:grid sm:min-w-28 sm:gap-0.5 hover:border-ink aria-[current=true]:border-ink aria-[current=true]:bg-sunken"
          >
            <span className="text-fine text-muted">{name}</span>
            <span className="flex items-baseline justify-between gap-2 font-mono text-small tabular-nums max-sm:text-fine">
              <span>
                {counts && !counts.isExact && '≈ '}
                {counts ? numberText(of(id)?.count ?? 0) : '…'}
              </span>
              <span className="text-fine text-muted max-sm:hidden">{of(id)?.valueCents ? formatValue(of(id)?.valueCents ?? 0) : ''}</span>
            </span>
          </Link>
        )
      })}
    </nav>
  )
}

function StripSkeleton() {
  return (
    <div aria-hidden="true" className="grid animate-pulse grid-cols-4 gap-2 xl:grid-cols-7">
      {Array.from({ length: 7 }, (_, at) => (
        <div key={at} className="h-13 rounded-card border border-line bg-surface max-xl:nth-[n+5]:hidden" />
      ))}
    </div>
  )
}

/** In place of the board, until it is there. */
export function BoardSkeleton() {
  return (
    <div>
      <Loading>Loading leads...</Loading>
      <div aria-hidden="true" className="flex animate-pulse gap-3 overflow-hidden">
        {Array.from({ length: 7 }, (_, stage) => (
          <div
            key={stage}
            className="grid w-60 shrink-0 grow content-start xl:w-0 xl:min-w-36 gap-2 rounded-card border border-line bg-sunken p-2"
          >
            <div className="m-1 h-4 w-1/2 rounded-control bg-line" />
            {Array.from({ length: 1 + ((stage * 3) % 4) }, (_card, card) => (
              <div key={card} className="h-20 rounded-card border border-line bg-surface" />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
