import { CircleCheckIcon, CircleXIcon } from 'lucide-react'
import type { Finding } from '#app/datasets/catalog/version.ts'

/** The quality checks and their results. */
export function Findings({ findings, label }: { findings: readonly Finding[]; label: string }) {
  return (
    <ul aria-label={label} className="grid gap-2">
      {findings.map(({ rule, found, ok }) => {
        const Mark = ok ? CircleCheckIcon : CircleXIcon
        return (
          <li key={rule} className="flex items-start gap-2.5 text-small">
            <Mark
              role="img"
              aria-label={ok ? 'Passed' : 'Failed'}
              className={`mt-0.5 size-5 shrink-0 ${ok ? 'text-leaf' : 'text-alarm'}`}
            />
            <span className="min-w-0 wrap-anywhere">
              <span className="text-ink">{rule}</span>
              <span className="block font-mono text-fine text-muted">{found}</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
