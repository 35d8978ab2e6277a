import type { FileFormat } from '#app/datasets/catalog/format.ts'
import type { ProductFile } from '#app/datasets/catalog/product.ts'
import { bytesInWords } from '#app/ui/amount.ts'
import { Cell, HeadCell, TableRow, Table } from '#app/ui/table.tsx'

export const formatNames: Record<FileFormat, string> = {
  original: 'Original upload',
  csv: 'CSV',
  'csv-raw': 'CSV for programs',
  json: 'JSON',
  jsonl: 'JSON Lines',
  parquet: 'Parquet',
  xlsx: 'Excel',
}

type FileListProps = {
  files: readonly ProductFile[]
  children?: (file: ProductFile) => React.ReactNode
}

/** The files of a dataset with sizes and checksums. */
export function FileList({ files, children }: FileListProps) {
  return (
    <>
      <Table caption="Every format with its size and checksum">
        <thead>
          <tr>
            <HeadCell>Format</HeadCell>
            <HeadCell>File</HeadCell>
            <HeadCell kind="number">Size</HeadCell>
            <HeadCell>SHA-256</HeadCell>
            {children && (
              <HeadCell>
                <span className="sr-only">Download</span>
              </HeadCell>
            )}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <TableRow key={file.format}>
              <Cell className="font-medium whitespace-nowrap">{formatNames[file.format]}</Cell>
              <Cell kind="data">{file.name}</Cell>
              <Cell kind="number">{file.bytes === null ? 'Generated on first download' : bytesInWords(file.bytes)}</Cell>
              <Cell className="min-w-64 font-mono text-fine break-all text-muted">{file.sha256 ?? 'Available after generation'}</Cell>
              {children && <Cell>{children(file)}</Cell>}
            </TableRow>
          ))}
        </tbody>
      </Table>
      <p className="mt-3 max-w-[90ch] text-fine text-muted">
        CSV is safe to open in a spreadsheet: cells that begin with =, +, - or @ carry a leading apostrophe. CSV for programs (
        <code>?raw=1</code>) and the original upload have every value unchanged, so a spreadsheet may run such cells as formulas.
      </p>
    </>
  )
}
