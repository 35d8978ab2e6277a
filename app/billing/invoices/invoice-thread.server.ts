import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import boldFont from '#app/ui/fonts/inter-600.ttf?inline'
import regularFont from '#app/ui/fonts/inter-400.ttf?inline'
import type { InvoiceDocument } from './document.ts'
import type { InvoiceReply, InvoiceWork } from './invoice-worker.server.ts'

/** Milliseconds. An invoice takes about two seconds. */
const PATIENCE = 60_000
/** In megabytes. */
const MEMORY = 384

const reply = z.object({ pdf: z.instanceof(Uint8Array), xml: z.string() }) satisfies z.ZodType<InvoiceReply>

let last: Promise<unknown> = Promise.resolve()

/** Makes the files of an invoice in a thread of its own, one at a time. */
export function makeFiles(invoice: InvoiceDocument): Promise<InvoiceReply> {
  const mine = last.then(() => make(invoice))
  last = mine.catch(() => undefined)
  return mine
}

async function make(invoice: InvoiceDocument): Promise<InvoiceReply> {
  const work: InvoiceWork = { invoice, fonts: { regular: bytesOf(regularFont), bold: bytesOf(boldFont) } }
  const worker = new Worker(workerFile(), { workerData: work, resourceLimits: { maxOldGenerationSizeMb: MEMORY } })
  try {
    const [message]: unknown[] = await once(worker, 'message', { signal: AbortSignal.timeout(PATIENCE) })
    return reply.parse(message)
  } finally {
    await worker.terminate()
  }
}

function bytesOf(dataUrl: string): Uint8Array {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
}

/** The build puts it into the folder of this code as well (`vite.config.ts`). */
function workerFile(): URL {
  return new URL(import.meta.env.PROD ? './invoice-worker.js' : './invoice-worker.server.ts', import.meta.url)
}
