import type { Chart } from '#app/content/case-study.ts'
import { FunnelChart } from './funnel-chart.tsx'
import { GridChart } from './grid-chart.tsx'
import { GrowthChart } from './growth-chart.tsx'
import { StagesChart } from './stages-chart.tsx'

/** The chart of a case study. Its caption is the text alternative. */
export function CaseStudyChart({ chart }: { chart: Chart }) {
  return (
    <figure className="rounded-card border border-line bg-surface p-5 sm:p-7">
      <p className="mb-6 font-mono text-fine font-medium">{chart.title}</p>
      {draw(chart)}
      <figcaption className="mt-6 border-t border-line pt-4 text-small text-muted">{chart.caption}</figcaption>
    </figure>
  )
}

function draw(chart: Chart) {
  switch (chart.kind) {
    case 'stages':
      return <StagesChart stages={chart.stages} />
    case 'growth':
      return <GrowthChart months={chart.months} />
    case 'funnel':
      return <FunnelChart steps={chart.steps} />
    case 'grid':
      return <GridChart {...chart} />
  }
}
