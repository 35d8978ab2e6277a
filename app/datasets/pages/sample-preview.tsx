import { cellText, sampleColumns, readSample } from './sample.ts'

const MOST_ROWS = 3
const MOST_COLUMNS = 4

/** The first rows on a card. An unreadable sample shows nothing. */
export function SamplePreview({ name, sampleData }: { name: string; sampleData: string | null }) {
  const rows = readSample(sampleData)
  const columns = sampleColumns(rows)
  if (columns.length === 0) return null
  const shown = columns.slice(0, MOST_COLUMNS)
  return (
    <figure className="overflow-hidden rounded-control border border-line bg-sunken">
      <table className="w-full table-fixed border-collapse text-left font-mono text-[0.75rem] leading-relaxed">
        <caption className="sr-only">Sample of {name}</caption>
        <thead>
          <tr className="border-b border-line text-muted">
            {shown.map((column) => (
              <th key={column} scope="col" className="truncate px-2.5 py-1.5 font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from(rows.slice(0, MOST_ROWS), (row, at) => (
            <tr key={at} className="border-b border-line last:border-b-0">
              {shown.map((column) => (
                <td key={column} className="truncate px-2.5 py-1">
                  {cellText(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {columns.length > shown.length && (
        <figcaption className="border-t border-line px-2.5 py-1 text-[0.75rem] text-muted">
          and {columns.length - shown.length} more {columns.length - shown.length === 1 ? 'column' : 'columns'}
        </figcaption>
      )}
    </figure>
  )
}
