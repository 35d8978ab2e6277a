import { apiCall, changes, leadRow, marketCount, pipeline, priceSeries, sampleTitles } from '#app/content/samples.ts'
import { cx } from '#app/ui/class-names.ts'
import { Record, SampleCard } from './sample.tsx'

const strokes = ['stroke-grain', 'stroke-edge', 'stroke-edge']

/** Three price lines that change in steps, as prices do. */
export function PriceSample() {
  const { product, days, shops } = priceSeries
  const all = shops.flatMap(({ prices }) => [...prices])
  const [least, most] = [Math.min(...all), Math.max(...all)]
  const height = (price: number) => 92 - ((price - least) / (most - least)) * 84
  return (
    <SampleCard title={product}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="min-h-24 w-full grow basis-24">
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
        {days.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-4 border-t border-line pt-2">
        {shops.map(({ name, prices }, index) => (
          <span key={name} className={index === 0 ? 'font-semibold text-grain-text' : ''}>
            {name} ${prices.at(-1)}
          </span>
        ))}
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
    <SampleCard title={sampleTitles.lead}>
      <Record fields={leadRow} />
    </SampleCard>
  )
}

/** Bars; the longest has the full width. */
export function MarketSample() {
  const { category, sellers } = marketCount
  const most = Math.max(...sellers.map(({ listings }) => listings))
  return (
    <SampleCard title={category}>
      <div className="grid gap-2">
        {sellers.map(({ name, listings }, index) => (
          <div key={name}>
            <p className="flex justify-between gap-3">
              <span>{name}</span> <span>{listings.toLocaleString('en-US')}</span>
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
    <SampleCard title={apiCall.request}>
      <Record fields={apiCall.response} isJson />
    </SampleCard>
  )
}

export function PipelineSample() {
  return (
    <SampleCard title={sampleTitles.pipeline}>
      <div className="grid grid-cols-[auto_1fr_auto] gap-x-3 gap-y-2 sm:gap-x-6">
        {pipeline.map(({ source, count, state }) => (
          <p key={source} className="col-span-3 grid grid-cols-subgrid">
            <span>{source}</span>
            <span className="text-muted">{count}</span>
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
    <SampleCard title={sampleTitles.changes}>
      <div className="grid grow content-between gap-3">
        {changes.map(({ where, before, after }) => (
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
