import type { Difference } from '#app/datasets/catalog/version.ts'
import { rowsInWords } from './words.ts'

/** `Against version 1: 500 rows added, 3 rows removed; new column note.` */
export function differenceInWords(difference: Difference): string {
  const { previous, addedRows, removedRows, addedColumns, removedColumns, changedTypes } = difference
  const rows = [addedRows > 0 && `${rowsInWords(addedRows)} added`, removedRows > 0 && `${rowsInWords(removedRows)} removed`]
  const said = [
    rows.filter(Boolean).join(', ') || 'the same rows',
    addedColumns.length > 0 && `new: ${addedColumns.join(', ')}`,
    removedColumns.length > 0 && `gone: ${removedColumns.join(', ')}`,
    changedTypes.length > 0 && `another type: ${changedTypes.join(', ')}`,
  ]
  return `Against version ${previous}: ${said.filter(Boolean).join('; ')}.`
}
