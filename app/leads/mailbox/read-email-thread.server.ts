import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { propertyOf } from '#app/platform/errors/property.ts'
import type { ReadEmail } from './read-email.server.ts'
import type { ReadReply } from './read-email-worker.server.ts'
import { UnreadableEmail } from './unreadable-email.ts'

/** Milliseconds. An email of 25 MB takes a second or two; one can be written that takes forever. */
const PATIENCE = 15_000
/** Milliseconds without work before the thread ends. */
const IDLE = 60_000
/** In megabytes, without the bytes of files. */
const MEMORY = 384

const failure = z.object({ address: z.string(), reason: z.string(), isPermanent: z.boolean() })
const read = z.object({
  messageId: z.string().nullable(),
  inReplyTo: z.string().nullable(),
  threadIds: z.array(z.string()),
  fromName: z.string(),
  fromAddress: z.string(),
  replyToName: z.string(),
  replyToAddress: z.string(),
  toAddresses: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  hasRemoteContent: z.boolean(),
  kind: z.enum(['message', 'autoreply', 'bounce']),
  bounce: z.object({ failed: z.array(failure), originalIds: z.array(z.string()) }).nullable(),
  files: z.array(z.object({ name: z.string(), bytes: z.instanceof(Uint8Array<ArrayBuffer>) })),
  problems: z.array(z.string()),
}) satisfies z.ZodType<ReadEmail>
const answer = z.union([z.object({ read }), z.object({ unreadable: z.string() })]) satisfies z.ZodType<ReadReply>

let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined
let last: Promise<unknown> = Promise.resolve()

/** Reads an email in the thread, one at a time. Throws `UnreadableEmail` for one that breaks the rules, or the patience. */
export function readInThread(bytes: Uint8Array, patience = PATIENCE): Promise<ReadEmail> {
  const mine = last.then(() => ask(bytes, patience))
  last = mine.catch(() => undefined)
  return mine
}

async function ask(bytes: Uint8Array, patience: number): Promise<ReadEmail> {
  const worker = (thread ??= start())
  clearTimeout(idle)
  worker.ref()
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
    worker.postMessage(bytes)
    const [message]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(patience) })
    const said = answer.parse(message)
    if ('unreadable' in said) throw new UnreadableEmail(said.unreadable)
    return said.read
  } catch (error) {
    if (error instanceof UnreadableEmail) throw error
    await end(worker)
    const code = propertyOf(error, 'code')
    if (code === 'ABORT_ERR' || code === 'ERR_WORKER_OUT_OF_MEMORY') throw new UnreadableEmail('It takes too long to read.')
    throw error
  } finally {
    // An idle thread must not keep the process alive.
    worker.unref()
    idle = setTimeout(() => void end(worker), IDLE).unref()
  }
}

function start(): Worker {
  return new Worker(workerFile(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY }, stdout: false, stderr: false })
}

/** The build puts it into the folder of this code as well (`vite.config.ts`). */
function workerFile(): URL {
  return new URL(import.meta.env.PROD ? './read-email-worker.js' : './read-email-worker.server.ts', import.meta.url)
}

async function end(worker: Worker): Promise<void> {
  if (thread === worker) thread = undefined
  await worker.terminate()
}
