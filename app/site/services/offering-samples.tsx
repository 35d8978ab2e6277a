import { alerts, apiCall, extraction, matchingSample, sampleTitles } from '#app/content/samples.ts'
import { cx } from '#app/ui/class-names.ts'
import { Record, SampleCard } from './sample.tsx'

/** A page's source, and the row that it becomes. */
export function ScrapingSample() {
  return (
    <div className="grid items-stretch gap-4 sm:grid-cols-2">
      <SampleCard title="page">
        {extraction.html.map(([open, text, close]) => (
          <p key={open} className="py-0.5 break-words">
            <span className="text-muted">{open}</span>
            <mark className="rounded-sm bg-grain px-0.5 text-on-grain">{text}</mark>
            <span className="text-muted">{close}</span>
          </p>
        ))}
      </SampleCard>
      <SampleCard title="row" className="bg-surface">
        <div className="grid grid-cols-[auto_auto_1fr] gap-x-4 gap-y-1">
          {extraction.row.map(([name, type, value]) => (
            <p key={name} className="col-span-3 grid grid-cols-subgrid py-0.5">
              <span className="text-muted">{name}</span>
              <span className="text-leaf">{type}</span>
              <span>{value}</span>
            </p>
          ))}
        </div>
      </SampleCard>
    </div>
  )
}

export function ApiSample() {
  return (
    <SampleCard title={apiCall.request}>
      <p className="mb-3 flex justify-between gap-4">
        <span className="text-leaf">200 OK</span> <span className="text-muted">84 ms</span>
      </p>
      <p className="text-muted">{'{'}</p>
      <div className="pl-4">
        <Record fields={apiCall.response} isJson />
      </div>
      <p className="text-muted">{'}'}</p>
    </SampleCard>
  )
}

/** Quiet days, and the day of a change. */
export function MonitoringSample() {
  return (
    <SampleCard title={sampleTitles.alerts}>
      <ol className="grid gap-2.5">
        {alerts.map(({ time, text, moved }) => (
          <li key={text + time} className={cx('grid gap-x-4 sm:grid-cols-[5.5rem_1fr]', !moved && 'text-muted')}>
            <span className="text-muted">{time}</span>
            <span className="flex items-baseline gap-2.5">
              <span className={cx('size-2 shrink-0 rounded-full', moved ? 'bg-grain' : 'border border-edge')} />
              {text}
            </span>
          </li>
        ))}
      </ol>
    </SampleCard>
  )
}

/** Four spellings of one company. */
export function AnalysisSample() {
  const { before, after } = matchingSample
  return (
    <SampleCard title={sampleTitles.matching}>
      <div className="grid gap-6 sm:grid-cols-[1fr_auto_1fr] sm:items-center">
        <ul className="grid gap-1 text-muted">
          {before.map((name) => (
            <li key={name} className="line-through decoration-edge">
              {name}
            </li>
          ))}
        </ul>
        <span className="text-grain-text">{after.records} to 1</span>
        <div className="rounded-control border border-line bg-surface p-3">
          <p className="font-semibold">{after.name}</p>
          <p className="text-muted">{after.id}</p>
        </div>
      </div>
    </SampleCard>
  )
}
