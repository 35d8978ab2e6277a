import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { propertyOf } from '#app/platform/errors/property.ts'
import type { RenderContext } from './enrich.server.ts'
import type { RenderedMarkdown } from './rendering.server.ts'
import { Unrenderable } from './unrenderable.ts'

/** Milliseconds. A text of 200,000 characters takes one second, or several on a busy machine. A longer rendering is an attack. */
const PATIENCE = 20_000
/** Milliseconds without work before the thread ends. */
const IDLE = 60_000
/** In megabytes. */
const MEMORY = 256

const heading = z.object({ id: z.string(), depth: z.number(), title: z.string() })
const rendered = z.object({ html: z.string(), headings: z.array(heading), words: z.number() })
const answer = z.union([z.object({ rendered }), z.object({ refused: z.string() })])

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Renders in the worker thread, one text at a time. */
export function renderInThread(source: string, surroundings: RenderContext): Promise<RenderedMarkdown> {
  const mine = last.then(() => ask(source, surroundings))
  last = mine.catch(() => undefined)
  return mine
}

async function ask(source: string, surroundings: RenderContext): Promise<RenderedMarkdown> {
  const worker = (thread ??= start())
  clearTimeout(idle)
  worker.ref()
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage({ source, surroundings })
    const [message]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE) })
    const said = answer.parse(message)
    if ('refused' in said) throw new Unrenderable(said.refused)
    return said.rendered
  } catch (error) {
    if (error instanceof Unrenderable) throw error
    await end(worker)
    if (isTooMuch(error)) {
      throw new Unrenderable('This text takes too long to render. Make it shorter or simpler.')
    }
    throw error
  } finally {
    // An idle thread must not keep the process alive.
    worker.unref()
    idle = setTimeout(() => void end(worker), IDLE).unref()
  }
}

/** A timeout or an exhausted memory limit; any other error is a bug. */
function isTooMuch(error: unknown): boolean {
  const code = propertyOf(error, 'code')
  return code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function start(): Worker {
  return new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY }, stdout: false, stderr: false })
}

/** The build puts it into the folder of this code as well (`vite.config.ts`). */
function workerFile(): URL {
  return new URL(import.meta.env.PROD ? './render-worker.js' : './render-worker.server.ts', import.meta.url)
}

async function end(worker: Worker) {
  if (thread === worker) thread = undefined
  await worker.terminate()
}
