import type { Result } from '#app/content/case-study.ts'

/** The metrics of a system. The first one is its main goal. */
export function CaseStudyResults({ results }: { results: readonly Result[] }) {
  return (
    <dl className="my-10 grid rounded-card border border-line bg-surface sm:my-14 sm:grid-cols-3">
      {results.map(({ value, metric, description }, index) => (
        <div key={metric} className="border-t border-line p-5 first:border-t-0 sm:border-t-0 sm:border-l sm:first:border-l-0 md:p-7">
          <dt>
            <span className={`block font-mono text-h2 font-semibold tracking-tight tabular-nums ${index === 0 ? 'text-grain-text' : ''}`}>
              {value}
            </span>{' '}
            <span className="font-semibold">{metric}</span>
          </dt>
          <dd className="mt-1 text-small text-muted">{description}</dd>
        </div>
      ))}
    </dl>
  )
}
