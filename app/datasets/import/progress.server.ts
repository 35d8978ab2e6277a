import { db } from '#app/platform/database/db.server.ts'
import type { ImportProgressReport } from './read-dataset.server.ts'

/** The write interval in milliseconds. */
const WRITE_MS = 1000

/** Where each step begins and its share of the whole work. */
const shares: Record<Parameters<ImportProgressReport>[0], [from: number, part: number]> = {
  reading: [0, 0.6],
  profiling: [0.6, 0.3],
  comparing: [0.9, 0.1],
}

/** Stores the progress of an import. */
export function noteProgress(versionId: string): { note: ImportProgressReport; end: () => Promise<void> } {
  let written = 0
  let writing: Promise<unknown> = Promise.resolve()
  return {
    note(step, share) {
      if (performance.now() - written < WRITE_MS) return
      written = performance.now()
      const [from, part] = shares[step]
      const update = db.updateTable('datasetVersions').set({ step, progress: from + part * Math.min(1, share) })
      // A failed write is followed by another.
      writing = update
        .where('id', '=', versionId)
        .where('state', '=', 'processing')
        .execute()
        .catch(() => undefined)
    },
    end: async () => void (await writing),
  }
}
