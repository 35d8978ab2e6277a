import { Badge } from '#app/ui/badge.tsx'
import { Switch } from '#app/ui/switch.tsx'
import { countStates, type ImportLine, type RedirectImportReport, lineStates } from './rule-import.ts'

const states: Record<ImportLine['state'], { name: string; look: 'leaf' | 'grain' | 'plain' | 'alarm'; means: string }> = {
  new: { name: 'New', look: 'leaf', means: 'will be added' },
  doubtful: { name: 'Needs review', look: 'grain', means: 'makes a chain, is never reached, or hides a page' },
  duplicate: { name: 'Duplicate', look: 'plain', means: 'is skipped' },
  problem: { name: 'Loop', look: 'alarm', means: 'would loop, and is skipped' },
  refused: { name: 'Refused', look: 'alarm', means: 'is not a valid redirect, and is skipped' },
}

/** Lines shown per state; the rest are only counted. */
const SHOWN = 200

type ReportProps = { report: RedirectImportReport; confirm: boolean; setConfirm: (confirm: boolean) => void }

/** The outcome of an import: a count per state, and each line that is not simply added, with its reason. */
export function ImportReportView({ report: { lines }, confirm, setConfirm }: ReportProps) {
  const counts = countStates(lines)
  const present = lineStates.filter((state) => counts[state] > 0)
  if (present.length === 0) return <p className="text-small">No redirects found in this text.</p>
  return (
    <section aria-label="Report" className="grid gap-4 border-t border-line pt-5">
      <ul className="grid gap-1.5">
        {present.map((state) => (
          <li key={state} className="flex flex-wrap items-baseline gap-2 text-small">
            <Badge look={states[state].look}>
              {counts[state].toLocaleString('en')} {states[state].name}
            </Badge>
            <span className="text-muted">{states[state].means}</span>
          </li>
        ))}
      </ul>
      {counts.doubtful > 0 && <Switch label="Also import redirects that need review" checked={confirm} onChange={setConfirm} />}
      {present
        .toReversed()
        .filter((state) => state !== 'duplicate' || counts.duplicate > 0)
        .map((state) => (
          <Lines key={state} state={state} lines={lines.filter((line) => line.state === state)} />
        ))}
    </section>
  )
}

function Lines({ state, lines }: { state: ImportLine['state']; lines: ImportLine[] }) {
  return (
    <details open={state !== 'new' && state !== 'duplicate'}>
      <summary className="min-h-8 text-small font-semibold">{states[state].name}</summary>
      <ul aria-label={states[state].name} className="grid gap-2 pt-1">
        {lines.slice(0, SHOWN).map(({ line, text, reason, path, rule }) => (
          <li key={`${line} ${rule?.fromPath} ${rule?.toPath}`} className="grid gap-0.5 border-l-2 border-line pl-3">
            <p className="font-mono text-fine wrap-anywhere">
              <span className="text-muted">Line {line}:</span> {rule ? `${rule.fromPath} → ${rule.toPath} (${rule.statusCode})` : text}
            </p>
            {reason && <p className="text-small">{reason}</p>}
            {path && path.length > 1 && !reason?.includes(path.join(' → ')) && (
              <p className="font-mono text-fine text-muted wrap-anywhere">{path.join(' → ')}</p>
            )}
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && <p className="pt-2 text-small text-muted">And {(lines.length - SHOWN).toLocaleString('en')} more.</p>}
    </details>
  )
}
