import { LONGEST_COLUMN_NAME } from '#app/datasets/catalog/column.ts'
import type { StaffVersion } from '#app/datasets/catalog/version.ts'
import { CellInput } from '#app/ui/cell-input.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { Cell, HeadCell, Table, TableRow } from '#app/ui/table.tsx'
import type { Given } from './column-readings.tsx'
import { Findings } from './findings.tsx'
import { useUploadOf } from './use-upload-of.tsx'
import { brokenOf } from './version-card.tsx'

type VersionFaultsProps = {
  productId: string
  version: StaffVersion
  given: Given
  change: (given: Given) => void
  /** It is checked again before anyone publishes it, so no reason is asked for. */
  isChanged: boolean
}

/** Why a version was rejected or is held, and the ways out. */
export function VersionFaults({ productId, version, given, change, isChanged }: VersionFaultsProps) {
  const { failure, headFaults, warnings } = version
  const broken = brokenOf(version)
  return (
    <>
      <ArrivedWhole productId={productId} version={version} />
      {failure && (
        <p role="alert" className="rounded-control bg-alarm-wash p-3 text-small wrap-anywhere">
          {failure}
        </p>
      )}
      {headFaults.length > 0 && <ColumnNames version={version} given={given} change={change} />}
      {warnings.map((warning) => (
        <p key={warning} role="note" className="rounded-control bg-grain-wash p-3 text-small">
          {warning}
        </p>
      ))}
      {broken.length > 0 && (
        <section aria-label="Failed checks" className="grid gap-3 rounded-control bg-alarm-wash p-4">
          <p className="text-small font-semibold">This version does not pass the quality checks.</p>
          <Findings findings={broken} label="Failed checks" />
          {!isChanged && (
            <Field
              label="Reason"
              name="reason"
              hint="Why you publish it anyway. Recorded here and in the audit log, for staff only. Otherwise choose a corrected file above."
            >
              <Textarea value={given.reason} onChange={({ target }) => change({ ...given, reason: target.value })} />
            </Field>
          )}
        </section>
      )}
    </>
  )
}

/** Other names for the columns of a rejected file. They are used instead of those in the file. */
function ColumnNames({ version: { headFaults }, given, change }: Omit<VersionFaultsProps, 'productId' | 'isChanged'>) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <p className="text-small">Rename these columns here. Your file does not change. We keep it for one day.</p>
      <Table caption="Columns that need another name">
        <thead>
          <tr>
            <HeadCell kind="number">Column</HeadCell>
            <HeadCell className="w-1/2">Problem</HeadCell>
            <HeadCell className="w-1/2">Name</HeadCell>
          </tr>
        </thead>
        <tbody>
          {headFaults.map(({ column, fault, suggestion }) => (
            <TableRow key={column}>
              <Cell kind="number">{column}</Cell>
              <Cell className="wrap-anywhere">{fault}</Cell>
              <Cell>
                <CellInput
                  label={`Name of column ${column}`}
                  value={given.names[column] ?? suggestion}
                  most={LONGEST_COLUMN_NAME}
                  error={undefined}
                  onChange={({ target }) => change({ ...given, names: { ...given.names, [column]: target.value } })}
                />
              </Cell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

/** Shows whether the server has, byte for byte, the file that this window sent. */
function ArrivedWhole({ productId, version }: Pick<VersionFaultsProps, 'productId' | 'version'>) {
  const upload = useUploadOf(productId)
  // A version has the id of its upload.
  if (!upload?.checksum || upload.id !== version.id) return null
  if (upload.checksum === version.originalSha256) return <p className="text-small text-leaf">Upload verified: both checksums match.</p>
  return (
    <p role="alert" className="rounded-control bg-alarm-wash p-3 text-small">
      The checksums differ: the file changed during the upload. Delete this version and upload the file again.
    </p>
  )
}
