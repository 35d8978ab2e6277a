import type { Difference } from '#app/datasets/catalog/version.ts'
import { rowsInWords } from './words.ts'

/** `Compared with version 1: 500 rows added, 3 rows removed; new columns: note.` */
export function differenceInWords(difference: Difference): string {
  const { previous, addedRows, removedRows, addedColumns, removedColumns, changedTypes } = difference
  const rows = [addedRows > 0 && `${rowsInWords(addedRows)} added`, removedRows > 0 && `${rowsInWords(removedRows)} removed`]
  const said = [
    rows.filter(Boolean).join(', ') || 'same rows',
    addedColumns.length > 0 && `new columns: ${addedColumns.join(', ')}`,
    removedColumns.length > 0 && `removed columns: ${removedColumns.join(', ')}`,
    changedTypes.length > 0 && `changed types: ${changedTypes.join(', ')}`,
  ]
  return `Compared with version ${previous}: ${said.filter(Boolean).join('; ')}.`
}
