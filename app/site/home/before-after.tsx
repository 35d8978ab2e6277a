import { benefits, painPoints } from '#app/content/home.ts'

/** Today's problems, and below them what they become. */
export function BeforeAndAfter() {
  return (
    <div className="before-after border-t border-line bg-surface">
      <section aria-labelledby="pain-points" className="wrap pt-11 lg:pt-12">
        <div className="flex flex-wrap items-baseline justify-between gap-x-12 gap-y-2">
          <h2 id="pain-points">{painPoints.title}</h2>
          <p className="text-muted">{painPoints.text}</p>
        </div>
        {/* It scrolls sideways on a phone, so it must be reachable by keyboard. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <ul tabIndex={0} aria-labelledby="pain-points" className="snap-row mt-5 lg:mt-6 lg:grid-cols-4 lg:[--gap:2rem]">
          {painPoints.items.map(({ title, text }) => (
            <li key={title} className="border-t border-line pt-3">
              <h3>{title}</h3>
              <p className="mt-1 text-small text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="benefits" className="wrap py-11 lg:py-12">
        <h2 id="benefits">{benefits.title}</h2>
        <ul className="mt-5 grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:mt-6 lg:grid-cols-4">
          {benefits.items.map(({ before, after, text }) => (
            <li key={after} className="border-t-2 border-grain pt-3">
              <p className="text-fine text-muted line-through decoration-edge">{before}</p>
              <h3 className="mt-1">{after}</h3>
              <p className="mt-1 text-small text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
