import { demonstration } from '#app/content/demonstration.ts'
import { chartSection } from '#app/content/home.ts'
import { dayOfMonth } from '#app/platform/time/english-date.ts'
import { dollarsAndCentsText } from '#app/platform/text/english-number.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { cx } from '#app/ui/class-names.ts'

const { dates, lines, lowest } = demonstration.prices
const every = lines.flatMap(({ cents }) => cents)
const [least, most] = [Math.min(...every), Math.max(...every)]
/** In percent of the height, free above the highest and below the lowest line. */
const [TOP, BOTTOM] = [8, 88]
/** In cents. */
const GRID = 5000

const level = (cents: number) => Number((BOTTOM - ((cents - least) / (most - least)) * (BOTTOM - TOP)).toFixed(2))
const place = (day: number) => Number(((day / dates.length) * 100).toFixed(2))
const marks = Array.from({ length: Math.ceil(most / GRID) }, (_, index) => index * GRID).filter((cents) => cents >= least)
/** Not at the edges, where their labels would be cut. */
const mondays = [...dates.keys()].filter((day) => dates[day]?.getUTCDay() === 1 && place(day) > 6 && place(day) < 94)

/** A chart from edge to edge of the window. */
export function PriceChart() {
  const found = lines.find(({ cents }) => cents.includes(least))
  const day = lowest.indexOf(least)
  return (
    <section aria-labelledby="chart-title" className="overflow-hidden bg-sunken">
      <div className="wrap flex flex-wrap items-end justify-between gap-x-12 gap-y-4 pt-11 lg:pt-12">
        <div>
          <h2 id="chart-title">{chartSection.title}</h2>
          <p className="mt-3 text-muted">{chartSection.text}</p>
          <p className="mt-1 text-fine text-muted">{chartSection.source}</p>
        </div>
        <a href="#contact" className={buttonLook('quiet')}>
          {chartSection.all}
        </a>
      </div>
      <figure>
        <svg aria-hidden="true" className="mt-6 block h-52 w-full lg:h-64">
          {marks.map((cents) => (
            <line key={cents} x2="100%" y1={`${level(cents)}%`} y2={`${level(cents)}%`} className="stroke-line" />
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">
            {lines.map(({ name, cents }) => (
              <path key={name} d={steps(cents)} vectorEffect="non-scaling-stroke" strokeWidth="1.25" className="fill-none stroke-edge" />
            ))}
            <path d={`${steps(lowest)}V100H0z`} className="fill-grain-wash" />
            <path d={steps(lowest)} vectorEffect="non-scaling-stroke" strokeWidth="3" className="fill-none stroke-grain" />
          </svg>
          <g className="fill-muted stroke-sunken font-mono text-fine [paint-order:stroke]" strokeWidth="4">
            {marks.map((cents) => (
              <text key={cents} x="12" y={`${level(cents)}%`} dy="-0.4em">
                ${cents / 100}
              </text>
            ))}
            {mondays.map((at, index) => (
              <text key={at} x={`${place(at)}%`} y="98%" textAnchor="middle" className={index % 2 ? 'max-md:hidden' : undefined}>
                {dateOf(at)}
              </text>
            ))}
          </g>
          <g textAnchor="end" className="fill-grain-text font-mono text-fine font-semibold">
            <text x={`${place(day)}%`} y={`${level(least)}%`} dx="-0.7em" dy="-1.6em">
              {dollarsAndCentsText(least)}
            </text>
            <text x={`${place(day)}%`} y={`${level(least)}%`} dx="-0.7em" dy="-0.2em">
              {found?.name}, {dateOf(day)}
            </text>
          </g>
        </svg>
        <figcaption className="wrap pt-5 pb-11 lg:pb-12">
          <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.25rem,1fr))] gap-x-4 gap-y-2 font-mono text-fine">
            {lines.map(({ name, cents, changes }) => (
              <div key={name}>
                <dt className="text-muted">{name}</dt>
                <dd className={cx('text-small font-semibold', cents.at(-1) === lowest.at(-1) && 'text-grain-text')}>
                  {dollarsAndCentsText(cents.at(-1) ?? 0)} <span className="text-fine font-normal text-muted">{changes}×</span>
                </dd>
              </div>
            ))}
          </dl>
        </figcaption>
      </figure>
    </section>
  )
}

function dateOf(day: number): string {
  const date = dates[day]
  return date ? dayOfMonth(date) : ''
}

/** A stepped line: a price holds until the next one. */
function steps(cents: readonly number[]): string {
  const line = cents.map((price, day) => (price === cents[day - 1] ? '' : `${day ? `H${place(day)}V` : 'M0 '}${level(price)}`))
  return `${line.join('')}H100`
}
