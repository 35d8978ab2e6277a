import type { VersionDifference, StaffVersion } from '#app/datasets/catalog/version.ts'
import { RowList } from '#app/ui/admin/import-view.tsx'
import { countOf } from '#app/ui/amount.ts'
import { ColumnProfile } from './column-profile.tsx'
import { Findings } from './findings.tsx'

/** The results of an import: quality checks, rejected rows, changes since the previous version, and columns. */
export function VersionReport({ version, isOpen }: { version: StaffVersion; isOpen: boolean }) {
  const { number, findings, notes, refusedRows, refusals, difference, columns, originalSha256 } = version
  return (
    <details open={isOpen} className="group border-t border-line pt-3">
      <summary className="min-h-9 cursor-pointer content-center text-small font-semibold">Report of version {number}</summary>
      <div className="grid grid-cols-1 gap-6 pt-3">
        {findings.length > 0 && (
          <Part title="Quality checks">
            <Findings findings={findings} label="Quality checks" />
          </Part>
        )}
        {notes.length > 0 && (
          <Part title="Notes">
            <ul className="grid list-disc gap-1 pl-5 text-small marker:text-grain">
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Part>
        )}
        {refusedRows > 0 && (
          <Part title={countOf(refusedRows, 'row rejected', 'rows rejected')}>
            <RowList
              title="Rejected rows"
              isOpen
              of={refusedRows}
              rows={refusals.map(({ line, reason }, at) => ({
                key: String(at),
                place: line === null ? 'No line' : `Line ${line}`,
                reasons: [reason],
              }))}
            />
          </Part>
        )}
        {difference && (
          <Part title={`Changes since version ${difference.previous}`}>
            <Changes difference={difference} />
          </Part>
        )}
        {columns.length > 0 && (
          <Part title={countOf(columns.length, 'column', 'columns')}>
            <ColumnProfile columns={columns} rows={version.rows} number={number} />
          </Part>
        )}
        <p className="font-mono text-fine text-muted wrap-anywhere">SHA-256 {originalSha256}</p>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <h4 className="font-sans text-small font-semibold tracking-normal">{title}</h4>
      {children}
    </section>
  )
}

function Changes({ difference }: { difference: VersionDifference }) {
  const { addedRows, removedRows, addedColumns, removedColumns, changedTypes } = difference
  const said = [
    countOf(addedRows, 'row added', 'rows added'),
    countOf(removedRows, 'row removed', 'rows removed'),
    addedColumns.length > 0 && `New columns: ${addedColumns.join(', ')}`,
    removedColumns.length > 0 && `Removed columns: ${removedColumns.join(', ')}`,
    changedTypes.length > 0 && `Changed types: ${changedTypes.join(', ')}`,
  ].filter((sentence) => sentence !== false)
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 font-mono text-small">
      {said.map((sentence) => (
        <li key={sentence} className="wrap-anywhere">
          {sentence}
        </li>
      ))}
    </ul>
  )
}
