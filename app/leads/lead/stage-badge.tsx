import { Badge } from '#app/ui/badge.tsx'
import type { LeadStage } from './stage.ts'

/** The color of a stage: new leads are neutral, those in work, won and lost have a color each. */
function lookOf({ outcome, automatic }: LeadStage) {
  if (outcome !== 'open') return outcome === 'won' ? 'leaf' : 'alarm'
  return automatic === 'new' ? 'plain' : 'grain'
}

/** A circle that is filled as far as the lead has come; a cross for a lost one. */
export function StageMark({ stage }: { stage: LeadStage }) {
  const { outcome, probability } = stage
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`size-3.5 shrink-0 ${tones[lookOf(stage)]}`}>
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      {outcome === 'lost' ? (
        <path d="m5.5 5.5 5 5m0-5-5 5" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      ) : (
        <circle
          cx="8"
          cy="8"
          r="2.25"
          fill="none"
          stroke="currentColor"
          strokeWidth="4.5"
          pathLength="100"
          strokeDasharray={`${outcome === 'won' ? 100 : probability} 100`}
          transform="rotate(-90 8 8)"
        />
      )}
    </svg>
  )
}

const tones = { plain: 'text-muted', grain: 'text-grain-text', leaf: 'text-leaf', alarm: 'text-alarm' }

/** The stage of a lead. */
export function StageBadge({ stage }: { stage: LeadStage | undefined }) {
  if (!stage) return <Badge>Removed stage</Badge>
  return (
    <Badge look={lookOf(stage)}>
      <StageMark stage={stage} />
      {stage.name}
    </Badge>
  )
}
