import type { Finding, StaffVersion, VersionState } from '#app/datasets/catalog/version.ts'
import { bytesInWords, countOf } from '#app/ui/amount.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Card } from '#app/ui/card.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Progress } from '#app/ui/progress.tsx'
import { Findings } from './findings.tsx'
import { VersionReport } from './version-report.tsx'

type VersionCardProps = {
  version: StaffVersion
  isNewest: boolean
  actions: React.ReactNode
}

export function VersionCard({ version, isNewest, actions }: VersionCardProps) {
  const { number, state, changes, failure } = version
  return (
    <Card as="li" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1.5">
          <h3 className="flex flex-wrap items-center gap-2.5">
            Version {number}
            <StateBadge version={version} />
          </h3>
          <Facts version={version} />
        </div>
        {actions}
      </div>
      {changes && <p className="max-w-prose whitespace-pre-line wrap-anywhere">{changes}</p>}
      <Held version={version} />
      {version.warnings.map((warning) => (
        <p key={warning} role="note" className="rounded-control bg-grain-wash p-3 text-small">
          {warning}
        </p>
      ))}
      {version.forcedReason && (
        <p className="text-small whitespace-pre-line wrap-anywhere">
          <span className="font-semibold">Published although it did not pass the quality checks:</span> {version.forcedReason}
        </p>
      )}
      {state === 'processing' && <ReadingProgress version={version} />}
      {failure && (
        <p role="alert" className="rounded-control bg-alarm-wash p-3 text-small wrap-anywhere">
          {failure}
        </p>
      )}
      {state !== 'processing' && <VersionReport version={version} isOpen={isNewest} />}
    </Card>
  )
}

const looks: Record<VersionState, React.ReactNode> = {
  processing: <Badge look="grain">Processing</Badge>,
  refused: <Badge look="alarm">Rejected</Badge>,
  ready: <Badge look="grain">Ready to publish</Badge>,
  published: <Badge>Published</Badge>,
}

/** Why a version waits, and the ways out. */
function Held({ version }: { version: StaffVersion }) {
  const broken = brokenOf(version)
  if (broken.length === 0) return null
  return (
    <section aria-label={`Why version ${version.number} is held`} className="grid gap-3 rounded-control bg-alarm-wash p-4">
      <p className="text-small font-semibold">This version is held. Customers keep the current version.</p>
      <Findings findings={broken} label="Failed checks" />
      <ul className="grid list-disc gap-1 pl-5 text-small">
        <li>Is the file wrong? Correct it and import it again, then delete this version.</li>
        <li>Is the change right? Review it, and publish it with a reason.</li>
        <li>Does it come with every version? Change the quality checks of the product.</li>
      </ul>
    </section>
  )
}

function StateBadge({ version }: { version: StaffVersion }) {
  const { state, isCurrent } = version
  if (brokenOf(version).length > 0) return <Badge look="alarm">Held</Badge>
  if (!isCurrent) return looks[state]
  return (
    <Badge look="leaf" dot>
      Current
    </Badge>
  )
}

function Facts({ version }: { version: StaffVersion }) {
  const { state, rows, refusedRows, originalName, originalBytes, createdAt, publishedAt } = version
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 font-mono text-fine text-muted">
      {state !== 'processing' && <span>{countOf(rows, 'row', 'rows')}</span>}
      {refusedRows > 0 && <span className="text-alarm">{countOf(refusedRows, 'row rejected', 'rows rejected')}</span>}
      <span className="wrap-anywhere">
        {originalName}, {bytesInWords(originalBytes)}
      </span>
      <span>
        Uploaded <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
      </span>
      {publishedAt && (
        <span>
          First published <time dateTime={publishedAt}>{formatMoment(publishedAt)}</time>
        </span>
      )}
    </p>
  )
}

const steps: Record<string, string> = {
  waiting: 'Queued',
  reading: 'Reading rows',
  profiling: 'Profiling columns',
  comparing: 'Comparing with the previous version',
}

/** The progress of importing an uploaded file. */
export function ReadingProgress({ version: { step, progress } }: { version: StaffVersion }) {
  return (
    <Progress label="Import progress" value={progress}>
      <span role="status">{steps[step] ?? step}</span>
    </Progress>
  )
}

/** The checks that hold a version which could be published. */
export function brokenOf({ state, findings }: StaffVersion): Finding[] {
  return state === 'ready' ? findings.filter(({ ok }) => !ok) : []
}
