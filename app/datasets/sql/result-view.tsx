import { countOf } from '#app/ui/amount.ts'
import { DownloadIcon } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { Tabs } from '#app/ui/tabs.tsx'
import { sheetCell } from '#app/datasets/rows/sheet-cell.ts'
import { guarded } from '#app/platform/tables/formula-guard.ts'
import type { QueryResult } from './query.ts'
import { chartCellText, drawableOf } from './chart-series.ts'
import { ResultChart } from './result-chart.tsx'
import { ResultTable } from './result-table.tsx'

type ResultViewProps = { result: QueryResult | undefined; isAsking: boolean; /** No query has run yet. */ isBare: boolean }

/** The result: a table, a chart if possible, and a file for spreadsheets. */
export function ResultView({ result, isAsking, isBare }: ResultViewProps) {
  if (isAsking) return <Loading>Running...</Loading>
  if (!result) {
    return isBare ? (
      <Empty title="No results yet">
        <p>Run the query above, or start with an example. Results appear here as a table and a chart.</p>
      </Empty>
    ) : null
  }
  const { rows, ms, truncated } = result
  const drawable = drawableOf(result)
  return (
    <section aria-label="Result" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-mono text-small text-muted tabular-nums">
          {countOf(rows.length, 'row', 'rows')} in {ms} ms{truncated && '; only the first rows are shown'}
        </p>
        {rows.length > 0 && (
          <span className="flex flex-wrap gap-2">
            <Button type="button" look="quiet" size="small" onClick={() => save([toCsv(result)], 'csv', 'text/csv;charset=utf-8')}>
              <DownloadIcon aria-hidden="true" className="size-4" />
              Download CSV
            </Button>
            <Button type="button" look="quiet" size="small" onClick={() => void saveSheet(result)}>
              Download Excel
            </Button>
          </span>
        )}
      </div>
      {drawable ? (
        <Tabs
          label="View"
          tabs={[
            { value: 'table', label: 'Table', content: <ResultTable result={result} /> },
            { value: 'chart', label: 'Chart', content: <ResultChart result={result} drawable={drawable} /> },
          ]}
        />
      ) : (
        <ResultTable result={result} />
      )}
    </section>
  )
}

/** A result as an Excel workbook. Its writer is loaded with the first one. */
async function saveSheet({ columns, rows }: QueryResult) {
  try {
    const { writeXlsx, XLSX_TYPE } = await import('#app/platform/tables/xlsx.ts')
    const head = columns.map(({ name }) => name)
    const cells = rows.map((row) => row.map((value, at) => sheetCell(value, columns[at]?.type)))
    const pieces: BlobPart[] = []
    for await (const piece of writeXlsx(head, cells)) pieces.push(piece)
    save(pieces, 'xlsx', XLSX_TYPE)
  } catch (error) {
    showFailure('Excel file not written', error instanceof Error ? error : new Error(String(error)), 'Please try again.')
  }
}

function save(pieces: BlobPart[], ending: string, type: string) {
  const address = URL.createObjectURL(new Blob(pieces, { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = `query-result.${ending}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

/** A result as CSV for spreadsheets. Texts that would run as formulas get an apostrophe; numbers stay numbers. */
export function toCsv({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  const head = columns.map(({ name }) => quoted(name))
  const lines = rows.map((row) => row.map((value, index) => cell(value, columns[index]?.type)))
  return [head, ...lines].map((line) => `${line.join(',')}\r\n`).join('')
}

function cell(value: unknown, type: string | undefined): string {
  const text = chartCellText(value)
  const isNumber = typeof value === 'number' || ((type === 'number' || type === 'integer') && text !== '' && Number.isFinite(Number(text)))
  return isNumber ? text : quoted(text)
}

function quoted(text: string): string {
  if (text === '') return ''
  return `"${guarded(text).replaceAll('"', '""')}"`
}
