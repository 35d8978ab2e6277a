import { href, Link } from 'react-router'
import { CheckCheckIcon, ClockIcon, ScaleIcon, Table2Icon } from 'lucide-react'
import { demonstration } from '#app/content/demonstration.ts'
import { datasetSection, type FeatureIcon, features } from '#app/content/home.ts'
import { Badge } from '#app/ui/badge.tsx'
import { cx } from '#app/ui/class-names.ts'
import { numberText } from '#app/platform/text/english-number.ts'

const icons: Record<FeatureIcon, React.ReactNode> = {
  check: <CheckCheckIcon className="size-5" aria-hidden="true" />,
  clock: <ClockIcon className="size-5" aria-hidden="true" />,
  table: <Table2Icon className="size-5" aria-hidden="true" />,
  scale: <ScaleIcon className="size-5" aria-hidden="true" />,
}

/** The page of a dataset as a picture, beside four promises for every delivery. */
export function DatasetSpecimen() {
  return (
    <section aria-labelledby="dataset-title" className="@container bg-sunken">
      <div className="wrap grid grid-cols-1 gap-x-12 gap-y-8 pt-11 lg:grid-cols-12 lg:pt-12">
        <div className="grid content-start gap-4 lg:col-span-5 lg:pb-10 xl:col-span-4">
          <div>
            <h2 id="dataset-title">{datasetSection.title}</h2>
            <p className="mt-3 text-muted">{datasetSection.text}</p>
            <p className="mt-1">
              <Link to={href('/datasets')} className="link inline-flex min-h-11 items-center text-small font-semibold">
                {datasetSection.all}
              </Link>
            </p>
          </div>
          <ul className="grid gap-x-6 gap-y-3 border-t border-line pt-4 sm:max-lg:grid-cols-2">
            {features.map(({ icon, title, description }) => (
              <li key={title} className="grid grid-cols-[auto_1fr] gap-x-3">
                <span className="row-span-2 pt-0.5 text-grain-text">{icons[icon]}</span>
                <h3 className="font-sans text-small font-semibold tracking-normal">{title}</h3>
                <p className="text-fine text-muted">{description}</p>
              </li>
            ))}
          </ul>
        </div>
        <DatasetPicture />
      </div>
    </section>
  )
}

/** A window that continues beyond the right edge of the page. The sentence beside it says the same, so screen readers skip it. */
function DatasetPicture() {
  const { about, rows, columns, matching, shown, sample } = demonstration.dataset
  return (
    <div
      aria-hidden="true"
      className="-mr-[max(var(--gutter),calc((100cqw-1200px)/2))] min-w-0 overflow-hidden lg:col-span-7 xl:col-span-8"
    >
      <div className="h-80 w-[60rem] overflow-hidden rounded-t-card border border-b-0 border-line bg-paper lg:h-full lg:min-h-[32rem] lg:w-[68rem]">
        <div className="flex items-center gap-2 border-b border-line bg-surface px-5 py-2.5 font-mono text-fine text-muted">
          <span>datasets</span> <span>/</span> <span className="text-ink">{about.name}</span>
        </div>
        <div className="grid gap-4 p-5 lg:p-7">
          <p className="flex items-baseline gap-4">
            <span className="font-display text-h2 font-semibold tracking-tight">{about.name}</span>
            <Badge look="leaf">{datasetSection.badges.file}</Badge>
            <Badge look="grain">{datasetSection.badges.api}</Badge>
          </p>
          <p className="max-w-[38rem] text-small text-muted">{about.description}</p>
          <p className="flex items-center gap-3 font-mono text-fine">
            <span className="rounded-full border border-grain bg-grain-wash px-3 py-1">
              product {datasetSection.search} {demonstration.product}
            </span>
            <span className="text-muted">
              {matching} of {numberText(rows)} rows, {columns} columns
            </span>
          </p>
          <div className="grid grid-cols-7 divide-y divide-line overflow-hidden rounded-card border border-line bg-surface font-mono text-fine">
            <div className={cx(line, 'bg-sunken')}>
              {shown.map(({ name, bars, values }) => (
                <div key={name} className="grid content-between gap-2 px-3 py-2">
                  <span className="truncate text-muted">{name}</span>
                  <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-11 w-full">
                    <path d={bars ? uprightBars(bars) : flatBars(values ?? [])} className="fill-grain" />
                  </svg>
                </div>
              ))}
            </div>
            {sample.map((row) => (
              <div key={row.join(' ')} className={line}>
                {shown.map(({ name }, column) => (
                  <span key={name} className={cx('truncate px-3 py-2', isNumber(row[column]) && 'text-right')}>
                    {row[column]}
                  </span>
                ))}
              </div>
            ))}
          </div>
        </div>
      </div>
    </div>
  )
}

const line = 'col-span-7 grid grid-cols-subgrid divide-x divide-line'
const isNumber = (value = '') => /^[\d.]+$/.test(value)

/** A histogram in one path. */
function uprightBars(counts: readonly number[]): string {
  const [most, width] = [Math.max(...counts), 100 / counts.length]
  return counts
    .map((count, at) => `M${(at * width).toFixed(1)} 100v${(-100 * count) / most || 0}h${(width * 0.9).toFixed(1)}V100z`)
    .join('')
}

/** The most frequent values, the first one over the full width. */
function flatBars(values: readonly { count: number }[]): string {
  const [most, height] = [Math.max(...values.map(({ count }) => count)), 100 / 3]
  return values
    .map(({ count }, at) => `M0 ${Math.round(at * height)}h${Math.round((100 * count) / most)}v${Math.round(height * 0.7)}H0z`)
    .join('')
}
