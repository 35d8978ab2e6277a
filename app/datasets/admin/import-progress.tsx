import type { StaffVersion } from '#app/datasets/catalog/version.ts'

const steps: Record<string, string> = {
  waiting: 'Queued',
  reading: 'Reading rows',
  profiling: 'Profiling columns',
  comparing: 'Comparing with the previous version',
}

/** The progress of importing an uploaded file. */
export function ReadingProgress({ version: { step, progress } }: { version: StaffVersion }) {
  return (
    <div className="grid gap-1.5">
      <progress className="w-full" max={1} value={progress} aria-label="Import progress" />
      <p role="status" className="flex flex-wrap gap-x-3 font-mono text-fine text-muted">
        <span>{steps[step] ?? step}</span>
        <span>{Math.round(progress * 100)} %</span>
      </p>
    </div>
  )
}
