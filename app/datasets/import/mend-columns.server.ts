import { audit } from '#app/auth/users/audit.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { fileKey } from '#app/datasets/catalog/version-files.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { hasFile, importJob } from './import.server.ts'
import { type By, changing } from './publish.server.ts'

export type ColumnNaming = { column: number; name: string }

/** Gives columns of a rejected version other names, and imports its file again. */
export async function mendColumns(versionId: string, given: readonly ColumnNaming[], by: By): Promise<void> {
  const { originalFormat = '' } =
    (await db.selectFrom('datasetVersions').select('originalFormat').where('id', '=', versionId).executeTakeFirst()) ?? {}
  if (!(await hasFile(fileKey(versionId, `original.${originalFormat}`)))) {
    stop('conflict', 'The file of this version has been deleted. Upload it again.', { code: 'no_file' })
  }
  await changing(versionId, async (trx, product, version) => {
    if (version.state !== 'refused' || version.headFaults.length === 0) {
      stop('conflict', 'The columns of this version need no other names.', { code: 'no_faults' })
    }
    const names = { ...version.columnNames, ...Object.fromEntries(given.map(({ column, name }) => [column, name])) }
    await trx
      .updateTable('datasetVersions')
      .set({ state: 'processing', step: 'waiting', progress: 0, failure: null, headFaults: '[]', columnNames: JSON.stringify(names) })
      .where('id', '=', versionId)
      .execute()
    await enqueue(trx, importJob(versionId))
    await audit(trx, 'dataset_columns_named', { actorId: by.id, detail: { product: product.id, number: version.number } })
  })
}
