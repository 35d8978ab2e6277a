// A thread has no origin to name.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { parseIncomingEmail, type ReadEmail } from './read-email.server.ts'
import { UnreadableEmail } from './unreadable-email.ts'

/** The message of the thread about each email. */
export type ReadReply = { read: ReadEmail } | { unreadable: string }

const given = z.instanceof(Uint8Array)

// Reads emails of strangers in a thread of its own, which can be ended at any time.
parentPort?.on('message', (message: unknown) => {
  void reply(given.parse(message))
})

async function reply(bytes: Uint8Array): Promise<void> {
  const answer = await replyTo(bytes)
  const buffers = 'read' in answer ? answer.read.files.map((file) => file.bytes.buffer) : []
  parentPort?.postMessage(answer, buffers)
}

async function replyTo(bytes: Uint8Array): Promise<ReadReply> {
  try {
    return { read: await parseIncomingEmail(bytes) }
  } catch (error) {
    // A bug that one email meets must not stop those after it.
    return { unreadable: error instanceof UnreadableEmail ? error.message : 'It is too unusual.' }
  }
}
