// A thread has no origin to name.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads'
import type { RenderContext } from './enrich.server.ts'
import { render } from './rendering.server.ts'
import { Unrenderable } from './unrenderable.ts'

/** Renders long texts in a separate thread, which can be terminated at any time. */
parentPort?.on('message', ({ source, surroundings }: { source: string; surroundings: RenderContext }) => {
  void render(source, surroundings).then(
    (rendered) => parentPort?.postMessage({ rendered }),
    (error: unknown) => {
      if (!(error instanceof Unrenderable)) throw error
      parentPort?.postMessage({ refused: error.message })
    },
  )
})
