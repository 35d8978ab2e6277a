import { apiCall, changes, leadRow, marketCount, pipeline, priceSeries, sampleTitles } from '#app/content/samples.ts'
import { cx } from '#app/ui/class-names.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { Record, SampleCard } from './sample.tsx'

/** In the frame of a card, three lines are whole; a fourth one would be cut. */
const LINES = 3

const strokes = ['stroke-grain', 'stroke-edge', 'stroke-edge']

/** Three price lines that change in steps, as prices do. */
export function PriceSample() {
  const { product, days, shops } = priceSeries
  const all = shops.flatMap(({ prices }) => [...prices])
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const height = (price: number) => 92 - ((price - least) / (most - least)) * 84
  return (
    <SampleCard isSmall title={product}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="min-h-0 w-full grow basis-0">
        {shops.map(({ name, prices }, index) => (
          <path
            key={name}
            d={steps(prices.map(height))}
            fill="none"
            strokeWidth={index === 0 ? 2.5 : 1.5}
            strokeDasharray={index === 2 ? '4 3' : undefined}
            vectorEffect="non-scaling-stroke"
            className={strokes[index]}
          />
        ))}
      </svg>
      <p className="flex justify-between text-muted">
        <span>{days[0]}</span>
        <span className="font-semibold text-grain-text">
          {shops[0].name} ${shops[0].prices.at(-1)}
        </span>
        <span>{days[1]}</span>
      </p>
    </SampleCard>
  )
}

/** A stepped line over the full width. */
function steps(heights: number[]): string {
  const width = 100 / heights.length
  return heights.map((height, index) => `${index === 0 ? 'M0' : 'V'}${index === 0 ? ` ${height}` : height}H${(index + 1) * width}`).join('')
}

export function LeadSample() {
  return (
    <SampleCard isSmall title={sampleTitles.lead}>
      <Record fields={leadRow.slice(0, LINES)} />
    </SampleCard>
  )
}

/** Bars; the longest has the full width. */
export function MarketSample() {
  const { category, sellers } = marketCount
  const most = Math.max(...sellers.map(({ listings }) => listings))
  return (
    <SampleCard isSmall title={category}>
      <div className="grid gap-2">
        {sellers.slice(0, 2).map(({ name, listings }, index) => (
          <div key={name}>
            <p className="flex justify-between gap-3">
              <span>{name}</span> <span>{numberText(listings)}</span>
            </p>
            <svg className="h-1.5 w-full">
              <rect width={`${(listings / most) * 100}%`} height="100%" rx="2" className={index === 0 ? 'fill-grain' : 'fill-edge'} />
            </svg>
          </div>
        ))}
      </div>
    </SampleCard>
  )
}

export function JsonSample() {
  return (
    <SampleCard isSmall title={apiCall.request}>
      <Record fields={apiCall.response.slice(0, LINES)} isJson />
    </SampleCard>
  )
}

export function PipelineSample() {
  return (
    <SampleCard isSmall title={sampleTitles.pipeline}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 gap-y-1 whitespace-nowrap sm:gap-x-6">
        {pipeline.slice(0, LINES).map(({ source, count, state }) => (
          <p key={source} className="col-span-3 grid grid-cols-subgrid">
            <span>{source}</span>
            <span className="truncate text-muted">{count}</span>
            <span className={cx('text-right', state === 'on time' ? 'text-leaf' : 'text-grain-text')}>{state}</span>
          </p>
        ))}
      </div>
    </SampleCard>
  )
}

/** Before and after. */
export function ChangeSample() {
  return (
    <SampleCard isSmall title={sampleTitles.changes}>
      <div className="grid grow content-between gap-3">
        {changes.slice(0, 1).map(({ where, before, after }) => (
          <div key={where}>
            <p className="text-muted">{where}</p>
            <p className="text-muted">
              <span className="select-none">− </span>
              <span className="line-through decoration-edge">{before}</span>
            </p>
            <p className="font-semibold">
              <span className="text-grain-text select-none">+ </span>
              {after}
            </p>
          </div>
        ))}
      </div>
    </SampleCard>
  )
}
