import type { StaffVersion } from '#app/datasets/version.ts'

const steps: Record<string, string> = {
  waiting: 'Waits for its turn',
  reading: 'Reads the rows',
  profiling: 'Looks at each column',
  comparing: 'Compares it with the version before',
}

/** How far the server is with a file that has arrived. */
export function ReadingProgress({ version: { step, progress } }: { version: StaffVersion }) {
  return (
    <div className="grid gap-1.5">
      <progress className="w-full" max={1} value={progress} aria-label="Read" />
      <p role="status" className="flex flex-wrap gap-x-3 font-mono text-fine text-muted">
        <span>{steps[step] ?? step}</span>
        <span>{Math.round(progress * 100)} %</span>
      </p>
    </div>
  )
}
