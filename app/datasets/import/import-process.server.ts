import { text } from 'node:stream/consumers'
import { readDataset, readingOrder } from './read-dataset.server.ts'
import { Unreadable, UnreadableHead } from './unreadable.ts'

/** Each message is one line of JSON. */
const say = (word: unknown) => process.stdout.write(`${JSON.stringify(word)}\n`)

/** Reads an untrusted file in its own process, so a crash leaves the server running. The task comes by standard input. */
async function work() {
  try {
    const order = readingOrder.parse(JSON.parse(await text(process.stdin)))
    say({ read: await readDataset(order, (step, share) => say({ step, share })) })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    say({ refused: error.message, ...(error instanceof UnreadableHead && { faults: error.faults }) })
  }
}

void work()
