import type { RowChoice } from '#app/datasets/catalog/column.ts'
import type { WrittenVersion } from '#app/datasets/rows/pieces.server.ts'
import { parsedRows, textOfLines } from '#app/datasets/rows/row-lines.ts'
import { type PageAsked, readWrittenPage } from '#app/datasets/rows/rows.server.ts'

/** A page of a dataset with its rows as objects. */
export async function readRows(
  version: WrittenVersion,
  asked: RowChoice,
  page: PageAsked,
): Promise<{ rows: Record<string, unknown>[]; nextCursor: string | null }> {
  const { lines, nextCursor } = await readWrittenPage(version, asked, page)
  return { rows: parsedRows(textOfLines(lines)), nextCursor }
}
