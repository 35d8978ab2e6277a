import { db } from '#app/platform/db.server.ts'
import type { Report } from '#app/dataset-reading/read-dataset.server.ts'

/** How often it is written, whatever happens. */
const WRITE_MS = 1000

/** Of the whole work: where each step begins, and how much of it it is. */
const shares: Record<Parameters<Report>[0], [from: number, part: number]> = {
  reading: [0, 0.6],
  profiling: [0.6, 0.3],
  comparing: [0.9, 0.1],
}

/** Keeps how far the reading of a version is. */
export function noteProgress(versionId: string): { note: Report; end: () => Promise<void> } {
  let written = 0
  let writing: Promise<unknown> = Promise.resolve()
  return {
    note(step, share) {
      if (performance.now() - written < WRITE_MS) return
      written = performance.now()
      const [from, part] = shares[step]
      const update = db.updateTable('datasetVersions').set({ step, progress: from + part * Math.min(1, share) })
      // One that cannot be written is followed by another.
      writing = update
        .where('id', '=', versionId)
        .where('state', '=', 'processing')
        .execute()
        .catch(() => undefined)
    },
    end: async () => void (await writing),
  }
}
