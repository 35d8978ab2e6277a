import { extractions, extractionWords } from '#app/content/extraction.ts'

type Extraction = (typeof extractions)[number]

/**
 * A shop's page that becomes a table: it illustrates the sentence above it. Six seconds, once, only in CSS (extraction.css); without
 * animation it is the finished table. Hidden from screen readers, because the sentence says the same.
 */
export function Extraction() {
  return (
    <div
      data-motion=""
      aria-hidden="true"
      className="extraction overflow-hidden rounded-card border border-line bg-surface font-mono text-fine"
    >
      <div className="flex items-center justify-between gap-4 border-b border-line px-4 py-2.5 text-muted sm:px-5">
        <p className="truncate">
          <span className="text-grain-text">GET</span> {extractionWords.request}
        </p>
        <p className="extraction-window shrink-0 text-right">
          <span className="extraction-state">
            <span>{extractionWords.before}</span>
            <span className="text-leaf">{extractionWords.after}</span>
          </span>
        </p>
      </div>
      <div className="grid md:grid-cols-2 lg:grid-cols-[5fr_7fr]">
        <div className="relative min-w-0 overflow-hidden border-b border-line bg-sunken md:border-r md:border-b-0">
          <ol className="extraction-source">
            {extractions.map((extraction) => (
              <Fragment key={extraction.row.product} {...extraction.html} />
            ))}
          </ol>
          <div className="extraction-scan" />
        </div>
        <div className="flex min-w-0 flex-col">
          <div className="extraction-row border-b border-line bg-surface py-2 text-muted">
            <Column name="product" type="text" />
            <Column name="price" type="money" />
            <Column name="change" type="percent" />
            <Column name="stock" type="int" />
          </div>
          <ol className="grid grow">
            {extractions.map(({ row }) => (
              <Row key={row.product} {...row} />
            ))}
          </ol>
          <div className="flex items-center justify-between gap-4 border-t border-line px-4 py-2.5 text-muted sm:px-5">
            <p className="flex gap-[1ch]">
              <Counter /> {extractionWords.rows}
            </p>
            <p>{extractionWords.checked}</p>
          </div>
        </div>
      </div>
    </div>
  )
}

/** The source page: the extracted parts are highlighted, the rest is noise. The highlights are a layer of their own, which fades in. */
function Fragment(html: Extraction['html']) {
  return (
    <li className="relative overflow-hidden leading-5 whitespace-pre text-muted">
      <div className="extraction-marks absolute inset-0 px-4 py-2 text-transparent sm:px-5">
        <Lines {...html} />
      </div>
      <div className="relative px-4 py-2 sm:px-5">
        <Lines {...html} />
      </div>
    </li>
  )
}

function Lines({ name, price: [before, value, after], stock }: Extraction['html']) {
  return (
    <>
      <p>
        {'<li class=x9><h3>'}
        <b>{name}</b>
        {'</h3>'}
      </p>
      <p>
        {`  <b>${before}`}
        <b>{value}</b>
        {`${after}</b><i>`}
        <b>{stock}</b>
        {'</i>'}
      </p>
    </>
  )
}

function Column({ name, type }: { name: string; type: string }) {
  return (
    <p>
      <span className="text-ink">{name}</span> <span className="hidden xl:inline">{type}</span>
    </p>
  )
}

function Row({ product, price, currency, change, stock }: Extraction['row']) {
  const changed = !change.startsWith('0')
  return (
    <li className="overflow-hidden border-b border-line last:border-b-0">
      <div className="extraction-row">
        <p className="truncate font-medium">{product}</p>
        <p>
          {price} <span className="text-muted">{currency}</span>
        </p>
        <p className={changed ? 'text-grain-text' : 'text-muted'}>{change}</p>
        <p className={stock === '0' ? 'text-alarm' : undefined}>{stock}</p>
      </div>
    </li>
  )
}

/** The figures 0 to 6, stacked; the style sheet moves one after the other into the window. */
function Counter() {
  return (
    <span className="extraction-window text-ink">
      <span className="extraction-count">
        {[0, ...extractions.keys().map((index) => index + 1)].map((count) => (
          <span key={count}>{count}</span>
        ))}
      </span>
    </span>
  )
}
