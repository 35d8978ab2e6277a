import { type ClaimName, claims, shownClaims } from '#app/content/claims.ts'
import { shell } from '#app/content/shell.ts'

type ClaimStripProps = { names: readonly ClaimName[]; isShort?: boolean }

/** Figures from edge to edge of the window; nothing if the owner has hidden them all. */
export function ClaimBand(props: ClaimStripProps) {
  if (shownClaims(props.names).length === 0) return null
  return (
    <section aria-label={shell.figures} className="border-y border-line bg-surface">
      <div className="wrap">
        <ClaimStrip {...props} />
      </div>
    </section>
  )
}

/** Figures in a row, with large values; on a small screen they are stacked, as the lines of a table. */
export function ClaimStrip({ names, isShort = false }: ClaimStripProps) {
  return (
    <dl className="grid divide-y divide-line sm:auto-cols-fr sm:divide-y-0 sm:grid-flow-col sm:grid-cols-none">
      {shownClaims(names).map((name) => {
        const { value, label, short } = claims[name]
        return (
          <div
            key={name}
            className="flex flex-row-reverse items-baseline justify-between gap-4 border-line py-2.5 sm:flex-col-reverse sm:items-start sm:justify-end sm:gap-0 sm:border-l sm:px-4 sm:py-6 sm:first:border-l-0 sm:first:pl-0 lg:px-6"
          >
            <dt className="text-small text-muted">{isShort ? (short ?? label) : label}</dt>
            <dd className="font-mono text-h2 font-semibold tracking-tight">{value}</dd>
          </div>
        )
      })}
    </dl>
  )
}
