// A thread has no origin to name.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads'
import type { Surroundings } from './enrich.server.ts'
import { render, Unrenderable } from './rendering.server.ts'

/** What a text is rendered in that could take long: a thread of its own, which can be ended in the middle of it. */
parentPort?.on('message', ({ source, surroundings }: { source: string; surroundings: Surroundings }) => {
  void render(source, surroundings).then(
    (rendered) => parentPort?.postMessage({ rendered }),
    (error: unknown) => {
      if (!(error instanceof Unrenderable)) throw error
      parentPort?.postMessage({ refused: error.message })
    },
  )
})
